/// Whether an Ogg file (RFC 3533) is one link, or several chained.
enum OggPages {
  /// True if the last page belongs to another stream than those that begin the file; then its granule says nothing
  /// about the file's length.
  static func isChained(_ file: SourceFile) -> Bool {
    guard let size = file.size else { return true }
    var serials: Set<UInt32> = []
    var at: Int64 = 0
    // The streams of a link all begin before any of them goes on.
    while let page = Page(file, at: at), page.beginsStream, serials.count < 64 {
      serials.insert(page.serial)
      at += page.size
    }
    guard let last = lastSerial(file, size) else { return false }
    return !serials.contains(last)
  }

  private static func lastSerial(_ file: SourceFile, _ size: Int64) -> UInt32? {
    // A page takes 65,307 bytes at most.
    var tail = [UInt8](repeating: 0, count: Int(min(size, 65_536)))
    let base = size - Int64(tail.count)
    let count = tail.withUnsafeMutableBytes { file.peek(at: base, into: $0) }
    var index = count - 27
    while index >= 0 {
      if tail[index] == UInt8(ascii: "O"), tail[index..<index + 4].elementsEqual("OggS".utf8) {
        return Page(file, at: base + Int64(index))?.serial
      }
      index -= 1
    }
    return nil
  }

  private struct Page {
    let serial: UInt32
    let size: Int64
    let beginsStream: Bool

    init?(_ file: SourceFile, at position: Int64) {
      var head = [UInt8](repeating: 0, count: 27 + 255)
      let count = head.withUnsafeMutableBytes { file.peek(at: position, into: $0) }
      guard count >= 27, head[..<4].elementsEqual("OggS".utf8), count >= 27 + Int(head[26]) else { return nil }
      serial = head[14..<18].reversed().reduce(0) { $0 << 8 | UInt32($1) }
      beginsStream = head[5] & 2 != 0
      size = 27 + Int64(head[26]) + head[27..<27 + Int(head[26])].reduce(0) { $0 + Int64($1) }
    }
  }
}
