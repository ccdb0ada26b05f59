/// The URI of an item of an online catalogue: `itunes:song:ID`, `itunes:album:ID`, `itunes:artist:ID`,
/// `itunes:film:ID`, `itunes:audiobook:ID`, `itunes:podcast:ID`, `itunes:episode:ID`, `tmdb:film:ID`, `tmdb:person:ID`
/// or `radio:UUID`.
///
/// It contains no address, because addresses of streams expire. They are resolved when the item is played.
public struct CatalogItemURI: Hashable, Sendable {
  /// The scheme of a URI, which is the name of its provider.
  public enum Scheme: String, Sendable, CaseIterable {
    case itunes, tmdb, radio

    /// The kinds of items that have URIs of this scheme.
    public var kinds: [CatalogItem.Kind] {
      switch self {
      case .itunes: [.song, .album, .artist, .film, .audiobook, .podcast, .episode]
      case .tmdb: [.film, .person]
      case .radio: [.station]
      }
    }
  }

  public let scheme: Scheme
  public let kind: CatalogItem.Kind
  /// The identifier in its only form: a number from 1 to 2⁶³ − 1, or a UUID in lower case.
  public let id: String

  /// Creates the URI of an item of iTunes or TMDb. Returns nil if the id is not positive.
  public init?(_ scheme: Scheme, _ kind: CatalogItem.Kind, _ number: Int64?) {
    guard let number, number > 0 else { return nil }
    (self.scheme, self.kind, id) = (scheme, kind, String(number))
  }

  /// Creates the URI of a station. Returns nil if `uuid` is not a UUID.
  public init?(station uuid: String) {
    guard let uuid = Self.uuid(uuid[...]) else { return nil }
    (scheme, kind, id) = (.radio, .station, uuid)
  }

  /// Reads a URI. Throws a `Failure` with the reason if it has another scheme or is malformed.
  public init(_ uri: String) throws(Failure) {
    guard let scheme = Self.scheme(of: uri) else {
      let schemes = Scheme.allCases.map { "\($0.rawValue):" }.joined(separator: ", ")
      throw Failure(.notFound, "\(uri): not an item of a catalogue; its URI begins with one of \(schemes)")
    }
    let rest = uri.dropFirst(scheme.rawValue.utf8.count + 1)
    self.scheme = scheme
    if scheme == .radio {
      guard let id = Self.uuid(rest) else {
        throw Failure(.notFound, "\(uri): not a station; “radio:” must be followed by a UUID")
      }
      (kind, self.id) = (.station, id)
      return
    }
    let parts = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let kind = CatalogItem.Kind(rawValue: String(parts[0])), scheme.kinds.contains(kind) else {
      let kinds = scheme.kinds.map(\.rawValue).joined(separator: ", ")
      throw Failure(.notFound, "\(uri): unknown kind “\(parts[0])”; “\(scheme.rawValue):” has \(kinds)")
    }
    guard parts.count == 2, let id = Self.number(parts[1]) else {
      throw Failure(.notFound, "\(uri): the id must be a number from 1 to \(Int64.max)")
    }
    (self.kind, self.id) = (kind, String(id))
  }

  /// Returns whether a URI has the scheme of a provider. The rest of the URI may be malformed.
  public static func hasScheme(_ uri: String) -> Bool { scheme(of: uri) != nil }

  /// The URI as a string. Reading it gives an equal value.
  public var uri: String { scheme == .radio ? "radio:\(id)" : "\(scheme.rawValue):\(kind.rawValue):\(id)" }

  private static func scheme(of uri: String) -> Scheme? {
    guard let colon = uri.utf8.prefix(16).firstIndex(of: UInt8(ascii: ":")) else { return nil }
    return Scheme(rawValue: uri[..<colon].lowercased())
  }

  /// Reads a positive number that consists of digits only.
  private static func number(_ text: Substring) -> Int64? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text), number > 0 else { return nil }
    return number
  }

  /// Returns the UUID (RFC 9562: 8-4-4-4-12 hexadecimal digits) in lower case; nil if `text` is not a UUID.
  private static func uuid(_ text: Substring) -> String? {
    guard text.utf8.count == 36 else { return nil }
    for (index, byte) in text.utf8.enumerated() {
      if [8, 13, 18, 23].contains(index) {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard byte < 0x80, Character(Unicode.Scalar(byte)).isHexDigit else { return nil }
      }
    }
    return text.lowercased()
  }
}
