import SegueTestKit

/// The bytes of Ogg files (RFC 3533, 6).
enum OggFile {
  /// Returns the ranges of the pages of an Ogg file, and their granules.
  static func pages(_ bytes: [UInt8]) -> [(range: Range<Int>, granule: Int64)] {
    var pages: [(Range<Int>, Int64)] = []
    var at = 0
    while at + 27 <= bytes.count {
      let laces = Int(bytes[at + 26])
      let size = 27 + laces + bytes[at + 27..<at + 27 + laces].reduce(0) { $0 + Int($1) }
      pages.append((at..<at + size, bytes[at + 6..<at + 14].reversed().reduce(0) { $0 << 8 | Int64($1) }))
      at += size
    }
    return pages
  }

  /// Sets the checksum of a page.
  static func setChecksum(_ bytes: inout [UInt8], _ page: Range<Int>) {
    bytes.replaceSubrange(page.prefix(26).suffix(4), with: [0, 0, 0, 0])
    let sum = bytes[page].reduce(UInt32(0)) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in sum << 1 ^ (sum >> 31 == 1 ? 0x04C1_1DB7 : 0) }
    }
    bytes.replaceSubrange(page.prefix(26).suffix(4), with: withUnsafeBytes(of: sum.littleEndian, Array.init))
  }

  /// Returns `bytes` with the granules that `change` returns for the pages of audio, which it gets with their numbers.
  static func withGranules(_ bytes: [UInt8], _ change: (_ number: Int, _ count: Int, _ granule: Int64) -> Int64)
    -> [UInt8]
  {
    var bytes = bytes
    let audio = pages(bytes).filter { $0.granule > 0 }
    for (number, page) in audio.enumerated() {
      let granule = change(number, audio.count, page.granule).littleEndian
      bytes.replaceSubrange(page.range.prefix(14).suffix(8), with: withUnsafeBytes(of: granule, Array.init))
      setChecksum(&bytes, page.range)
    }
    return bytes
  }

  /// Returns `bytes` with the first packet of audio at the end of the last page of headers, where it states the
  /// granule 0.
  static func withAudioBehindHeaders(_ bytes: [UInt8]) -> [UInt8] {
    let pages = pages(bytes)
    guard let audio = pages.firstIndex(where: { $0.granule > 0 }) else { return bytes }
    let (header, body) = (pages[audio - 1].range, pages[audio].range)
    func parts(_ page: Range<Int>) -> (head: [UInt8], laces: [UInt8], body: [UInt8]) {
      let count = Int(bytes[page.lowerBound + 26])
      let start = page.lowerBound + 27 + count
      return (Array(bytes[page.prefix(26)]), Array(bytes[start - count..<start]), Array(bytes[start..<page.upperBound]))
    }
    func page(_ head: [UInt8], _ laces: [UInt8], _ body: [UInt8]) -> [UInt8] {
      var page = joined(head, [UInt8(laces.count)], laces, body)
      setChecksum(&page, page.indices)
      return page
    }
    let (headers, packets) = (parts(header), parts(body))
    guard let last = packets.laces.firstIndex(where: { $0 < 255 }) else { return bytes }
    let laces = packets.laces[...last]
    let size = laces.reduce(0) { $0 + Int($1) }
    return joined(
      bytes[..<header.lowerBound], page(headers.head, headers.laces + laces, headers.body + packets.body[..<size]),
      page(packets.head, Array(packets.laces[(last + 1)...]), Array(packets.body[size...])), bytes[body.upperBound...])
  }

  /// Returns `bytes` without the pages of audio in `range`, whose bounds are shares of their number.
  static func withoutPages(_ bytes: [UInt8], _ range: Range<Double>) -> [UInt8] {
    let audio = pages(bytes).filter { $0.granule > 0 }
    let first = Int(Double(audio.count) * range.lowerBound)
    let end = Int(Double(audio.count) * range.upperBound)
    return Array(bytes[..<audio[first].range.lowerBound]) + Array(bytes[audio[end].range.lowerBound...])
  }

  /// Returns `bytes` with another serial number of their only stream.
  static func withSerial(_ bytes: [UInt8], _ serial: UInt8) -> [UInt8] {
    var bytes = bytes
    for page in pages(bytes) {
      bytes[page.range.lowerBound + 14] = serial
      setChecksum(&bytes, page.range)
    }
    return bytes
  }

  /// Returns `file` as FLAC in Ogg (RFC 9639, 10.1), with two frames on each page.
  static func flac(_ file: FLACFile) -> [UInt8] {
    let ends = Array(file.frameOffsets.dropFirst()) + [file.bytes.count]
    let frames = zip(file.frameOffsets, ends).map { Array(file.bytes[$0..<$1]) }
    var header: [UInt8] = [0x7F]
    header += Array("FLAC".utf8)
    header += [1, 0, 0, 1]
    header += Array("fLaC".utf8)
    header += [0]
    header += file.bytes[5..<42]
    let comments: [UInt8] = [0x84, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0]
    var pages: [(packets: [[UInt8]], granule: Int)] = [([header], 0), ([comments], 0)]
    for index in stride(from: 0, to: frames.count, by: 2) {
      let end = min(index + 2, frames.count)
      pages.append((Array(frames[index..<end]), end * FLACFile.blockSize))
    }
    var bytes: [UInt8] = []
    for (number, page) in pages.enumerated() {
      let start = bytes.count
      let laces = page.packets.flatMap { packet in
        [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
      }
      let flags: UInt8 = number == 0 ? 2 : number == pages.count - 1 ? 4 : 0
      bytes += Array("OggS".utf8)
      bytes += [0, flags]
      bytes += withUnsafeBytes(of: Int64(page.granule).littleEndian, Array.init)
      bytes += [7, 0, 0, 0]
      bytes += withUnsafeBytes(of: UInt32(number).littleEndian, Array.init)
      bytes += [0, 0, 0, 0, UInt8(laces.count)]
      bytes += laces
      for packet in page.packets { bytes += packet }
      setChecksum(&bytes, start..<bytes.count)
    }
    return bytes
  }
}
