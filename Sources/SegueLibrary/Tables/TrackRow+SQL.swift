internal import SegueFiles
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

extension TrackRow {
  /// The columns of the table in the order of `bind` and `init`.
  static let columns = """
    id, folder, name, range_start, range_end, device, inode, size, modified, added, part, place, main_artist, rating,
    year, title_key, title, artist, artists, album, album_artist, composer, genre, date, track, track_total, disc,
    disc_total, duration, kind, codec, container, sample_rate, channels, bit_depth, bit_rate, flags, release, details,
    facts_version, audio_digest, recording, album_artists, changed, composers, conductors, works
    """

  /// The statement that writes a row. It replaces the row with the same id.
  static let write = """
    INSERT OR REPLACE INTO track (\(columns))
    VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
    """

  func bind(to row: SQLiteStatement) {
    row.bind(1, id == 0 ? nil : id)
    row.bind(2, folder)
    row.bind(3, blob: name)
    row.bind(4, range?.start ?? -1)
    row.bind(5, range?.end)
    row.bind(6, Int64(bitPattern: stamp.device))
    row.bind(7, Int64(bitPattern: stamp.inode))
    row.bind(8, stamp.size)
    row.bind(9, stamp.modified)
    row.bind(10, added.nanoseconds)
    row.bind(11, fragment)
    row.bind(12, albumPosition)
    row.bind(13, mainArtist)
    row.bind(14, rating)
    row.bind(15, Int64(metadata.year ?? 0))
    row.bind(16, blob: titleKey)
    row.bind(17, metadata.title)
    row.bind(18, metadata.artist)
    // A list that equals `artist` is not stored twice.
    row.bind(19, metadata.artists == [metadata.artist] ? nil : TextList.text(of: metadata.artists))
    row.bind(20, metadata.album)
    row.bind(21, metadata.albumArtist)
    row.bind(22, metadata.composer)
    row.bind(23, TextList.text(of: metadata.genre))
    row.bind(24, metadata.date)
    row.bind(25, metadata.track.map(Int64.init))
    row.bind(26, metadata.trackTotal.map(Int64.init))
    row.bind(27, metadata.disc.map(Int64.init))
    row.bind(28, metadata.discTotal.map(Int64.init))
    row.bind(29, duration?.nanoseconds)
    row.bind(30, kind.rawValue)
    row.bind(31, audio.codec)
    row.bind(32, audio.container)
    row.bind(33, Int64(audio.sampleRate))
    row.bind(34, Int64(audio.channels))
    row.bind(35, audio.bitDepth.map(Int64.init))
    row.bind(36, audio.bitRate.map(Int64.init))
    row.bind(37, flags.rawValue | (audio.lossless ? Self.lossless : 0) | (audio.gapless == .exact ? Self.gapless : 0))
    row.bind(38, release)
    row.bind(39, details)
    row.bind(40, factsVersion)
    row.bind(41, audioDigest.map(Int64.init(bitPattern:)))
    row.bind(42, recording.map(Int64.init(bitPattern:)))
    row.bind(43, TextList.text(of: albumArtists))
    row.bind(44, stamp.changed)
    row.bind(45, TextList.text(of: composers))
    row.bind(46, TextList.text(of: conductors))
    row.bind(47, TextList.text(of: works))
  }

  /// The bits of the column `flags` that belong to `audio`.
  private static let lossless: Int64 = 1 << 16
  private static let gapless: Int64 = 1 << 17

  /// Creates a row from the result of a statement whose first columns are `columns`.
  init(_ row: SQLiteStatement) {
    let bits = row.integer(36) ?? 0
    var metadata = Metadata(row, from: 16)
    metadata.year = row.integer(14).flatMap { $0 == 0 ? nil : Int($0) }
    metadata.date = row.text(23)
    metadata.track = row.integer(24).map(Int.init)
    metadata.trackTotal = row.integer(25).map(Int.init)
    metadata.disc = row.integer(26).map(Int.init)
    metadata.discTotal = row.integer(27).map(Int.init)
    let start = row.integer(3) ?? -1
    self.init(
      id: row.integer(0) ?? 0, folder: row.integer(1) ?? 0, name: row.blob(2),
      range: start < 0 ? nil : CueRange(start: start, end: row.integer(4)),
      stamp: FileStamp(
        device: UInt64(bitPattern: row.integer(5) ?? 0), inode: UInt64(bitPattern: row.integer(6) ?? 0),
        size: row.integer(7) ?? 0, modified: row.integer(8) ?? 0, changed: row.integer(43) ?? 0),
      added: UnixTime(nanoseconds: row.integer(9) ?? 0), fragment: row.integer(10) ?? 0,
      albumPosition: row.integer(11) ?? 0,
      mainArtist: row.integer(12) ?? 0, rating: row.integer(13) ?? Int64(Self.unrated), titleKey: row.blob(15),
      metadata: metadata,
      duration: row.integer(28).map(MediaTime.init(nanoseconds:)),
      kind: row.text(29).flatMap(DurationKind.init) ?? .estimated,
      audio: Audio(
        codec: row.text(30) ?? "", container: row.text(31) ?? "", sampleRate: Int(row.integer(32) ?? 0),
        channels: Int(row.integer(33) ?? 0), bitDepth: row.integer(34).map(Int.init),
        bitRate: row.integer(35).map(Int.init), lossless: bits & Self.lossless != 0,
        gapless: bits & Self.gapless != 0 ? .exact : .approximate),
      flags: Flags(rawValue: bits & 0xFFFF), release: row.text(37), details: row.text(38),
      factsVersion: row.integer(39) ?? 0, audioDigest: row.integer(40).map(UInt64.init(bitPattern:)),
      recording: row.integer(41).map(UInt64.init(bitPattern:)), albumArtists: row.text(42).map(TextList.values) ?? [],
      composers: row.text(44).map(TextList.values) ?? [], conductors: row.text(45).map(TextList.values) ?? [],
      works: row.text(46).map(TextList.values) ?? [])
  }
}

extension Metadata {
  /// Creates metadata from the columns title, artist, artists, album, album_artist, composer and genre of a row, in
  /// this order from the column `first`.
  init(_ row: SQLiteStatement, from first: Int32) {
    self.init()
    title = row.text(first)
    artist = row.text(first + 1)
    artists = row.text(first + 2).map(TextList.values) ?? artist.map { [$0] } ?? []
    album = row.text(first + 3)
    albumArtist = row.text(first + 4)
    composer = row.text(first + 5)
    genre = row.text(first + 6).map(TextList.values) ?? []
  }
}
