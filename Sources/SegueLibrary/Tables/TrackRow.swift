internal import SegueFiles
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

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

  /// The id, or 0 for a row that is not written yet.
  var id: Int64 = 0
  var folder: Int64 = 0
  var name: [UInt8] = []
  var range: CueRange?
  var stamp: FileStamp
  var added = UnixTime(nanoseconds: 0)
  var fragment: Int64 = 0
  /// The disc and the track number, by which the tracks of a fragment are sorted.
  var albumPosition: Int64 = 0
  var mainArtist: Int64 = 0
  /// The rating, 0…10, or `unrated`.
  var rating = Int64(unrated)
  var titleKey: [UInt8]
  var metadata: Metadata
  var duration: MediaTime?
  var kind: DurationKind
  var audio: Audio
  var flags: Flags
  /// The MusicBrainz id of the release.
  var release: String?
  /// The `TrackDetails` as JSON, or nil if they are empty.
  var details: String?
  /// The version of the facts (`FileFacts.version`) from which the row was made.
  var factsVersion: Int64
  /// The digest of the audio of the file (`FileFacts.audioDigest`).
  var audioDigest: UInt64?
  /// A hash of the MusicBrainz id of the recording.
  var recording: UInt64?

  /// The album artists, if there are several.
  var albumArtists: [String] = []
  /// The composers, if there are several.
  var composers: [String] = []
  var conductors: [String] = []
  /// The works of which the track is a part.
  var works: [String] = []

  /// The artists of the track, and then those of the album, without duplicates. The first one is the artist by which
  /// the track is sorted.
  var artists: [String] { metadata.people(albumArtists) }

  /// The genres of the track without duplicates.
  var genres: [String] {
    if metadata.genre.count == 1, !metadata.genre[0].isEmpty { return metadata.genre }
    var seen: Set<String> = []
    return metadata.genre.filter { !$0.isEmpty && seen.insert(NameNormalization.fold($0)).inserted }
  }

  /// The text by which the search finds the track.
  var searchText: SearchText {
    SearchText(
      metadata, TrackCredits(metadata.composer, composers, conductors, works), name, codec: audio.codec,
      container: audio.container)
  }
}

extension TrackRow {
  /// Returns the rows of a file in `folder`: one, or one for each track of its cue sheet. `TrackTable` sets the album
  /// fragment and the artists.
  static func rows(of file: ScannedFile, _ facts: FileFacts, in folder: Int64, added: UnixTime) -> [TrackRow] {
    guard !file.cueTracks.isEmpty else {
      return [TrackRow(file, facts, facts.info.metadata, facts.sortKeys, TrackDetails(facts), folder, added)]
    }
    return file.cueTracks.map { track in
      var details = TrackDetails(facts)
      guard let range = track.range else {
        let metadata = facts.info.metadata.filled(from: track.metadata)
        details.tags.gain = details.tags.gain.filled(from: track.gain)
        return TrackRow(file, facts, metadata, file.sortKeys(of: metadata, facts), details, folder, added)
      }
      var whole = facts.info.metadata
      // The title and number of the file are not those of the track.
      (whole.title, whole.track) = (nil, nil)
      let metadata = track.metadata.filled(from: whole)
      details.chapters = []
      details.tags.gain = track.gain.filled(from: details.tags.gain)
      var row = TrackRow(file, facts, metadata, track.sortKeys, details, folder, added)
      row.range = range
      let rest = facts.info.duration.map { max($0 - range.startTime, .zero) }
      row.duration = range.duration ?? rest
      // The sheet may belong to another edition of the disc, or the file may be incomplete.
      if let rest, let duration = row.duration, facts.info.durationKind == .exact { row.duration = min(duration, rest) }
      return row
    }
  }

  /// Returns the row of the track after its file was moved. A track without a title is sorted by the new name.
  func moved(to folder: Int64, _ name: [UInt8]) -> TrackRow {
    var row = self
    (row.folder, row.name) = (folder, name)
    if metadata.title == nil, name != self.name {
      row.titleKey = SortKeys.provisionalKey(of: FilePath(bytes: name).stem)
    }
    return row
  }

  private init(
    _ file: ScannedFile, _ facts: FileFacts, _ metadata: Metadata, _ keys: SortKeys, _ details: TrackDetails,
    _ folder: Int64, _ added: UnixTime
  ) {
    self.folder = folder
    self.added = added
    name = Array(file.path.lastComponent)
    stamp = file.stamp
    self.metadata = metadata
    titleKey = keys.title.isEmpty ? SortKeys.provisionalKey(of: metadata.title ?? file.path.stem) : keys.title
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
    audioDigest = facts.audioDigest
    albumArtists = facts.details.albumArtists
    // A cue sheet may name other composers.
    if metadata.composer == facts.info.metadata.composer { composers = facts.details.composers }
    (conductors, works) = (facts.details.conductors, facts.details.works)
    recording = facts.details.musicBrainz.track.map { StableHash.hash(Array($0.utf8)) }
  }
}

/// The people and works of a track that are neither its artists nor its title.
struct TrackCredits {
  private(set) var composers: [String]
  private(set) var conductors: [String]
  private(set) var works: [String]

  /// Creates the credits from the composers as one text, and from the columns of the table `track`.
  init(_ composer: String?, _ composers: [String], _ conductors: [String], _ works: [String]) {
    func named(_ names: [String]) -> [String] { names.filter { !NameNormalization.isBlank($0) } }
    self.composers = named(composers.isEmpty ? composer.map { [$0] } ?? [] : composers)
    (self.conductors, self.works) = (named(conductors), named(works))
  }

  /// Reads the columns composer, composers, conductors and works of a row.
  init(_ row: SQLiteStatement, composer: Int32, lists: Int32) {
    func list(_ column: Int32) -> [String] { row.text(column).map(TextList.values) ?? [] }
    self.init(row.text(composer), list(lists), list(lists + 1), list(lists + 2))
  }

  /// Returns the names of a tag; none of a tag that has nothing to do with credits.
  func names(_ tag: LibraryTag) -> [String] {
    switch tag {
    case .composer: composers
    case .conductor: conductors
    case .work: works
    case .albumArtist, .genre, .year, .decade: []
    }
  }
}

extension Metadata {
  /// Returns the artists and then the album artists, without duplicates. `several`: the album artists, if there are
  /// several.
  func people(_ several: [String] = []) -> [String] {
    var names = artists.isEmpty ? artist.map { [$0] } ?? [] : artists
    if !several.isEmpty {
      names += several.filter { !NameNormalization.isVarious(NameNormalization.fold($0)) }
    } else if let albumArtist {
      // This is the case for most tracks.
      if names == [albumArtist] { return NameNormalization.isBlank(albumArtist) ? [] : names }
      if !NameNormalization.isVarious(NameNormalization.fold(albumArtist)) { names.append(albumArtist) }
    }
    names.removeAll(where: NameNormalization.isBlank)
    if names.count < 2 { return names }
    var seen: Set<String> = []
    return names.filter { seen.insert(NameNormalization.fold($0)).inserted }
  }
}
