internal import SegueFrontend
internal import SegueSystem
internal import SegueWire

/// The options of a verb that asks the online catalogues.
struct CatalogOptions {
  /// The maximum number of items of a page; the daemon returns no more.
  static let maximumLimit = 200
  static let maximumPage = 1_000_000
  /// The options that only a request to a catalogue has. `search` and `genres` accept them together with `--online`.
  static let onlineOnly: [VerbOption.Name] = [
    .kind, .provider, .country, .limit, .page, .tiles,
  ]

  private(set) var kind: Item.Kind?
  private(set) var provider: String?
  private(set) var country: String?
  private var genre: String?
  private(set) var limit: Int?
  private(set) var page = 1
  private(set) var refresh = false
  private(set) var tiles = false

  /// Reads the options. Throws a usage error if the limit is too high.
  init(_ options: [VerbOption]) throws(ClientError) {
    for option in options {
      switch option {
      case .kind(let kind): self.kind = kind
      case .provider(let name): provider = name
      case .country(let code): country = code
      case .genre(let name): genre = name
      case .limit(let number):
        guard number <= Self.maximumLimit else {
          throw VerbOption.invalidNumber("\(number)", .limit, in: 1...Self.maximumLimit)
        }
        limit = number
      case .page(let number): page = number
      case .refresh: refresh = true
      case .tiles: tiles = true
      case .follow, .output, .format, .placement, .replace, .size, .watch, .loudness, .show, .track, .online, .number,
        .sort, .reverse, .cancel, .plain, .checkConfiguration:
        break
      }
    }
  }

  /// Encodes the genre if one is given. `all` means that items of all genres are listed.
  func encodeGenre(into json: inout JSONWriter) {
    guard let genre else { return }
    json.member("genre", genre == "all" ? nil : genre)
  }

  /// Encodes the parameters for a page. `standardLimit` is the limit that the method has by default.
  func encodePage(into json: inout JSONWriter, standardLimit: Int) {
    if let provider { json.member("provider", provider) }
    if let country { json.member("country", country) }
    if page > 1 { json.member("offset", (page - 1) * (limit ?? standardLimit)) }
    if let limit { json.member("limit", limit) }
    if refresh { json.member("refresh", true) }
  }
}

extension Item.Kind {
  /// Parses the name of a kind in the singular or plural, such as `film` or `films`. Throws a usage error.
  init(parsing text: String) throws(ClientError) {
    let word = text.lowercased()
    let known = Self.allCases.map(\.rawValue)
    if let kind = Self(rawValue: word) ?? Self.allCases.first(where: { $0.plural == word }) {
      self = kind
    } else {
      throw .usage(
        tr("unknown kind “%1$s”: use one of %2$s", text, known.joined(separator: ", ")),
        hints: EditDistance.nearest(to: word, in: known).map { [tr("did you mean %1$s?", $0)] } ?? [])
    }
  }
}
