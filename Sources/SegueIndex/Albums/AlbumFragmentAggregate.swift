// On the thread "index" only.

internal import SegueSQLite
internal import SegueSystem

/// The values that are computed from all tracks of an album fragment.
struct AlbumFragmentAggregate {
  private(set) var trackCount: Int64 = 0
  /// The duration in nanoseconds, in which unknown durations count as 0.
  private(set) var duration: Int64 = 0
  /// Bit n is set if the fragment has disc n. Bit 63 stands for all greater numbers.
  private(set) var discs: UInt64 = 0
  private(set) var added = Int64.max
  /// The first track with a picture, or else the first track.
  private(set) var art: Int64?
  private(set) var hasArt = false
  private(set) var artists: Set<Int64> = []
  private(set) var genres: Set<Int64> = []
  /// The album artist as the tracks write the name; nil for a compilation.
  private(set) var artist: String?
  /// The folded name of the album artist; `NameNormalization.various` for a compilation.
  private(set) var artistFold: String
  /// Whether only the folder makes the tracks an album: they have no album artist in common.
  private(set) var isBoundToFolder = false
  /// The release that all tracks that name one have in common.
  private(set) var release: String?
  /// The most frequent year, or 0 if no track has one.
  private(set) var year = 0

  /// Computes the values of the fragment `id`.
  ///
  /// - Parameter artistFold: The folded album artist of the tracks, which is empty if they name none.
  init(
    _ id: Int64, _ artistFold: String, _ artistTable: ArtistTable, _ genreTable: GenreTable,
    _ connection: SQLiteConnection
  ) throws(StoreError) {
    self.artistFold = artistFold
    let rows = try connection.statement(
      """
      SELECT id, place, artist, artists, album_artist, genre, year, duration, added, flags, release, album_artists
      FROM track WHERE part = ? ORDER BY place, id
      """)
    rows.bind(1, id)
    defer { rows.reset() }
    var years: [Int: Int] = [:]
    var leadArtists: [String: String] = [:]
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
      if let several = rows.text(11).map(TextList.values) {
        names.formUnion(several)
      } else if let albumArtist {
        names.insert(albumArtist)
      }
      if artist == nil, !artistFold.isEmpty { artist = albumArtist }
      if leadArtists.count < 2, let first = several.first ?? written {
        let fold = NameNormalization.fold(first)
        let leadArtist = NameNormalization.leadArtist(fold)
        // The name without guests is preferred.
        if leadArtists[leadArtist] == nil || leadArtist == fold { leadArtists[leadArtist] = first }
      }
    }
    for name in names {
      let id = try artistTable.id(of: name)
      if id != 0 { artists.insert(id) }
    }
    for name in genreNames { genres.insert(try genreTable.findOrInsert(name)) }
    release = releases.count == 1 ? releases.first : nil
    // Among equally frequent years, the earliest one counts.
    year = years.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
    if artistFold.isEmpty { deriveArtist(leadArtists) }
    // The tracks that named the album artist have gone.
    if artist == nil { artist = leadArtists[artistFold] ?? leadArtists.first?.value }
    if self.artistFold == NameNormalization.various { artist = nil }
  }

  /// Sets the album artist where no track names one: the artist that all tracks have in common, or "various".
  private mutating func deriveArtist(_ leadArtists: [String: String]) {
    switch leadArtists.count {
    case 0: (artistFold, isBoundToFolder) = ("", true)
    case 1: (artistFold, artist) = (leadArtists.first?.key ?? "", leadArtists.first.map { $0.value })
    default: (artistFold, isBoundToFolder) = (NameNormalization.various, true)
    }
  }
}
