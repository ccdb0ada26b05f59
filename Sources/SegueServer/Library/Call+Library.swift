// Thread: the loop; what `answer` is given runs on the thread that reads the index, and so does the writing of JSON.

internal import SegueLibrary
internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

extension Call {
  var library: MusicLibrary { player.library }

  /// Answers with what `body` reads of the index.
  func answer<Value: JSONEncodable>(
    reading body: @escaping @Sendable (LibraryReader) throws(StoreError) -> Result<Value, Failure>
  ) {
    let reply = reply
    library.read({ reader throws(StoreError) in try body(reader).map { EncodedJSON($0) } }, then: { reply.answer($0) })
  }

  /// The same, where there is nothing to refuse.
  func answer<Value: JSONEncodable>(
    with body: @escaping @Sendable (LibraryReader) throws(StoreError) -> Value
  ) {
    answer(reading: { reader throws(StoreError) in .success(try body(reader)) })
  }

  // MARK: Parameters that many methods have

  /// `offset` and `limit`.
  func page(limit: Int = 1_000) -> PageRequest {
    PageRequest(offset: integer("offset") ?? 0, limit: min(integer("limit") ?? limit, 1_000))
  }

  var order: SortOrder { word("order") ?? .ascending }

  /// What is to be seen of a list, as far as the method has parameters for it.
  func filter() throws(Failure) -> LibraryFilter {
    var filter = LibraryFilter()
    func has(_ name: String) -> Bool { method.parameters.contains { $0.name == name } }
    filter.artist = self["artist"]?.integer
    if has("album") { filter.album = self["album"]?.integer }
    filter.genre = string("genre")
    if let year = self["year"] { filter.years = try years(year) }
    if has("format") { filter.format = string("format") }
    if let time = time("addedWithin") {
      filter.addedSince = UnixTime(nanoseconds: UnixTime.now.nanoseconds - time.nanoseconds)
    }
    if has("rating"), let least = integer("rating") { filter.ratings = least...10 }
    filter.isFavorite = bool("favorite") ?? false
    return filter
  }

  /// `1990`, `"1990"`, `"1990..1999"`, `"1990.."`, `"..1999"`.
  private func years(_ json: JSON) throws(Failure) -> ClosedRange<Int> {
    if let year = json.int { return year...year }
    let text = json.string ?? ""
    let wrong = Failure(.invalidParams, "`\(method.name)` wants a year or \"1990..1999\" as `year`, not \"\(text)\"")
    guard let dots = text.range(of: "..") else {
      guard let year = Int(text) else { throw wrong }
      return year...year
    }
    let (first, last) = (text[..<dots.lowerBound], text[dots.upperBound...])
    // An unknown year is 0, and in no range.
    guard let from = first.isEmpty ? 1 : Int(first), let to = last.isEmpty ? 9_999 : Int(last), from <= to,
      !(first.isEmpty && last.isEmpty)
    else { throw wrong }
    return from...to
  }
}

extension Method.Parameter {
  static let offset = Method.Parameter(
    name: "offset", schema: .count, summary: "The first of them; beyond the end the page is empty.", defaultValue: "0")
  static let limit = limit(1_000)

  static func limit(_ standard: Int) -> Method.Parameter {
    Method.Parameter(
      name: "limit", schema: .integer(1...Int64.max), summary: "At most so many; over 1000 is taken as 1000.",
      defaultValue: "\(standard)")
  }

  static func sort(_ words: [String], _ standard: String) -> Method.Parameter {
    Method.Parameter(name: "sort", schema: .choice(words), summary: "By what.", defaultValue: "\"\(standard)\"")
  }

  static func order(_ standard: String? = "ascending") -> Method.Parameter {
    Method.Parameter(
      name: "order", schema: .choice(SortOrder.allCases.map(\.rawValue)),
      summary: standard == nil ? "Left out: the newest or the best first, titles from the front." : "Which end first.",
      defaultValue: standard.map { "\"\($0)\"" })
  }

  /// What all lists can be narrowed by.
  static let commonFilters: [Method.Parameter] = [
    .init(name: "artist", schema: .count, summary: "Where the artist of this id is heard."),
    .init(name: "genre", schema: .string, summary: "Of this genre, without regard to case."),
    .init(
      name: "year", schema: .either(.integer(0...9_999), .string), summary: "Of this year, or of \"1990..1999\"."),
    .init(
      name: "addedWithin", schema: .number(0...MediaTime.maximum.seconds),
      summary: "Found first in the last so many seconds."),
    .init(name: "favorite", schema: .boolean, summary: "true: favourites only."),
  ]

  /// What lists of tracks can be narrowed by, too.
  static let trackFilters: [Method.Parameter] =
    commonFilters + [
      .init(name: "album", schema: .count, summary: "Of the album of this id."),
      .init(name: "format", schema: .string, summary: "Of this codec or container, as `flac`."),
      .init(name: "rating", schema: .integer(0...10), summary: "Rated so or better."),
    ]

  static func uri(_ summary: String) -> Method.Parameter {
    Method.Parameter(name: "uri", schema: .string, summary: summary, isRequired: true)
  }
}
