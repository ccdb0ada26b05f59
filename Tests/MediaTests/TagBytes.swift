import SegueTestKit

/// Functions that write unusual and malformed tags.
enum TagBytes {
  static func bigEndian(_ number: Int, bytes count: Int = 4) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  static func littleEndian(_ number: Int, bytes count: Int = 4) -> [UInt8] {
    bigEndian(number, bytes: count).reversed()
  }

  /// Returns a size as in ID3v2.4, with seven bits per byte.
  static func synchsafe(_ number: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(number >> $0 & 0x7F) } }

  /// Returns an ID3v2 tag with `body`, which contains the extended header, frames and padding.
  static func id3v2(version: UInt8 = 4, flags: UInt8 = 0, _ body: [UInt8]) -> [UInt8] {
    joined("ID3".utf8, [version, 0, flags], synchsafe(body.count), body)
  }

  /// Returns a frame of version 2.4 or, if `isPlain` is true, of version 2.3, whose sizes have eight bits per byte.
  static func frame(_ id: String, _ data: [UInt8], flags: UInt8 = 0, isPlain: Bool = false) -> [UInt8] {
    joined(id.utf8, isPlain ? bigEndian(data.count) : synchsafe(data.count), [0, flags], data)
  }

  /// Returns a text frame in UTF-8.
  static func text(_ id: String, _ text: String, isPlain: Bool = false) -> [UInt8] {
    frame(id, [3] + Array(text.utf8), isPlain: isPlain)
  }

  /// Returns the items and the footer of an APE tag.
  static func ape(_ items: [(key: String, value: String)]) -> [UInt8] {
    var tag: [UInt8] = []
    for (key, value) in items {
      tag += littleEndian(value.utf8.count) + [0, 0, 0, 0]
      tag += Array("\(key)\0\(value)".utf8)
    }
    let size = tag.count + 32
    tag += Array("APETAGEX".utf8)
    for number in [2000, size, items.count, 0, 0, 0] { tag += littleEndian(number) }
    return tag
  }

  /// Returns Vorbis comments without the identifier of their packet.
  static func comments(_ comments: [String], vendor: String = "") -> [UInt8] {
    var bytes = joined(littleEndian(vendor.utf8.count), vendor.utf8, littleEndian(comments.count))
    for comment in comments { bytes += littleEndian(comment.utf8.count) + Array(comment.utf8) }
    return bytes
  }

  /// Returns `flac` with only its stream information and blocks of comments before the audio.
  static func flac(_ flac: [UInt8], comments blocks: [UInt8]...) -> [UInt8] {
    var position = 4
    var isLast = false
    while !isLast {
      isLast = flac[position] & 0x80 != 0
      position += 4 + flac[position + 1..<position + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    // The stream information is always the first block, and has 34 bytes.
    var result = Array(flac[..<4])
    result += [0]
    result += flac[5..<42]
    for (index, comments) in blocks.enumerated() {
      result.append(index == blocks.count - 1 ? 0x84 : 4)
      result += bigEndian(comments.count, bytes: 3)
      result += comments
    }
    return result + flac[position...]
  }

  /// Returns a page of Ogg. `header` is its header up to the serial number of the stream.
  static func oggPage(
    _ header: ArraySlice<UInt8>, number: Int, _ laces: ArraySlice<UInt8>, _ body: ArraySlice<UInt8>
  ) -> [UInt8] {
    var page = joined(header, littleEndian(number), [0, 0, 0, 0, UInt8(laces.count)], laces, body)
    // The checksum (RFC 3533, 6).
    let sum = page.reduce(UInt32(0)) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in sum << 1 ^ (sum >> 31 == 1 ? 0x04C1_1DB7 : 0) }
    }
    page.replaceSubrange(22..<26, with: littleEndian(Int(sum)))
    return page
  }

  /// Returns `opus`, whose comments are on its second page, with other comments on pages of at most `laceCount`
  /// segments.
  static func opus(_ opus: [UInt8], comments: [UInt8], laceCount: Int) -> [UInt8] {
    let packet = Array("OpusTags".utf8) + comments
    // A segment of less than 255 bytes ends the packet.
    let laces = [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
    var result: [UInt8] = []
    var (number, position) = (0, 0)
    func append(_ header: ArraySlice<UInt8>, _ laces: ArraySlice<UInt8>, _ body: ArraySlice<UInt8>) {
      result += oggPage(header, number: number, laces, body)
      number += 1
    }
    while position < opus.count {
      let page = opus[position...]
      let pageLaces = page.dropFirst(27).prefix(Int(opus[position + 26]))
      let size = pageLaces.reduce(0) { $0 + Int($1) }
      let header = page.prefix(18)
      position = pageLaces.endIndex + size
      guard number == 1 else {
        append(header, pageLaces, opus[pageLaces.endIndex..<position])
        continue
      }
      for start in stride(from: 0, to: laces.count, by: laceCount) {
        // All pages except the first continue the packet. Its granule is 0, or -1 on pages on which it does not end.
        let isLast = start + laceCount >= laces.count
        let granule = [UInt8](repeating: isLast ? 0 : 0xFF, count: 8)
        append(
          joined(header.prefix(5), [start > 0 ? 1 : 0], granule, header.suffix(4))[...],
          laces[start...].prefix(laceCount),
          packet[(255 * start)...].prefix(255 * laceCount))
      }
    }
    return result
  }

  /// Returns a comment with a picture (RFC 9639, 8.8) of `size` bytes.
  static func pictureComment(_ size: Int) -> String {
    let type = "image/jpeg"
    let picture = joined(
      bigEndian(3), bigEndian(type.utf8.count), type.utf8, [UInt8](repeating: 0, count: 20), bigEndian(size),
      [UInt8](repeating: 0x55, count: size))
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = "METADATA_BLOCK_PICTURE="
    for start in stride(from: 0, to: picture.count, by: 3) {
      let part = picture[start...].prefix(3)
      let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
      for index in 0..<4 { text.append(index <= part.count ? digits[bits >> (18 - 6 * index) & 63] : "=") }
    }
    return text
  }

  /// Returns a RIFF chunk.
  static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] { joined(name.utf8, littleEndian(body.count), body) }

  /// Returns `bytes` in zlib's format without compression, in stored blocks.
  static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var (low, high) = (1, 0)
    for byte in bytes {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    var result: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: bytes.count, by: 65_535) {
      let block = bytes[start...].prefix(65_535)
      result.append(block.endIndex == bytes.endIndex ? 1 : 0)
      result += littleEndian(block.count, bytes: 2)
      result += littleEndian(~block.count, bytes: 2)
      result += block
    }
    return result + bigEndian(high << 16 | low)
  }
}
