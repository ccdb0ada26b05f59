// Thread: the loop. The closures that `respond` takes run on the thread that reads the index, where results are
// encoded.

internal import SegueIndex
internal import SeguePlayer
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

extension Call {
  var library: MusicLibrary { player.library }

  /// Responds with the result of `body`, which reads the index.
  func respond<Value: JSONEncodable>(
    reading body: @escaping @Sendable (LibraryReader) throws(StoreError) -> Result<Value, Failure>
  ) {
    let responder = responder
    library.read(
      { reader throws(StoreError) in try body(reader).map { EncodedJSON($0) } }, then: { responder.send($0) })
  }

  /// Responds with the value that `body` reads from the index.
  func respond<Value: JSONEncodable>(
    with body: @escaping @Sendable (LibraryReader) throws(StoreError) -> Value
  ) {
    respond(reading: { reader throws(StoreError) in .success(try body(reader)) })
  }

  // MARK: Parameters that several methods have

  /// The page that `offset` and `limit` select.
  func page(limit: Int = 1_000) -> PageRequest {
    PageRequest(offset: integer("offset") ?? 0, limit: min(integer("limit") ?? limit, 1_000))
  }

  var order: SortOrder { word("order") ?? .ascending }

  /// Returns the filter that the parameters of the method describe.
  func filter() throws(Failure) -> LibraryFilter {
    var filter = LibraryFilter()
    func has(_ name: String) -> Bool { method.parameters.contains { $0.name == name } }
    filter.artist = self["artist"]?.integer
    if has("album") { filter.album = self["album"]?.integer }
    filter.genre = string("genre")
    if let year = self["year"] { filter.years = try years(year) }
    if has("format") { filter.format = string("format") }
    if let time = time("addedWithin") {
      filter.addedSince = UnixTime.now - time
    }
    if has("rating"), let minimum = integer("rating") { filter.ratings = minimum...10 }
    filter.isFavorite = bool("favorite") ?? false
    return filter
  }

  /// Parses `1990`, `"1990"`, `"1990..1999"`, `"1990.."` or `"..1999"`.
  private func years(_ json: JSON) throws(Failure) -> ClosedRange<Int> {
    if let year = json.int { return year...year }
    let text = json.string ?? ""
    let invalid = Failure(
      .invalidParams, "`\(method.name)`: `year` must be a year or a range such as \"1990..1999\", not \"\(text)\""
    )
    guard let dots = text.range(of: "..") else {
      guard let year = Int(text) else { throw invalid }
      return year...year
    }
    let (first, last) = (text[..<dots.lowerBound], text[dots.upperBound...])
    // An unknown year is stored as 0. A range begins at 1 or later, so that it does not include unknown years.
    guard let from = first.isEmpty ? 1 : Int(first), let to = last.isEmpty ? 9_999 : Int(last), max(1, from) <= to,
      !(first.isEmpty && last.isEmpty)
    else { throw invalid }
    return max(1, from)...to
  }
}

extension Method.Parameter {
  static let offset = Method.Parameter(
    name: "offset", schema: .count, summary: "The index of the first item; the page is empty if it is beyond the end.",
    defaultValue: "0")
  static let limit = limit(1_000)

  static func limit(_ standard: Int) -> Method.Parameter {
    Method.Parameter(
      name: "limit", schema: .integer(1...Int64.max), summary: "The maximum number of items, at most 1000.",
      defaultValue: "\(standard)")
  }

  static func sort<Key: CaseIterable & RawRepresentable<String>>(_ standard: Key) -> Method.Parameter {
    Method.Parameter(
      name: "sort", schema: .choice(of: Key.self), summary: "The sort key.", defaultValue: "\"\(standard.rawValue)\"")
  }

  static func order(_ standard: String? = "ascending") -> Method.Parameter {
    Method.Parameter(
      name: "order", schema: .choice(of: SortOrder.self),
      summary: standard == nil ? "Default: newest or best first; titles in ascending order." : "The sort order.",
      defaultValue: standard.map { "\"\($0)\"" })
  }

  /// The filters of all lists.
  static let commonFilters: [Method.Parameter] = [
    .init(name: "artist", schema: .count, summary: "Only items of the artist with this id."),
    .init(name: "genre", schema: .string, summary: "Only this genre; case is ignored."),
    .init(
      name: "year", schema: .either(.integer(0...9_999), .string),
      summary: "Only this year, or a range such as \"1990..1999\"."),
    .init(
      name: "addedWithin", schema: .number(0...MediaTime.maximum.seconds),
      summary: "Only items that were added within this many seconds."),
    .init(name: "favorite", schema: .boolean, summary: "true: only favorites."),
  ]

  /// The filters of lists of tracks.
  static let trackFilters: [Method.Parameter] =
    commonFilters + [
      .init(name: "album", schema: .count, summary: "Only tracks of the album with this id."),
      .init(name: "format", schema: .string, summary: "Only this codec or container, such as `flac`."),
      .init(name: "rating", schema: .integer(0...10), summary: "Only tracks with at least this rating."),
    ]

  static func uri(_ summary: String) -> Method.Parameter {
    Method.Parameter(name: "uri", schema: .string, summary: summary, isRequired: true)
  }
}
