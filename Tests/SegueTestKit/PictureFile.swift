internal import CZlib
internal import SegueSystem

/// Makes pictures and files that contain them.
public enum PictureFile {
  /// Returns a PNG of one colour.
  public static func png(_ width: Int, _ height: Int, _ colour: [UInt8]) -> [UInt8] {
    let row = [UInt8(0)] + (0..<width).flatMap { _ in colour }
    return png(header: (width, height), pixels: (0..<height).flatMap { _ in row })
  }

  /// Returns a PNG with the declared size and these `pixels`, with a filter byte before each row.
  public static func png(header size: (Int, Int), pixels: [UInt8]) -> [UInt8] {
    var data: [UInt8] = [0x78, 0x01]
    var rest = pixels[...]
    repeat {
      // Uncompressed blocks (RFC 1951, 3.2.4).
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let count = UInt16(block.count)
      data.append(rest.isEmpty ? 1 : 0)
      for number in [count, ~count] {
        data.append(UInt8(number & 0xFF))
        data.append(UInt8(number >> 8))
      }
      data += block
    } while !rest.isEmpty
    data += big(adler(pixels))
    let kind: [UInt8] = [8, 2, 0, 0, 0]
    let header = big(UInt32(size.0)) + big(UInt32(size.1)) + kind
    let mark: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    return [mark, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", [])].flatMap(\.self)
  }

  /// Returns a FLAC with pictures. `kind` is the picture type of APIC in ID3v2: 3 is the front and 4 the back.
  public static func flac(
    _ pictures: [(kind: UInt32, bytes: [UInt8])], _ tags: [(String, String)] = []
  ) throws -> [UInt8] {
    let plain = FLACTags.replace(try AudioFile.read(Repository.fixture("a.flac")), tags)
    // A picture block (RFC 9639, 8.8) after the marker and STREAMINFO.
    var blocks: [UInt8] = []
    for picture in pictures {
      let type = Array("image/png".utf8)
      var block = big(picture.kind) + big(UInt32(type.count)) + type
      block += big(0) + [UInt8](repeating: 0, count: 16)
      block += big(UInt32(picture.bytes.count)) + picture.bytes
      blocks += joined([6], big(UInt32(block.count)).dropFirst(), block)
    }
    return joined(plain[..<42], blocks, plain[42...])
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    return big(UInt32(data.count)) + body + big(crc(body))
  }

  private static func big(_ value: UInt32) -> [UInt8] {
    stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 { UInt32(crc32(0, bytes, UInt32(bytes.count))) }
  private static func adler(_ bytes: [UInt8]) -> UInt32 { UInt32(adler32(1, bytes, UInt32(bytes.count))) }
}
