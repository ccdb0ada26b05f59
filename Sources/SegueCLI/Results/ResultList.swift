internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The numbered results that a command printed last. The next command accepts the numbers instead of URIs.
struct ResultList {
  struct Result: Equatable {
    let uri: String
    /// The title and the artist, for messages.
    let title: String
  }

  /// The maximum number of results that are kept.
  static let maximumCount = 1_000
  /// The maximum size of the encoded list, in bytes.
  static let maximumSize = 1 << 20

  /// The number of the first result. Further pages of a list continue its numbers.
  let first: Int
  private(set) var results: [Result] = []
  /// The names of the playlists that were listed last. They keep their numbers for the verb `playlist`, which shows the
  /// entries of one before it changes them.
  var playlists: [String] = []
  /// Whether the results are playlists.
  var hasPlaylists: Bool { results.first.map { $0.uri.hasPrefix(PlaylistInfo.uriPrefix) } ?? false }
  /// Whether a list with other numbers was printed later, such as the queue. Then a number of `play` means an entry,
  /// and one of `album` and `artist` an id.
  var isSuperseded = false
  /// The number of bytes that the results occupy in the encoded list, at most.
  private var size = 0

  init(first: Int = 1) { self.first = first }

  /// The hint for a verb that accepts numbers of results only.
  static var standardHint: String { tr("segue search WORD   prints numbered results, which the next command accepts") }

  /// The number of the last result. It is below `first` if there are no results.
  var last: Int { first + results.count - 1 }

  /// Appends a result. Does nothing if the list is full.
  mutating func append(_ uri: String, _ title: String) {
    let title = title.truncated(to: 200, ellipsis: "")
    // A byte takes up to six when it is escaped.
    size += 6 * (uri.utf8.count + title.utf8.count) + 32
    guard results.count < Self.maximumCount, size < Self.maximumSize else { return }
    results.append(Result(uri: uri, title: title))
    if let name = PlaylistInfo.name(inURI: uri) { playlists.append(name) }
  }

  /// Returns the result with this number, or nil if there is none.
  subscript(number: Int) -> Result? {
    results.indices.contains(number - first) ? results[number - first] : nil
  }

  /// Returns the result with this number. Throws an error with the hint for this number if there is none.
  func result(_ number: Int, hint: (Int) -> String) throws(ClientError) -> Result {
    guard let result = self[number] else {
      throw ClientError(
        .failed,
        first == last
          ? tr(
            "there is no result %1$d: the list of results that was printed last has only the number %2$d", number, first
          )
          : tr(
            "there is no result %1$d: the list of results that was printed last has the numbers %2$d to %3$d", number,
            first, last),
        kind: Failure.Kind.outOfRange.rawValue, hints: [hint(number)])
    }
    return result
  }

  /// Returns the results of ranges whose ends all exist, with their numbers. Throws an error with the hint for the
  /// first number that does not exist.
  func results(
    _ ranges: [EntryRange], hint: (Int) -> String = { _ in standardHint }
  ) throws(ClientError) -> [(number: Int, result: Result)] {
    var found: [(number: Int, result: Result)] = []
    for range in ranges {
      let (low, high) = (range.first, range.last ?? range.first)
      _ = try (result(low, hint: hint), result(high, hint: hint))
      found += (low...high).map { ($0, results[$0 - first]) }
    }
    return found
  }
}

extension ResultList: JSONEncodable {
  func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("first", first)
    json.member("superseded", isSuperseded)
    json.member("results", results)
    json.member("playlists", playlists)
    json.endObject()
  }

  /// Reads a list. Returns nil if it has no results.
  init?(_ json: JSON) {
    self.init(first: (json["first"]?.int ?? 1).clamped(to: 1...EntryRange.maximum))
    for result in json["results"]?.elements ?? [] {
      append(result["uri"]?.string ?? "", result["title"]?.string ?? "")
    }
    playlists = Array(json.strings("playlists").prefix(Self.maximumCount))
    isSuperseded = json["superseded"]?.bool ?? false
    if results.isEmpty { return nil }
  }
}

extension ResultList.Result: JSONEncodable {
  func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("uri", uri)
    json.member("title", title)
    json.endObject()
  }
}
