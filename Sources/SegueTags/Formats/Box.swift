// Thread: the decoding thread.
internal import SegueFFmpeg

/// A box of an MP4 file (ISO/IEC 14496-12, 4.2).
struct Box {
  /// The four letters of the type as a number.
  let type: Int64
  let body: Range<Int64>

  /// Reads the box at `position`. Returns nil if it does not end at `end` or before.
  init?(_ file: FileInput, at position: Int64, within end: Int64) {
    guard position <= end - 8, let short = file.bigEndian(at: position, bytes: 4),
      let type = file.bigEndian(at: position + 4, bytes: 4)
    else { return nil }
    var head: Int64 = 8
    var size = short
    if short == 1 {
      guard let long = file.bigEndian(at: position + 8, bytes: 8) else { return nil }
      (head, size) = (16, long)
    } else if short == 0 {
      size = end - position
    }
    guard size >= head, size <= end - position else { return nil }
    self.type = type
    body = position + head..<position + size
  }

  /// Returns the four letters of a type that is a number.
  static func letters(of type: Int64) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: type >> $0) } }

  /// Whether the type consists of printable characters, as those of all boxes do.
  var isPlausible: Bool {
    // The names of tags begin with ©.
    Self.letters(of: type).allSatisfy { (0x20...0x7E).contains($0) || $0 == 0xA9 }
  }

  /// Returns the body of the first box with that type.
  static func find(_ kind: StaticString, in file: FileInput, _ range: Range<Int64>) -> Range<Int64>? {
    // The boxes after it are not read. A fragmented file has thousands, all over the file.
    all(kind, in: file, range, limit: 1).first
  }

  /// Returns the bodies of the first `limit` boxes with that type.
  static func all(
    _ kind: StaticString, in file: FileInput, _ range: Range<Int64>, limit: Int = .max
  ) -> [Range<Int64>] {
    let wanted = kind.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int64($1) } }
    var found: [Range<Int64>] = []
    var at = range.lowerBound
    // The limit is greater than the number of consecutive boxes in any genuine header.
    for _ in 0..<10_000 {
      guard found.count < limit, let box = Box(file, at: at, within: range.upperBound) else { break }
      if box.type == wanted { found.append(box.body) }
      at = box.body.upperBound
    }
    return found
  }

  // MARK: Numbers in a body

  /// Whether the version that a body begins with is 1, whose numbers of times and durations have eight bytes.
  static func isLong(_ file: FileInput, _ body: Range<Int64>) -> Bool { (word(file, body, 0) ?? 0) >> 24 == 1 }

  /// Returns the number of four bytes at `offset` in `body`.
  static func word(_ file: FileInput, _ body: Range<Int64>, _ offset: Int64) -> Int64? {
    body.lowerBound + offset + 4 <= body.upperBound ? file.bigEndian(at: body.lowerBound + offset, bytes: 4) : nil
  }

  /// Returns the number of eight bytes at `offset` in `body`.
  static func long(_ file: FileInput, _ body: Range<Int64>, _ offset: Int64) -> Int64? {
    body.lowerBound + offset + 8 <= body.upperBound ? file.bigEndian(at: body.lowerBound + offset, bytes: 8) : nil
  }
}
