// Thread: the decoding thread.
internal import SegueFFmpeg

/// A reader of the pages of an Ogg file (RFC 3533, 6) through a window, so that many small pages take few system calls.
final class OggPageReader {
  /// The header and the segments of a page. They are valid until the next call of the reader.
  struct Page {
    let position: Int64
    let header: OggPageHeader
    private let bytes: UnsafeMutableRawBufferPointer

    /// Returns nil if no page begins at `bytes`, or if they end within it.
    init?(position: Int64, bytes: UnsafeMutableRawBufferPointer) {
      guard let header = OggPageHeader(UnsafeRawBufferPointer(bytes)), bytes.count >= header.size + header.bodySize
      else {
        return nil
      }
      self.position = position
      self.header = header
      self.bytes = UnsafeMutableRawBufferPointer(rebasing: bytes[..<(header.size + header.bodySize)])
    }

    /// The sizes of the segments. A size below 255 ends a packet.
    var laces: UnsafeMutableRawBufferPointer {
      UnsafeMutableRawBufferPointer(rebasing: bytes[OggPageHeader.fixedSize..<header.size])
    }
    var body: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[header.size...]) }
    var end: Int64 { position + Int64(bytes.count) }

    /// Whether the checksum is correct. libavformat discards other pages.
    var isIntact: Bool {
      let offset = OggPageHeader.checksumOffset
      bytes.storeBytes(of: 0, toByteOffset: offset, as: UInt32.self)
      defer { bytes.storeBytes(of: header.checksum.littleEndian, toByteOffset: offset, as: UInt32.self) }
      return Checksum.oggPage.compute(UnsafeRawBufferPointer(bytes)) == header.checksum
    }
  }

  private let file: FileInput
  private let memory: UnsafeMutableRawBufferPointer
  private let readSize: Int
  private var base: Int64 = 0
  private var count = 0

  /// Creates a reader that reads `readSize` bytes at once, or as many as a page takes.
  init(_ file: FileInput, readSize: Int) {
    self.file = file
    self.readSize = readSize
    memory = .allocate(byteCount: max(readSize, OggPageHeader.maximumPageSize), alignment: 16)
  }

  deinit { memory.deallocate() }

  /// The end of the bytes that were read last.
  var windowEnd: Int64 { base + Int64(count) }

  /// Returns whether the page at `position` was read already.
  func contains(pageAt position: Int64) -> Bool { pageInWindow(position) != nil }

  /// Returns the page at `position`; nil if there is none or the file ends within it.
  func page(at position: Int64) -> Page? {
    if let page = pageInWindow(position) { return page }
    // If the window contains the rest of the file, the page is truncated.
    let size = file.size ?? .max
    guard position < size, position < base || windowEnd < size else { return nil }
    fill(position)
    if let page = pageInWindow(position) { return page }
    guard count == readSize, readSize < memory.count else { return nil }
    fill(position, memory.count)
    return pageInWindow(position)
  }

  /// Returns the position of the first mark of a page from `position` on and before `limit`; nil if there is none.
  func firstMark(from position: Int64, before limit: Int64) -> Int64? {
    var position = position
    while position < limit {
      if position < base || position + 4 > windowEnd { fill(position) }
      guard position + 4 <= windowEnd else { return nil }
      let start = Int(position - base)
      for at in start...count - 4 where memory[at] == UInt8(ascii: "O") {
        if memory[at + 1] == UInt8(ascii: "g"), memory[at + 2] == UInt8(ascii: "g"), memory[at + 3] == UInt8(ascii: "S")
        {
          return base + Int64(at) < limit ? base + Int64(at) : nil
        }
      }
      position = windowEnd - 3
    }
    return nil
  }

  private func fill(_ position: Int64, _ size: Int? = nil) {
    base = position
    // The read ends at the end of the file, so that no further call is needed to find the end.
    let rest = Int(clamping: max(0, (file.size ?? .max) - position))
    count = max(
      0,
      file.peek(at: position, into: UnsafeMutableRawBufferPointer(rebasing: memory.prefix(min(size ?? readSize, rest))))
    )
  }

  private func pageInWindow(_ position: Int64) -> Page? {
    guard position >= base, position < windowEnd else { return nil }
    return Page(
      position: position, bytes: UnsafeMutableRawBufferPointer(rebasing: memory[Int(position - base)..<count]))
  }
}
