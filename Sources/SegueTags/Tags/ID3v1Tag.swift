// Decoding thread only.
internal import SegueFFmpeg

/// An ID3v1 tag. Its texts have at most 30 bytes, in a charset that it does not name.
struct ID3v1Tag {
  /// The size of the tag in bytes.
  static let size: Int64 = 128

  private let bytes: [UInt8]

  /// Returns nil if no tag ends at `end` of `file`.
  init?(_ file: SourceFile, endingAt end: Int64) {
    guard end >= Self.size else { return nil }
    bytes = file.bytes(at: end - Self.size, count: Int(Self.size))
    guard bytes.count == Int(Self.size), bytes.starts(with: "TAG".utf8) else { return nil }
  }

  /// Adds all texts to `values`.
  func collect(into values: inout TagValues, rank: Int) {
    func add(_ key: String, _ range: Range<Int>) {
      let text = Array(bytes[range].prefix { $0 != 0 })
      values.add(.init(text, isBytes: !text.allSatisfy { $0 < 0x80 }), key, rank: rank)
    }
    add("TITLE", 3..<33)
    add("ARTIST", 33..<63)
    add("ALBUM", 63..<93)
    add("DATE", 93..<97)
    // If the last byte but one of the comment is zero, the last byte is the track number (version 1.1).
    if bytes[125] == 0, bytes[126] != 0 { values.add(.text("\(bytes[126])"), "TRACK", rank: rank) }
    if let genre = TagLibFile.genre(Int32(bytes[127])) { values.add(.text(genre), "GENRE", rank: rank) }
  }
}
