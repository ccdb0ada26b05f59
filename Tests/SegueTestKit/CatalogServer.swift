// Thread: the test's, which creates the server and changes its responses; threads of connections respond. Shared state
// is guarded by a lock.
internal import Glibc
internal import SegueSystem
internal import Synchronization

/// A web server on the loopback interface that responds as iTunes, TMDb and Radio Browser do, with the samples of
/// `CatalogSample`.
public final class CatalogServer: Sendable {
  /// A response.
  public struct Response: Sendable, CustomStringConvertible {
    public var status: Int
    public var headers: [String]
    public var body: [UInt8]
    /// Whether the connection is closed after the response.
    public var closesConnection = false

    public init(_ status: Int = 200, headers: [String] = [], body: [UInt8]) {
      self.status = status
      self.headers = headers
      self.body = body
    }

    /// A response that ends after two of its bytes, because the server closes the connection.
    public static var truncated: Response {
      var response = Response(200, headers: ["Content-Length: 100000000"], "{}")
      response.closesConnection = true
      return response
    }

    /// A response of 20 KB that is 20 MB of white space after decompression.
    public static var bomb: Response {
      let path = Repository.root.appending("Tests/SegueTestKit/CatalogSamples/spaces.json.gz")
      return Response(headers: ["Content-Encoding: gzip"], body: (try? SmallFile.read(path, upTo: 1 << 20)) ?? [])
    }

    public init(_ status: Int = 200, headers: [String] = [], _ text: String) {
      self.init(status, headers: headers, body: Array(text.utf8))
    }

    public var description: String { "status \(status), \(headers), \(LongArgument(body))" }
  }

  private let server: WebServer
  private let state: State

  private final class State: Sendable {
    let requests = EventLog<String>()
    let responses = Mutex<[(path: String, make: @Sendable (_ target: String) -> Response)]>([])
    let gate = RequestGate()
  }

  public init() throws {
    let state = State()
    self.state = state
    let shared = SharedPort()
    server = try WebServer { request, connection in Self.handle(request, connection, state, shared.value) }
    shared.value = server.port
  }

  private final class SharedPort: Sendable {
    private let number = Mutex<UInt16>(0)
    var value: UInt16 {
      get { number.withLock { $0 } }
      set { number.withLock { $0 = newValue } }
    }
  }

  public var port: UInt16 { server.port }

  /// The URL without a slash at the end.
  public var url: String { "http://127.0.0.1:\(port)" }

  /// The section of segue.conf that makes a daemon use this server.
  public var configuration: String {
    """
    [Catalog]
    Country=us
    Language=en-US
    ITunesURL=\(server.url("itunes"))
    ITunesChartsURL=\(server.url("itunes"))
    TmdbURL=\(server.url("tmdb"))
    TmdbImagesURL=\(server.url("images"))
    RadioBrowserURL=\(server.url("radio"))

    """
  }

  /// The heads of the requests so far.
  public var requests: [String] { state.requests.all }

  /// Returns the number of requests whose path begins with a text.
  public func requestCount(_ path: String) -> Int {
    requests.count { $0.hasPrefix("GET \(path)") }
  }

  /// Waits for a request whose path begins with a text. Throws after some time.
  public func waitForRequest(_ path: String) throws {
    let found: (Void, next: Int)? = state.requests.wait { $0.hasPrefix("GET \(path)") ? () : nil }
    if found == nil { throw Unexpected("the server got no request for \(path)") }
  }

  /// Makes the server send a response to all requests whose path begins with a text; nil for the usual one.
  public func respond(to path: String, with response: Response?) {
    state.responses.withLock { responses in
      responses.removeAll { $0.path == path }
      if let response { responses.insert((path, { _ in response }), at: 0) }
    }
  }

  /// Makes the server send a response that depends on the target of the request, the path and the query, to all
  /// requests whose path begins with a text. `make` is called on the thread of the connection and may block.
  public func respond(to path: String, _ make: @escaping @Sendable (_ target: String) -> Response) {
    state.responses.withLock { $0.insert((path, make), at: 0) }
  }

  /// Makes the server answer requests whose path begins with a text only after `release(_:)`.
  public func hold(_ path: String) { state.gate.close(path) }

