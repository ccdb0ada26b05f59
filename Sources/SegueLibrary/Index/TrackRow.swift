internal import SegueLink
internal import SegueSystem
internal import SegueWire

/// A row of the table `track`.
struct TrackRow {
  struct Flags: OptionSet {
    let rawValue: Int64
    static let hasCover = Flags(rawValue: 1)
    static let hasLyrics = Flags(rawValue: 2)
    static let isCompilation = Flags(rawValue: 4)
    static let isSeekable = Flags(rawValue: 8)
  }

  static let unrated = -1

  /// 0 until it has one.
  var id: Int64 = 0
  var folder: Int64 = 0
  var name: [UInt8] = []
  var range: CueRange?
  var stamp: FileStamp
  var added = UnixTime(nanoseconds: 0)
  var part: Int64 = 0
  var place: Int64 = 0
  var mainArtist: Int64 = 0
  /// 0…10, or `unrated`.
  var rating = Int64(unrated)
  var titleKey: [UInt8]
  var metadata: Metadata
  var duration: MediaTime?
  var kind: DurationKind
  var audio: Audio
  var flags: Flags
  /// MusicBrainz' id of the release.
  var release: String?
  /// What is asked for of one track at a time: `TrackDetails` as JSON; nil if there is nothing in it.
  var details: String?
  /// See `FileFacts.version`.
  var factsVersion: Int64

  /// See `Metadata.people`.
  var artists: [String] { metadata.people }

  /// Its genres, each once.
  var genres: [String] {
    if metadata.genre.count == 1, !metadata.genre[0].isEmpty { return metadata.genre }
    var seen: Set<String> = []
    return metadata.genre.filter { !$0.isEmpty && seen.insert(NameNormalization.fold($0)).inserted }
  }

  /// What is found by searching.
  var searchText: SearchText { SearchText(metadata, name, codec: audio.codec, container: audio.container) }
}

extension TrackRow {
  /// The rows of a file: one, or one for each track of its cue sheet. Folder, part and artists are for the writer to
  /// find.
  static func rows(of file: ScannedFile, _ facts: FileFacts) -> [TrackRow] {
    let name = Array(file.path.lastComponent)
    guard !file.ranges.isEmpty else {
      return [TrackRow(name, file.stamp, facts, facts.info.metadata, facts.sortKeys, details: TrackDetails(facts))]
    }
    return file.ranges.map { track in
      var whole = facts.info.metadata
      // The file's own title and number are not this track's.
      (whole.title, whole.track) = (nil, nil)
      let metadata = track.metadata.filled(from: whole)
      var details = TrackDetails(facts)
      details.chapters = []
      var row = TrackRow(name, file.stamp, facts, metadata, track.sortKeys, details: details)
      row.range = track.range
      row.duration = track.range.duration ?? facts.info.duration.map { max($0 - track.range.startTime, .zero) }
      return row
    }
  }

  private init(
    _ name: [UInt8], _ stamp: FileStamp, _ facts: FileFacts, _ metadata: Metadata, _ keys: SortKeys,
    details: TrackDetails
  ) {
    self.name = name
    self.stamp = stamp
    self.metadata = metadata
    titleKey =
      keys.title.isEmpty ? SortKeys.byLetters(metadata.title ?? FilePath(bytes: name).stem) : keys.title
    duration = facts.info.duration
    kind = facts.info.durationKind
    audio = facts.info.audio
    var flags: Flags = []
    if facts.hasCover { flags.insert(.hasCover) }
    if facts.hasLyrics { flags.insert(.hasLyrics) }
    if facts.details.compilation { flags.insert(.isCompilation) }
    if facts.info.seekable { flags.insert(.isSeekable) }
    self.flags = flags
    release = facts.details.musicBrainz.release
    self.details = details.text
    factsVersion = FileFacts.version
  }
}

extension SortKeys {
  /// For texts that no worker made a key of: by letters alone, behind the others.
  static func byLetters(_ text: String) -> [UInt8] {
    [lettersMark] + Array(NameNormalization.fold(text).utf8.prefix(maximumKeySize - 1))
  }

  /// Above the first byte of every key of ICU's (which keeps 0xFE and 0xFF for itself).
  static let lettersMark: UInt8 = 0xFE
}
