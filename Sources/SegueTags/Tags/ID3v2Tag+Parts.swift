// Decoding thread only.
internal import SegueLink
internal import SegueWire

extension ID3v2Tag {
  /// A text and the time it belongs to, in milliseconds.
  typealias TimedText = (time: Int, text: TagValues.Value)

  /// In bytes, of a frame with lyrics.
  private static let maximumLyricsSize = 1 << 20
  private static let mostLyrics = 16
  /// In bytes, of a frame with a chapter.
  private static let longestChapter = 8192
  /// Of a chapter.
  private static let mostInnerFrames = 16

  var chapters: [TimedText] {
    frames.lazy.filter { $0.id == "CHAP" }.prefix(Chapter.maximumCount).compactMap { frame in
      guard let bytes = bytes(of: frame, most: Self.longestChapter) else { return nil }
      var reader = ID3v2Reader(bytes)
      _ = reader.latinText()
      guard let start = reader.number(bytes: 4) else { return nil }
      // The end, and both as offsets in the file.
      reader.skip(12)
      let parts = ID3v2Tag(inside: Array(reader.remainder), of: self, most: Self.mostInnerFrames)
      let title = parts.frames.first { $0.id == "TIT2" }.flatMap { parts.bytes(of: $0, most: Self.longestChapter) }
      var titleReader = ID3v2Reader(title ?? [])
      return (start, titleReader.readEncoding() ? titleReader.text() : .text(""))
    }
  }

  /// Lyrics with times: those of the first frame that states its times in milliseconds.
  var sungLines: [TimedText] {
    for frame in frames.lazy.filter({ $0.id == "SYLT" }).prefix(Self.mostLyrics) {
      guard let bytes = bytes(of: frame, most: Self.maximumLyricsSize) else { continue }
      var reader = ID3v2Reader(bytes)
      guard reader.readEncoding() else { continue }
      reader.skip(3)
      guard reader.number(bytes: 1) == 2 else { continue }
      reader.skip(1)
      _ = reader.text()
      var lines: [TimedText] = []
      while lines.count < Self.mostLines, !reader.isEmpty {
        let text = reader.text()
        guard let time = reader.number(bytes: 4) else { break }
        lines.append((time, text))
      }
      return lines
    }
    return []
  }

  /// The picture of the front or, if none is said to be that, the first; nil if there is none.
  func picture() -> TagPicture? {
    var chosen: TagPicture?
    for frame in frames.lazy.filter({ $0.id == "APIC" }).prefix(Self.mostPictures) {
      guard let bytes = bytes(of: frame, most: Self.longestDescription) else { continue }
      var reader = ID3v2Reader(bytes)
      guard reader.readEncoding() else { continue }
      if hasShortFormats { reader.skip(3) } else if reader.latinText() == "-->" { continue }
      guard let kind = reader.number(bytes: 1) else { continue }
      _ = reader.text()
      guard !reader.isEmpty else { continue }
      let start = bytes.count - reader.remainder.count
      let picture = TagPicture(kind: kind) {
        self.bytes(of: frame, most: CoverInfo.maximumSize + start).map { Array($0.dropFirst(start)) } ?? []
      }
      if picture.isBetter(than: chosen) { chosen = picture }
    }
    return chosen
  }

  private static let mostLines = 4096
  private static let mostPictures = 64
  /// The greatest size of the description before a picture, in bytes.
  private static let longestDescription = 8192
}

/// A picture in a tag, whose bytes are read when they are asked for.
struct TagPicture {
  /// The kind of the picture, as in ID3v2's frame APIC.
  let kind: Int
  let bytes: () -> [UInt8]

  var isFront: Bool { kind == 3 }

  /// Icons (kinds 1 and 2) are no covers; the front goes before all others, and else the first.
  func isBetter(than other: TagPicture?) -> Bool {
    if kind == 1 || kind == 2 { return false }
    guard let other else { return true }
    return isFront && !other.isFront
  }
}