  /// Makes the server answer the requests that `hold(_:)` holds.
  public func release(_ path: String) { state.gate.open(path) }

  /// Lets the threads of connections end.
  deinit { state.gate.open() }

  // MARK: On the threads of connections

  private static func handle(
    _ request: String, _ connection: WebServer.Connection, _ state: State, _ port: UInt16
  ) -> Bool {
    state.requests.append(request)
    let target = request.dropFirst(4).prefix { $0 != " " }
    state.gate.pass(target)
    let chosen = state.responses.withLock { $0.first { target.hasPrefix($0.path) }?.make }?(String(target))
    var response = chosen ?? usual(String(target), port)
    let etag = "\"\(target.utf8.reduce(0 as UInt32) { $0 &* 31 &+ UInt32($1) })\""
    if chosen == nil, response.status == 200 {
      response.headers.append("ETag: \(etag)")
      if request.contains("If-None-Match: \(etag)") { (response.status, response.body) = (304, []) }
    }
    var head = ["HTTP/1.1 \(response.status) Status"] + response.headers
    if !response.headers.contains(where: { $0.hasPrefix("Content-Length") }) {
      head.append("Content-Length: \(response.body.count)")
    }
    let isSent = connection.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + response.body)
    return isSent && !response.closesConnection
  }

  /// Returns the response to a request, as the services would send it.
  private static func usual(_ target: String, _ port: UInt16) -> Response {
    let parts = target.split(separator: "?", maxSplits: 1)
    let (path, query) = (parts.first.map(String.init) ?? "", parts.count > 1 ? String(parts[1]) : "")
    func value(_ name: String) -> String? {
      query.split(separator: "&").first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
    }
    if path.hasPrefix("/media/") { return file("a.m4a", "audio/x-m4a") }
    if path.hasPrefix("/art/") || path.hasPrefix("/images/") { return file("Tags/front.png", "image/png") }
    let sample: String? =
      switch path {
      case "/itunes/search": search(value("entity"))
      case "/itunes/lookup": lookup(value("id") ?? "", value("entity"))
      case _ where path.hasPrefix("/radio/json/stations"): "radio_stations.json"
      case _ where path.hasPrefix("/itunes/") && path.contains("/rss/topalbums/"): "rss_topsongs_45.json"
      case _ where path.hasPrefix("/itunes/") && path.contains("/rss/topsongs/"): "rss_topsongs_45.json"
      case _ where path.hasPrefix("/itunes/") && path.contains("/rss/"): "rss_topsongs_single_entry_object.json"
      case "/tmdb/search/movie", "/tmdb/movie/popular", "/tmdb/discover/movie": "tmdb_films.json"
      case "/tmdb/person/popular", "/tmdb/search/person": "tmdb_people.json"
      case "/tmdb/movie/101": "tmdb_film.json"
      case "/tmdb/person/201": "tmdb_person.json"
      default: nil
      }
    if path.hasPrefix("/radio/json/url/") { return Response(200, "{\"ok\":true}") }
    guard let sample, let text = try? CatalogSample.text(sample, port: port) else { return Response(404, "{}") }
    return Response(200, headers: ["Content-Type: text/javascript; charset=utf-8"], text)
  }

  private static func search(_ entity: String?) -> String {
    switch entity {
    case "album": "search_albums_unsorted.json"
    case "movie": "search_movie.json"
    case "audiobook": "search_audiobook.json"
    case "podcast": "search_podcast.json"
    case "song", nil: "search_songs_cyrillic.json"
    default: "empty.json"
    }
  }

  private static func lookup(_ id: String, _ entity: String?) -> String {
    switch (id.prefix(2), entity) {
    case ("90", "song"): "lookup_album_songs.json"
    case ("92", _): "search_songs_cyrillic.json"
    case ("93", _): "search_movie.json"
    case ("94", _): "search_audiobook.json"
    case ("95", _), ("10", _): "lookup_podcast_episodes.json"
    default: "empty.json"
    }
  }

  private static func file(_ name: String, _ type: String) -> Response {
    guard let bytes = try? SmallFile.read(Repository.fixture(name), upTo: 4 << 20) else { return Response(404, "") }
    return Response(headers: ["Content-Type: \(type)"], body: bytes)
  }
}
