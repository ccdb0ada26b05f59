public import SegueWire

/// A command from the daemon to the fetch process (`segue-fetch`). Each command is one packet.
public enum FetchCommand: Equatable, Sendable {
  /// Serves the requests of a decoder for the stream at the URL. `namedBy` is the scope of the server that named the
  /// URL; nil if a user named it. The descriptor of the channel (`FetchRequest`, `FetchResponse`) is sent with the
  /// command.
  case serve(url: String, namedBy: AddressScope? = nil)
  /// Serves the requests of the daemon for online catalogues. The descriptor of the channel (`CatalogFetchRequest`,
  /// `CatalogFetchResponse`) is sent with the command.
  case serveCatalogs
  /// Trusts the certificate authorities in a file, in PEM, in addition to those of the system, and no others any more.
  /// The descriptor of the file is sent with the command.
  case trust
  /// Asks whether the process responds. The response is `pong`.
  case ping

  /// The maximum number of bytes of the certificates of one `trust`.
  public static let maximumTrustSize = 4 << 20
}

extension FetchCommand: LinkMessage {
  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    switch self {
    case .serve(let url, let scope):
      json.member("command", "serve")
      json.member("url", url)
      json.member("namedBy", scope?.rawValue)
    case .serveCatalogs: json.member("command", "serveCatalogs")
    case .trust: json.member("command", "trust")
    case .ping: json.member("command", "ping")
    }
    json.endObject()
  }

  /// Creates a command. Returns nil if it is not a command of this version.
  public init?(_ json: JSON) {
    switch json["command"]?.string {
    case "serve":
      guard let url = json["url"]?.string else { return nil }
      self = .serve(url: url, namedBy: json["namedBy"]?.int.flatMap(AddressScope.init))
    case "serveCatalogs": self = .serveCatalogs
    case "trust": self = .trust
    case "ping": self = .ping
    default: return nil
    }
  }
}
