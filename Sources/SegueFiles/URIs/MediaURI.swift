public import SegueSystem
public import SegueWire

/// The resource that the URI of a track names: a file, a range of a file, or a stream.
public enum MediaURI: Hashable, Sendable {
  /// `range` is set for a track of a cue sheet.
  case file(FilePath, range: CueRange?)
  /// A stream, by its normalised URL (`WebURL`).
  case stream(String)
  /// An item of an online catalogue, whose stream has an address that expires.
  case item(CatalogItemURI)

  /// The maximum length of a URL: more than any server accepts, and little enough for a command to a worker.
  static let maximumURLLength = 16 * 1024

  /// The schemes of the streams that the fetch process can open.
  static let streamSchemes: Set<String> = ["http", "https"]

  /// Reads a URI. Throws a `Failure` with the reason if it has no scheme or an unsupported one, or names a file of
  /// another machine.
  public init(_ uri: String) throws(Failure) {
    guard let scheme = Self.scheme(of: uri) else {
      throw Failure(.invalidParams, "\(uri): not a URI; a file is file:///its/path, percent-encoded")
    }
    if scheme == "file" {
      guard let path = FileURI.decode(uri) else {
        throw Failure(.notFound, "\(uri): not a file on this machine")
      }
      self = .file(path, range: CueRange(fragmentOf: uri))
      return
    }
    if CatalogItemURI.hasScheme(uri) {
      self = .item(try CatalogItemURI(uri))
      return
    }
    if scheme == "segue" { throw Failure(.invalidParams, "\(uri): not a track") }
    guard Self.streamSchemes.contains(scheme) else {
      throw Failure(.notFound, "\(uri): unsupported scheme “\(scheme)”")
    }
    let url = WebURL.normalized(uri)
    if let fault = Self.fault(ofURL: url, scheme: scheme) {
      throw Failure(.notFound, "\(uri): not a valid URL: \(fault)")
    }
    guard url.utf8.count <= Self.maximumURLLength else {
      throw Failure(.tooLarge, "the URL has \(url.utf8.count) bytes; the maximum is \(Self.maximumURLLength)")
    }
    self = .stream(url)
  }

  /// Whether `uri`, which `MediaURI` has accepted before, names a file. Much cheaper than reading the URI once more.
  public static func isFile(_ uri: String) -> Bool { uri.utf8.starts(with: "file:".utf8) }

  /// The reason why `uri` is not a URL; nil if it is one.
  private static func fault(ofURL uri: String, scheme: String) -> LocalizableMessage? {
    guard uri.dropFirst(scheme.count).hasPrefix("://"), let authority = URLAuthority.text(of: uri) else {
      return LocalizableMessage("“//” and a host must follow the scheme")
    }
    guard !uri.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      return LocalizableMessage("the host contains white space or control characters")
    }
    do throws(URLAuthority.Fault) {
      _ = try URLAuthority(authority)
      return nil
    } catch {
      return error.message
    }
  }

  /// The URI as a string. Reading it gives an equal value.
  public var uri: String {
    switch self {
    case .file(let path, let range): FileURI.encode(path) + (range?.fragment ?? "")
    case .stream(let url): url
    case .item(let item): item.uri
    }
  }

  /// Returns the name of a track without a title: the name of its file without the extension, or its readable URL
  /// without a password.
  public static func displayName(of uri: String) -> String {
    if case .file(let path, _) = try? MediaURI(uri) { path.stem } else { WebURL.withoutUser(WebURL.readable(uri)) }
  }

  /// Returns the scheme of a URI (RFC 3986, 3.1) in lower case; nil if it has none.
  static func scheme(of text: String) -> String? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = text.utf8[..<colon]
    guard let first = name.first, isLetter(first),
      name.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E })
    else { return nil }
    return String(text[..<colon]).lowercased()
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
