internal import SegueWire
// Decoding thread only.
internal import SegueWorkerProtocol

extension ID3v2Tag {
  /// A text and its time in milliseconds.
  typealias TimedText = (time: Int, text: TagValues.Value)

  /// The maximum size of a frame with lyrics in bytes.
  private static let maximumLyricsSize = 1 << 20
  private static let maximumLyricsFrames = 16
  /// The maximum size of a frame with a chapter in bytes.
  private static let maximumChapterSize = 8192
  /// The maximum number of frames in a chapter.
  private static let maximumChapterFrames = 16

  var chapters: [TimedText] {
    frames.lazy.filter { $0.id == "CHAP" }.prefix(Chapter.maximumCount).compactMap { frame in
      guard let bytes = bytes(of: frame, limit: Self.maximumChapterSize) else { return nil }
      var reader = ID3v2Reader(bytes)
      _ = reader.latinText()
      guard let start = reader.number(bytes: 4) else { return nil }
      // Skips the end time, and the start and end offsets in the file.
      reader.skip(12)
      let parts = ID3v2Tag(inside: Array(reader.remainder), of: self, limit: Self.maximumChapterFrames)
      let title = parts.frames.first { $0.id == "TIT2" }.flatMap { parts.bytes(of: $0, limit: Self.maximumChapterSize) }
      var titleReader = ID3v2Reader(title ?? [])
      return (start, titleReader.readEncoding() ? titleReader.text() : .text(""))
    }
  }

  /// The lyrics with times: those of the first frame that states times in milliseconds.
  var timedLyrics: [TimedText] {
    for frame in frames.lazy.filter({ $0.id == "SYLT" }).prefix(Self.maximumLyricsFrames) {
      guard let bytes = bytes(of: frame, limit: Self.maximumLyricsSize) else { continue }
      var reader = ID3v2Reader(bytes)
      guard reader.readEncoding() else { continue }
      reader.skip(3)
      guard reader.number(bytes: 1) == 2 else { continue }
      reader.skip(1)
      _ = reader.text()
      var lines: [TimedText] = []
      while lines.count < Self.maximumLines, !reader.isEmpty {
        let text = reader.text()
        guard let time = reader.number(bytes: 4) else { break }
        lines.append((time, text))
      }
      return lines
    }
    return []
  }

  /// Returns the picture that is marked as the front cover or, if none is, the first one. If there is no picture,
  /// returns nil.
  func picture() -> TagPicture? {
    var chosen: TagPicture?
    for frame in frames.lazy.filter({ $0.id == "APIC" }).prefix(Self.maximumPictures) {
      guard let bytes = bytes(of: frame, limit: Self.maximumDescriptionSize) else { continue }
      var reader = ID3v2Reader(bytes)
      guard reader.readEncoding() else { continue }
      if hasShortFormats { reader.skip(3) } else if reader.latinText() == "-->" { continue }
      guard let kind = reader.number(bytes: 1) else { continue }
      _ = reader.text()
      guard !reader.isEmpty else { continue }
      let start = bytes.count - reader.remainder.count
      let picture = TagPicture(kind: kind) {
        self.bytes(of: frame, limit: CoverInfo.maximumSize + start).map { Array($0.dropFirst(start)) } ?? []
      }
      if picture.isBetter(than: chosen) { chosen = picture }
    }
    return chosen
  }

  private static let maximumLines = 4096
  private static let maximumPictures = 64
  /// The maximum size of the description before a picture in bytes.
  private static let maximumDescriptionSize = 8192
}

/// A picture in a tag. Its bytes are read on demand.
struct TagPicture {
  /// The type of the picture as in ID3v2's frame APIC.
  let kind: Int
  let bytes: () -> [UInt8]

  var isFront: Bool { kind == 3 }

  /// Returns whether this picture is preferred to `other`. Icons (types 1 and 2) are not covers. The front cover is
  /// preferred to all others, and otherwise the first picture.
  func isBetter(than other: TagPicture?) -> Bool {
    if kind == 1 || kind == 2 { return false }
    guard let other else { return true }
    return isFront && !other.isFront
  }
}
