internal import SegueClientKit
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

  private(set) var kind: CatalogItem.Kind?
  private(set) var provider: String?
  private(set) var country: String?
  /// The genre; `.some(nil)` stands for items of all genres, nil for the standard one.
  private(set) var genre: String??
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
      case .genre(let name): genre = .some(name == "all" ? nil : name)
      case .limit(let number):
        guard number <= Self.maximumLimit else {
          throw VerbOption.invalidNumber("\(number)", .limit, in: 1...Self.maximumLimit)
        }
        limit = number
      case .page(let number): page = number
      case .refresh: refresh = true
      case .tiles: tiles = true
      case .follow, .output, .format, .placement, .replace, .size, .watch, .loudness, .show, .track, .online, .number,
        .sort, .reverse, .cancel, .plain, .checkConfiguration, .lan, .port, .role:
        break
      }
    }
  }

  /// Returns `request` for the page that is given. Without a limit, pages have the standard length of the method.
  func page<Request: PagedRequest>(of request: Request) -> Request {
    var request = request
    if let limit { request.limit = limit }
    request.offset = (page - 1) * request.limit
    return request
  }
}

extension CatalogItem.Kind {
  /// Parses the name of a kind in the singular or plural, such as `film` or `films`. Throws a usage error.
  init(parsing text: String) throws(ClientError) {
    let word = text.lowercased()
    if let kind = Self(rawValue: word) ?? Self.allCases.first(where: { $0.plural == word }) {
      self = kind
    } else {
      throw .usage(
        tr("unknown kind “%1$s”: use one of %2$s", text, Self.words.joined(separator: ", ")),
        hints: EditDistance.nearest(to: word, in: Self.words).map { [tr("did you mean %1$s?", $0)] } ?? [])
    }
  }
}
