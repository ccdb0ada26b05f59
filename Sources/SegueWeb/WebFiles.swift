internal import SegueHTTP
internal import SegueSystem

/// A file of the page.
struct PageFile: Sendable {
  enum Content: Sendable {
    case text(StaticString)
    case base64(StaticString)
  }

  let name: String
  /// The media type.
  let type: String
  let content: Content

  init(name: String, type: String, _ content: Content) {
    self.name = name
    self.type = type
    self.content = content
  }
}

/// The page as the gateway sends it: compressed, if the browser accepts that.
struct WebFiles {
  private struct File {
    let type: String
    let plain: HTTPResponse.Body
    let compressed: [UInt8]?
  }

  /// The files by their names.
  private let files: [String: File]

  /// What the page may do: it loads everything from here, and runs only the scripts of the page.
  private static let policy = """
    default-src 'none'; script-src 'self'; style-src '\(PageFiles.style)'; img-src 'self' data:; media-src blob:; connect-src 'self'; \
    manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
    trusted-types 'none'
    """

  init() {
    var files: [String: File] = [:]
    for file in PageFiles.all {
      switch file.content {
      case .text(let text):
        let bytes = text.withUTF8Buffer { Array($0) }
        files[file.name] = File(type: file.type, plain: .constant(text), compressed: Gzip.compressed(bytes))
      case .base64(let text):
        let bytes = text.withUTF8Buffer { Base64.standard.decoded($0) }
        files[file.name] = File(type: file.type, plain: .bytes(bytes), compressed: nil)
      }
    }
    self.files = files
  }

  /// Returns the response to a request for a file; nil if there is no such file.
  @MainActor
  func response(to request: HTTPExchange) -> HTTPResponse? {
    let prefix = "/static/\(PageFiles.hash)/"
    let isStart = request.path == "/"
    guard isStart || request.path.hasPrefix(prefix),
      let file = files[isStart ? "index.html" : String(request.path.dropFirst(prefix.count))],
      isStart || request.path != prefix + "index.html"
    else { return nil }
    var headers: [(name: String, value: String)] = [("Content-Type", file.type), ("Vary", "Accept-Encoding")]
    if isStart {
      headers += Self.security
      headers += [("Cache-Control", "no-cache"), ("ETag", Self.version)]
      if request.header("if-none-match") == Self.version { return HTTPResponse(304, headers: headers) }
    } else {
      headers.append(("Cache-Control", "public, max-age=31536000, immutable"))
    }
    guard let compressed = file.compressed, request.acceptsGzip else {
      return HTTPResponse(200, headers: headers, body: file.plain)
    }
    headers.append(("Content-Encoding", "gzip"))
    return HTTPResponse(200, headers: headers, body: .bytes(compressed))
  }

  /// The version of the start page, which names all other files by the same hash.
  private static let version = "\"\(PageFiles.hash)\""

  private static let security: [(name: String, value: String)] = [
    ("Content-Security-Policy", policy), ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
  ]
}
