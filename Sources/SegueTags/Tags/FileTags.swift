// Thread: the decoding thread.
package import SegueFFmpeg
internal import SegueSystem
package import SegueWire
internal import SegueWorkerProtocol

/// The tags of a file or stream, which are the same for the library and for playback.
package struct FileTags {
  private let values: TagValues
  /// The file as TagLib read it; nil if TagLib does not support the format, or is not needed for it.
  private let file: TagLibFile?
  private let attached: AttachedTags?
  /// Whether a picture was found without TagLib.
  private let hasPicture: Bool

  /// Combines the headers that were read without TagLib with the attached tags.
  init(_ header: CommentHeader, _ attached: AttachedTags?) {
    var values = TagValues()
    header.collect(into: &values)
    attached?.collect(into: &values, rank: 1)
    values.decodeBytes()
    self.values = values
    self.attached = attached
    file = nil
    hasPicture = header.hasPicture
  }

  /// Combines the tags that TagLib read with the attached tags. TagLib drops texts that are not UTF-8, and its tags are
  /// not used if it exceeded its limits. In both cases, calls `demuxer` and uses its tags, too.
  init(
    _ file: TagLibFile?, _ attached: AttachedTags?, _ format: FileFormat, demuxer: () throws(MediaError) -> Demuxer
  ) throws(MediaError) {
    var values = TagValues()
    file?.collect(into: &values)
    let file = file?.isExhausted == true ? nil : file
    if file == nil { values = TagValues() }
    attached?.collect(into: &values, rank: 1)
    if values.hasDroppedTexts || file == nil && format.needsTagLib { try values.collect(demuxer()) }
    values.decodeBytes()
    self.values = values
    self.file = file
    self.attached = attached
    hasPicture = false
  }

  /// Uses only the tags that libavformat found.
  package init(_ demuxer: Demuxer) {
    var values = TagValues()
    values.collect(demuxer)
    values.decodeBytes()
    self.values = values
    (file, attached) = (nil, nil)
    hasPicture = false
  }

  /// Reads an ID3v2 tag in the timed metadata of a stream. Returns nil if `bytes` are no tag.
  package init?(id3 bytes: [UInt8]) {
    guard let tag = ID3v2Tag(FileInput(MemoryBytes(bytes)), at: 0) else { return nil }
    var values = TagValues()
    tag.collect(into: &values, rank: 0)
    values.decodeBytes()
    self.values = values
    (file, attached) = (nil, nil)
    hasPicture = false
  }

  /// Reads the comments (Vorbis I, 5) of a stream.
  package init(comments: [UInt8]) { self.init(CommentHeader(comments: comments), nil) }

  /// Returns the tags of an open source from the best reader of its format.
  package static func of(_ demuxer: Demuxer) throws(MediaError) -> FileTags {
    demuxer.file?.resetTagLimit()
    guard let source = demuxer.file, let format = FileFormat(source) else { return FileTags(demuxer) }
    let attached = AttachedTags(source, format)
    if let header = CommentHeader(source, format) { return FileTags(header, attached) }
    return try FileTags(TagLibFile(source, format, audio: false), attached, format) { () throws(MediaError) in demuxer }
  }

  package var metadata: Metadata {
    var result = Metadata()
    result.title = values.text(.title)
    let artists = values.has(.artist) ? values.texts(.artist) : values.texts(.author)
    let named = values.texts(.artists)
    result.artists = named.isEmpty ? artists : named
    result.artist = artists.isEmpty ? named.isEmpty ? nil : Self.joined(named) : Self.joined(artists)
    result.album = values.text(.album)
    result.albumArtist = Self.joined(values.texts(.albumArtist))
    result.composer = Self.joined(values.texts(.composer))
    result.genre = values.texts(.genre)
    result.date =
      values.text(.date) ?? values.text(.releaseDate) ?? values.text(.originalDate) ?? values.text(.originalYear)
    result.year = result.date.flatMap(Self.year)
    (result.track, result.trackTotal) = numbers(.track, total: .trackTotal)
    (result.disc, result.discTotal) = numbers(.disc, total: .discTotal)
    result.stream = values.text(.streamTitle)
    return result.bounded
  }

  var details: TagDetails {
    var result = TagDetails()
    result.originalDate = values.text(.originalDate) ?? values.text(.originalYear)
    let albumArtists = values.texts(.albumArtist)
    if albumArtists.count > 1 { result.albumArtists = albumArtists }
    let composers = values.texts(.composer)
    if composers.count > 1 { result.composers = composers }
    result.conductors = values.texts(.conductor)
    result.works = values.texts(.work)
    result.compilation = values.text(.compilation).map(Self.isTrue) ?? false
    result.titleSort = values.text(.titleSort)
    result.artistSort = Self.joined(values.texts(.artistSort))
    result.albumSort = values.text(.albumSort)
    result.albumArtistSort = Self.joined(values.texts(.albumArtistSort))
    result.musicBrainz = MusicBrainzIDs(
      track: values.text(.trackID), release: values.text(.releaseID), releaseGroup: values.text(.releaseGroupID),
      artists: values.texts(.artistID).flatMap(Self.listed),
      albumArtists: values.texts(.albumArtistID).flatMap(Self.listed))
    result.gain = gain
    return result.bounded
  }

  package var gain: ReplayGain { values.gain }

  var iTunSMPB: GaplessTag? { values.raw(.gapless).flatMap(GaplessTag.init(iTunSMPB:)) }

  package var hasCover: Bool { hasPicture || file?.hasPicture == true || attached?.picture() != nil }

  /// Calls `body` with the bytes of the cover, if there is one. If TagLib did not read the file, only covers of
  /// attached tags are available.
  package func withCover<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    if let file, file.hasPicture { return file.withPicture(body) }
    return attached?.picture()?.bytes().withUnsafeBytes(body)
  }

  var hasLyrics: Bool { values.has(.lyrics) || values.has(.syncedLyrics) }

  /// The lyrics, with times if the file states them.
  package var lyrics: String? {
    let sung = attached?.timedLyrics ?? []
    let text: String?
    if !sung.isEmpty {
      let charset = Charset.common(to: sung.map(\.text))
      text = sung.map { LRCLine.written(charset.text(of: $0.text).trimmed, at: $0.time) }.joined(
        separator: "\n")
    } else {
      text = values.raw(.syncedLyrics).flatMap { $0 == "1" ? nil : $0 } ?? values.raw(.lyrics)
    }
    return text.map { TagText.cleanedLines($0).truncated(to: WorkerResponse.maximumLyricsSize) }.flatMap {
      $0.isEmpty ? nil : $0
    }
  }

  /// The cue sheet in the tags or, if there is none, in a metadata block of FLAC. One that is too long for a disc is
  /// ignored.
  var cueSheet: String? {
    (values.raw(.cueSheet).map(TagText.cleanedLines) ?? attached?.cueSheet).flatMap {
      $0.isEmpty || $0.utf8.count > FileFacts.maximumCueSheetSize ? nil : $0
    }
  }

  /// The chapters of ID3v2 or of Vorbis comments.
  var chapters: [Chapter] {
    guard values.has(.chapters), let attached else { return values.commentChapters }
    let found = attached.chapters
    let charset = Charset.common(to: found.map(\.text))
    return found.map {
      Chapter(title: TagText.cleaned(charset.text(of: $0.text)), start: .init(nanoseconds: Int64($0.time) * 1_000_000))
    }
  }

  /// Returns the chapters of the tags or, if there are none, of the container. A single chapter is ignored.
  package func chapters(or demuxer: Demuxer?) -> [Chapter] {
    var found = chapters
    if found.isEmpty, let demuxer { found = demuxer.chapters }
    return found.count < 2 ? [] : Chapter.bounded(found)
  }

  private static func joined(_ values: [String]) -> String? {
    values.isEmpty ? nil : values.count == 1 ? values[0] : values.joined(separator: ", ")
  }

  /// Returns the numbers in texts such as "3" and "3/12", and the total of a separate tag.
  private func numbers(_ field: TagField, total: TagField) -> (Int?, Int?) {
    let parts = values.text(field)?.split(separator: "/", maxSplits: 1) ?? []
    return (
      parts.first.flatMap(Self.number),
      (parts.count > 1 ? Self.number(parts[1]) : nil) ?? values.text(total).flatMap(Self.number)
    )
  }

  private static func number(_ text: some StringProtocol) -> Int? {
    Int(text.trimmed).flatMap { (1...99_999).contains($0) ? $0 : nil }
  }

  private static func isTrue(_ text: String) -> Bool {
    Int(text).map { $0 != 0 } ?? ["true", "yes"].contains(text.lowercased())
  }

  /// Returns the identifiers in a text. Some programs write several identifiers into one text.
  private static func listed(_ text: String) -> [String] {
    text.utf8.count == 36 ? [text] : text.split { $0 == ";" || $0 == "/" || $0 == "," || $0 == " " }.map(String.init)
  }

  /// Returns the first four consecutive digits, as in "1999-03-01" and "01.03.1999".
  private static func year(_ date: String) -> Int? {
    var digits = 0
    var value = 0
    for byte in date.utf8 {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
        digits = 0
        value = 0
        continue
      }
      digits += 1
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      if digits == 4 { return value == 0 ? nil : value }
    }
    return nil
  }
}

/// A line of an LRC file.
private enum LRCLine {
  /// Returns a line of an LRC file. `time` is in milliseconds, and is written in hundredths of a second.
  static func written(_ words: String, at time: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let hundredths = time / 10
    return "[\(two(hundredths / 6000)):\(two(hundredths / 100 % 60)).\(two(hundredths % 100))]\(words)"
  }
}

/// Bytes that are read like those of a file.
private final class MemoryBytes: RemoteBytes {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var size: Int64? { Int64(bytes.count) }
  var isSeekable: Bool { true }

  func read(at position: Int64, into target: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
    let rest = bytes.dropFirst(Int(clamping: position)).prefix(target.count)
    target.copyBytes(from: rest)
    return rest.count
  }
}
