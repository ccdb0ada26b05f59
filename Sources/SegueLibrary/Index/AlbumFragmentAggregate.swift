// On the thread "index" only.

internal import SegueSystem

/// What the tracks of a part have in common.
struct AlbumFragmentAggregate {
  private(set) var trackCount: Int64 = 0
  /// Nanoseconds; what is unknown counts as none.
  private(set) var duration: Int64 = 0
  /// Bit n for disc n; the last stands for all beyond.
  private(set) var discs: UInt64 = 0
  private(set) var added = Int64.max
  /// The first track that has a picture, else the first.
  private(set) var art: Int64?
  private(set) var hasArt = false
  private(set) var artists: Set<Int64> = []
  private(set) var genres: Set<Int64> = []
  /// The album's artist as its tracks write him; nil for a compilation.
  private(set) var artist: String?
  /// Folded; `NameNormalization.various` for a compilation.
  private(set) var artistFold: String
  /// A compilation that nothing but its folder holds together.
  private(set) var isScattered = false
  /// What all agree on that name one.
  private(set) var release: String?
  /// What most have; 0 if none has any.
  private(set) var year = 0

  /// `artistFold`: what the tracks call the album's artist, empty if they name none.
  init(_ part: Int64, _ artistFold: String, _ writer: LibraryWriter) throws(StoreError) {
    self.artistFold = artistFold
    let rows = try writer.connection.statement(
      """
      SELECT id, place, artist, artists, album_artist, genre, year, duration, added, flags, release
      FROM track WHERE part = ? ORDER BY place, id
      """)
    rows.bind(1, part)
    defer { rows.reset() }
    var years: [Int: Int] = [:]
    var leaders: [String: String] = [:]
    var releases: Set<String> = []
    var names: Set<String> = []
    var genreNames: Set<String> = []
    while try rows.step() {
      trackCount += 1
      duration = MediaTime.sum(duration, rows.integer(7) ?? 0)
      discs |= 1 << min(63, UInt64((rows.integer(1) ?? 0) >> 32))
      added = min(added, rows.integer(8) ?? 0)
      let hasCover = TrackRow.Flags(rawValue: rows.integer(9) ?? 0).contains(.hasCover)
      if art == nil || (hasCover && !hasArt) { (art, hasArt) = (rows.integer(0), hasCover) }
      if let year = rows.integer(6), year != 0 { years[Int(year), default: 0] += 1 }
      if let release = rows.text(10) { releases.insert(release) }
      for genre in rows.text(5).map(TextList.values) ?? [] where !genre.isEmpty { genreNames.insert(genre) }

      let written = rows.text(2)
      let several = rows.text(3).map(TextList.values) ?? written.map { [$0] } ?? []
      names.formUnion(several)
      let albumArtist = rows.text(4)
      if let albumArtist { names.insert(albumArtist) }
      if artist == nil, !artistFold.isEmpty { artist = albumArtist }
      if leaders.count < 2, let first = several.first ?? written {
        let fold = NameNormalization.fold(first)
        let leader = NameNormalization.leader(fold)
        // The shortest way to write him is the one without guests.
        if leaders[leader] == nil || leader == fold { leaders[leader] = first }
      }
    }
    for name in names {
      let id = try writer.knownArtist(name)
      if id != 0 { artists.insert(id) }
    }
    for name in genreNames { genres.insert(try writer.genre(name)) }
    release = releases.count == 1 ? releases.first : nil
    // Of equally frequent ones the earliest.
    year = years.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
    if artistFold.isEmpty { settleArtist(leaders) }
    if self.artistFold == NameNormalization.various { artist = nil }
  }

  /// No track names the album's artist: it is the one they all have, or a compilation.
  private mutating func settleArtist(_ leaders: [String: String]) {
    switch leaders.count {
    case 0: (artistFold, isScattered) = ("", true)
    case 1: (artistFold, artist) = (leaders.first?.key ?? "", leaders.first.map { $0.value })
    default: (artistFold, isScattered) = (NameNormalization.various, true)
    }
  }
}

extension MediaTime {
  /// Returns the sum of two durations in nanoseconds, each of which a file may state at will, limited to `maximum`.
  static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    min(a.clamped(to: 0...maximum.nanoseconds) + b.clamped(to: 0...maximum.nanoseconds), maximum.nanoseconds)
  }
}
