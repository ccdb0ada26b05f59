internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// The searchable text of a track. Several values of a field are in one text, separated by line feeds.
struct SearchText: Equatable {
  var title: String?
  /// The artists and the album artist.
  var artist: String?
  var album: String?
  var genre: String?
  var composer: String?
  var conductor: String?
  var work: String?
  /// The year, or 0 if it is unknown.
  var year = 0
  /// The names that `format:` finds: FFmpeg's short names of the codec and the container.
  var formats: [String] = []

  /// The texts whose words belong to the vocabulary.
  var names: [String?] { [title, artist, album, genre, composer, conductor, work] }

  /// The searchable text of an album.
  struct Album: Equatable {
    var title: String
    /// The album artist, or nil for a compilation.
    var artist: String?
    var genre: String?
    var composer: String?
    var conductor: String?
    var work: String?
    /// The year, or 0 if it is unknown.
    var year = 0
  }
}

/// The affinity of the user to a track, which the search uses for ranking: favorite, rating and plays.
struct TrackAffinity: Equatable {
  var isFavorite = false
  /// The rating, 0…10; 0 if there is none.
  var rating = 0
  /// The number of plays.
  var plays = 0

  /// The score by which equal results are ranked: favorites first, then by plays, then by rating.
  var score: Int64 { (isFavorite ? 1_000_000_000 : 0) + Int64(min(plays, 10_000_000)) * 20 + Int64(rating) }
}

extension SearchText {
  /// Returns a year as four digits.
  static func fact(year: Int) -> String {
    let digits = String(min(max(year, 0), 9999))
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }

  /// Returns the letters and digits of the name of a format, or nil if there are none.
  static func fact(format: String) -> String? {
    let name = format.lowercased().unicodeScalars.filter { ("a"..."z").contains($0) || ("0"..."9").contains($0) }
    return name.isEmpty ? nil : String(name)
  }

  static func fact(rating: Int) -> String { "r\(rating)" }
  static let favoriteFact = "isfavorite"

  /// Returns the text of the column `facts`, or nil if there are no facts.
  static func facts(_ year: Int, _ formats: [String], _ affinity: TrackAffinity? = nil) -> String? {
    var facts: [String] = []
    if year > 0 { facts.append(fact(year: year)) }
    for case let name? in formats.map(fact(format:)) where !facts.contains(name) { facts.append(name) }
    if let affinity {
      if affinity.rating > 0 { facts.append(fact(rating: affinity.rating)) }
      if affinity.isFavorite { facts.append(favoriteFact) }
    }
    if facts.isEmpty { return nil }
    return String(Unicode.Scalar(TokenExpander.factPrefix)) + facts.joined(separator: " ")
  }
}

extension SearchText {
  /// Creates the text of a track whose file has the name `name`.
  init(_ metadata: Metadata, _ credits: TrackCredits, _ name: [UInt8], codec: String, container: String) {
    var names = metadata.people()
    // A query may contain several artists as the file writes them.
    if metadata.artists.count > 1, let artist = metadata.artist { names.append(artist) }
    self.init(
      title: metadata.title ?? FilePath(bytes: name).stem, artist: Self.lines(names), album: metadata.album,
      genre: Self.lines(metadata.genre), composer: Self.lines(credits.composers),
      conductor: Self.lines(credits.conductors), work: Self.lines(credits.works),
      year: metadata.year ?? 0, formats: codec == container ? [codec] : [codec, container])
  }

  /// Returns several values as one text; nil if there are none.
  static func lines(_ values: [String]) -> String? { values.isEmpty ? nil : values.joined(separator: "\n") }

  /// The columns of the table `track` for `init(_:)`, starting with the column after the id.
  static let trackColumns =
    "name, title, artist, artists, album, album_artist, composer, genre, year, codec, container, composers, conductors, works"

  static let trackColumnCount = trackColumns.split(separator: ",").count

  /// Creates the text of a track from a row with the id and `trackColumns`.
  init(_ row: SQLiteStatement) {
    var metadata = Metadata(row, from: 2)
    metadata.year = row.integer(9).flatMap { $0 == 0 ? nil : Int($0) }
    let credits = TrackCredits(row, composer: 7, lists: 12)
    self.init(metadata, credits, row.blob(1), codec: row.text(10) ?? "", container: row.text(11) ?? "")
  }
}
