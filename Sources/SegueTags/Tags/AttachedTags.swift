// Thread: the decoding thread.
internal import SegueFFmpeg

/// The tags before or after the audio, or in chunks: ID3v2, APE and ID3v1 tags, and the texts of RIFF, AIFF, DSDIFF and
/// ASF.
struct AttachedTags {
  private let file: FileInput
  private let id3v2: [ID3v2Tag]
  private let ape: APETag?
  private let id3v1: ID3v1Tag?
  private let chunks: ChunkedFile?
  private let asf: ASFTag?
  /// The position of a FLAC stream; nil in all other formats.
  private let flacStart: Int64?

  /// Returns nil if `format` has no such tags.
  init?(_ file: FileInput, _ format: FileFormat) {
    self.file = file
    asf = format.kind == .asf ? file.readingTags { ASFTag(file) } : nil
    flacStart = format.kind == .flac ? format.audioStart : nil
    switch format.kind {
    case .mpeg, .trueAudio, .monkeysAudio, .musepack, .wavPack, .flac:
      id3v2 = file.readingTags { Self.leading(file) }
      (ape, id3v1) = file.readingTags { Self.trailing(file) }
      chunks = nil
    case .dsf:
      id3v2 = file.readingTags { ID3v2Tag(file, at: format.tagStart).map { [$0] } ?? [] }
      (ape, id3v1, chunks) = (nil, nil, nil)
    case .wave, .aiff, .dsdiff:
      let found = ChunkedFile(file, format)
      chunks = found
      id3v2 = file.readingTags { found?.id3v2Tags ?? [] }
      (ape, id3v1) = (nil, nil)
    case .asf: (id3v2, ape, id3v1, chunks) = ([], nil, nil, nil)
    case .vorbis, .opus, .speex, .oggFLAC, .mp4: return nil
    }
  }

  /// Returns the leading tags. Several tags in sequence are an error, but such files exist.
  private static func leading(_ file: FileInput) -> [ID3v2Tag] {
    var tags: [ID3v2Tag] = []
    var position: Int64 = 0
    for _ in 0..<FileFormat.maximumLeadingTags {
      guard let header = ID3v2Tag.Header(file, at: position) else { break }
      if let tag = ID3v2Tag(file, at: position) { tags.append(tag) }
      position = header.end
    }
    return tags
  }

  /// Returns the trailing tags. An ID3v1 tag should be the last one, but in some files an APE tag or Lyrics3 follows
  /// it.
  private static func trailing(_ file: FileInput) -> (APETag?, ID3v1Tag?) {
    guard var end = file.size else { return (nil, nil) }
    var (ape, id3v1) = (APETag?.none, ID3v1Tag?.none)
    for _ in 0..<3 {
      if id3v1 == nil, let tag = ID3v1Tag(file, endingAt: end) {
        id3v1 = tag
        end -= ID3v1Tag.size
      } else if ape == nil, let tag = APETag(file, endingAt: end) {
        ape = tag
        end = tag.start
      } else if let size = lyrics3Size(file, endingAt: end) {
        end -= size
      } else {
        break
      }
    }
    return (ape, id3v1)
  }

  /// Returns the size of a Lyrics3 2.00 tag, before which other tags may be; nil if none ends at `end`.
  private static func lyrics3Size(_ file: FileInput, endingAt end: Int64) -> Int64? {
    let footer = file.bytes(at: end - 15, count: 15)
    guard footer.suffix(9).elementsEqual("LYRICS200".utf8),
      let size = Int64(String(decoding: footer.prefix(6), as: UTF8.self)), (0...end - 15).contains(size)
    else { return nil }
    return size + 15
  }

  /// Adds all texts to `values`, with ranks from `rank` on.
  func collect(into values: inout TagValues, rank: Int) {
    // The headers may have used up the limit. The texts that were found are read nevertheless.
    file.resetTagLimit()
    file.readingTags {
      for (index, tag) in id3v2.enumerated() { tag.collect(into: &values, rank: rank + 2 * index) }
      let next = rank + 2 * FileFormat.maximumLeadingTags
      chunks?.collect(into: &values, rank: next)
      asf?.collect(into: &values, rank: next)
      ape?.collect(into: &values, rank: next)
      id3v1?.collect(into: &values, rank: next + 1)
    }
  }

  func picture() -> TagPicture? {
    var chosen: TagPicture?
    for picture in file.readingTags({ id3v2.map { $0.picture() } + [ape?.picture()] }) {
      if let picture, picture.isBetter(than: chosen) { chosen = picture }
    }
    return chosen
  }

  /// The cue sheet in a metadata block of FLAC; nil if there is none.
  var cueSheet: String? { flacStart.flatMap { start in file.readingTags { FLACCueSheet(file, at: start)?.text } } }

  var chapters: [ID3v2Tag.TimedText] {
    file.readingTags { id3v2.lazy.map(\.chapters).first { !$0.isEmpty } ?? [] }
  }

  var timedLyrics: [ID3v2Tag.TimedText] {
    file.readingTags { id3v2.lazy.map(\.timedLyrics).first { !$0.isEmpty } ?? [] }
  }
}

/// An ID3v1 tag. Its texts have at most 30 bytes, in a charset that it does not name.
private struct ID3v1Tag {
  /// The size of the tag in bytes.
  static let size: Int64 = 128

  private let bytes: [UInt8]

  /// Returns nil if no tag ends at `end` of `file`.
  init?(_ file: FileInput, endingAt end: Int64) {
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
