internal import SegueFFmpeg
internal import SegueSystem

/// The pages of an Ogg file (RFC 3533).
enum OggPages {
  /// Returns whether the last page belongs to a different stream than the pages at the beginning. If so, the granule of
  /// the last page does not state the file's length.
  static func isChained(_ file: FileInput) -> Bool {
    guard file.size != nil else { return true }
    var serials: Set<UInt32> = []
    var at: Int64 = 0
    // The first pages of all streams of a link precede all other pages (RFC 3533, 4).
    while let page = Page(file, at: at), page.beginsStream, serials.count < 64 {
      serials.insert(page.serial)
      at += page.size
    }
    guard let last = last(file) else { return false }
    return !serials.contains(last.serial)
  }

  /// Returns the last complete page on which a packet ends; nil if there is none near the end of the file.
  static func last(_ file: FileInput) -> Page? { file.size.flatMap { last(file, before: $0) } }

  /// Returns the last complete page before `size`, on which a packet ends if that is required.
  private static func last(_ file: FileInput, before size: Int64, endsPacket: Bool = true) -> Page? {
    // Most pages are small. A page takes 65,307 bytes at most, and a truncated page may follow it.
    return last(file, in: size - min(size, 8192)..<size, endsPacket)
      ?? last(file, in: size - min(size, 131_072)..<size, endsPacket)
  }

  /// Returns the reason why the audio ends early, if the file ends within a page, or with something else in place of
  /// the page that ends the stream; nil if it does not.
  static func earlyEnd(_ file: FileInput) -> Shortfall? {
    guard let size = file.size, let audioEnd = TrailingTags.audioEnd(file) else { return nil }
    guard
      var page = last(file, before: audioEnd) ?? last(file, before: audioEnd, endsPacket: false)
        ?? startOfZeros(file, before: audioEnd).flatMap({
          last(file, before: min(audioEnd, $0 + Int64(OggPageHeader.maximumPageSize)), endsPacket: false)
        })
    else { return .damagedEnd }
    // Pages on which no packet ends may follow.
    while let next = Page(file, at: page.position + page.size) {
      if next.position + next.size > size { return .truncation }
      page = next
    }
    let end = page.position + page.size
    guard end < audioEnd else { return nil }
    let rest = file.bytes(end..<min(size, end + 4)) ?? []
    if Array("OggS".utf8).starts(with: rest) { return .truncation }
    return page.endsStream ? nil : .damagedEnd
  }

  /// The maximum number of zeros behind the pages of a local file that are read.
  private static let maximumZeros: Int64 = 64 << 20

  /// Returns the end of the last byte before `end` that is not zero, rounded up; nil if it is not found.
  private static func startOfZeros(_ file: FileInput, before end: Int64) -> Int64? {
    guard !file.isRemote else { return nil }
    var end = end
    let limit = max(0, end - maximumZeros)
    while end > limit, let piece = file.bytes(max(0, end - 65_536)..<end) {
      if !piece.allSatisfy({ $0 == 0 }) { return end }
      end -= Int64(piece.count)
    }
    return nil
  }

  private static func last(_ file: FileInput, in range: Range<Int64>, _ endsPacket: Bool) -> Page? {
    guard let tail = file.bytes(range) else { return nil }
    for offset in stride(from: tail.count - 27, through: 0, by: -1)
    where tail[offset] == UInt8(ascii: "O") && tail[offset..<offset + 4].elementsEqual("OggS".utf8) {
      guard let page = Page(file, at: range.lowerBound + Int64(offset)) else { continue }
      if page.granule >= 0 || !endsPacket, page.position + page.size <= range.upperBound { return page }
    }
    return nil
  }

  /// Returns the first page on which an audio packet ends.
  static func firstAudio(_ file: FileInput) -> Page? {
    var at: Int64 = 0
    // Headers with pictures take many pages.
    for _ in 0..<4096 {
      guard let page = Page(file, at: at) else { return nil }
      // The granule of header pages is 0. That of pages on which no packet ends is -1.
      if page.granule > 0 { return page }
      at += page.size
    }
    return nil
  }

  /// The maximum number of bytes to check: those that were read from the beginning of the file for the tags.
  private static let maximumCheckedSize: Int64 = 48 * 1024

  /// Returns whether the checksums of the header pages are correct (RFC 3533, 6). libavformat discards a page with an
  /// incorrect checksum. Headers with pictures are checked only as far as they were read for the tags.
  static func hasIntactHeaders(_ file: FileInput) -> Bool {
    var at: Int64 = 0
    while let page = Page(file, at: at), page.granule == 0, at + page.size <= maximumCheckedSize {
      guard var bytes = file.bytes(at..<at + page.size) else { return true }
      guard bytes.withUnsafeMutableBytes({ OggPageReader.Page(position: at, bytes: $0)?.isIntact }) == true else {
        return false
      }
      at += page.size
    }
    return true
  }

  /// A page in a file, without the bytes of its segments.
  struct Page {
    let position: Int64
    /// The sizes of the segments. A size below 255 ends a packet.
    let laces: [UInt8]
    private let header: OggPageHeader

    var serial: UInt32 { header.serial }
    var granule: Int64 { header.granule }
    var beginsStream: Bool { header.beginsStream }
    var endsStream: Bool { header.endsStream }

    /// The size of the page in bytes.
    var size: Int64 { Int64(header.size + header.bodySize) }

    /// The number of packets that end on the page.
    var packetCount: Int { laces.count { $0 < 255 } }

    /// The position of the segments.
    var body: Int64 { position + Int64(header.size) }

    init?(_ file: FileInput, at position: Int64) {
      let head = [UInt8](unsafeUninitializedCapacity: OggPageHeader.maximumSize) { buffer, count in
        count = file.peek(at: position, into: UnsafeMutableRawBufferPointer(buffer))
      }
      guard let header = head.withUnsafeBytes(OggPageHeader.init) else { return nil }
      self.header = header
      self.position = position
      laces = Array(head[OggPageHeader.fixedSize..<header.size])
    }
  }
}
