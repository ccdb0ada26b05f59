import Glibc
import SegueAccounts
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// A daemon with music, and a gateway for it that was started as by its socket unit.
final class WebFixture {
  let library: LibraryClientFixture<DaemonProcess>
  let port: UInt16
  private let listener: Descriptor
  private let errors: FilePath
  private var gateway: ChildProcess

  /// - Parameters:
  ///   - configuration: The text of web.conf.
  ///   - pulse: The sound server. With one, the music is the demo album, whose tracks last some seconds.
  ///   - catalog: The server that responds as online catalogues do.
  init(configuration: String? = nil, pulse: PulseServer? = nil, catalog: CatalogServer? = nil) throws {
    let daemon = try DaemonProcess(pulse: pulse, running: false)
    if pulse != nil {
      let album = Repository.root.appending("contrib/demo")
      for name in try Folder.names(in: album) where name.first == UInt8(ascii: "0") {
        let name = String(decoding: name, as: UTF8.self)
        try AudioFile.write(
          AudioFile.read(album.appending(name)), to: daemon.directory.appending("music").appending(name))
      }
    }
    library = try LibraryClientFixture(
      pulse == nil ? LibraryClientFixture<DaemonProcess>.songs : [], configuration: catalog?.configuration ?? "",
      on: daemon)
    let home = library.daemon.directory.appending("home")
    if let configuration {
      try SmallFile.write(Array(configuration.utf8), to: home.appending(".config/segue/web.conf"))
    }
    listener = Descriptor(
      owning: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    let socket = listener.raw
    var address = loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(socket, $0, length)
        _ = listen(socket, 64)
        _ = getsockname(socket, $0, &length)
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    errors = library.daemon.directory.appending("gateway")
    gateway = try Self.start(library, listener, errors)
  }

  private static func start(
    _ library: LibraryClientFixture<DaemonProcess>, _ listener: borrowing Descriptor, _ errors: FilePath
  ) throws -> ChildProcess {
    let log = errors.withCString { open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
    let file = Descriptor(owning: log)
    var environment = library.daemon.environment
    environment["NOTIFY_SOCKET"] = nil
    // Only the child itself knows its process id, which LISTEN_PID must contain.
    return try ChildProcess(
      [
        "sh", "-c", "LISTEN_FDS=1 LISTEN_PID=$$ exec \"$0\" serve", WorkerProcess.product("segue-web").description,
      ], environment: environment, errors: file.raw, third: listener.raw)
  }

  /// Ends the gateway without notice, and starts it again.
  func restart() throws {
    gateway.end(SIGKILL)
    gateway = try Self.start(library, listener, errors)
  }

  deinit { gateway.end() }

  var pid: Int32 { gateway.pid }
  var isRunning: Bool { gateway.isRunning }

  /// The standard error of the gateway so far.
  var log: String {
    (try? SmallFile.read(errors, upTo: 1 << 20)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  func connect(from address: UInt8 = 1) throws -> HTTPClient { try HTTPClient(port: port, from: address) }

  /// The value of the headers Host and Origin of this server.
  var host: String { "127.0.0.1:\(port)" }

  // MARK: Requests

  func get(_ path: String, as browser: Browser? = nil, headers: [String] = []) throws -> HTTPClient.Response {
    let client = try connect()
    try client.send(head("GET \(path)", browser, headers))
    return try client.response()
  }

  /// Sends a request of JSON-RPC, and returns the response of HTTP.
  func post(
    _ method: String, _ params: String? = nil, as browser: Browser? = nil, from address: UInt8 = 1
  ) throws -> HTTPClient.Response {
    let client = try connect(from: address)
    try client.send(request(method, params, as: browser))
    return try client.response()
  }

  /// Returns a request of JSON-RPC as the page sends it.
  func request(_ method: String, _ params: String? = nil, as browser: Browser? = nil) -> String {
    let body = #"{"method":"\#(method)"\#(params.map { #","params":\#($0)"# } ?? "")}"#
    let headers = [
      "Origin: http://\(host)", "Content-Type: application/json", "Content-Length: \(body.utf8.count)",
    ]
    return head("POST /rpc", browser, headers) + body
  }

  private func head(_ start: String, _ browser: Browser?, _ headers: [String]) -> String {
    let cookie = browser.map { ["Cookie: \($0.cookie)"] } ?? []
    return (["\(start) HTTP/1.1", "Host: \(host)"] + cookie + headers).joined(separator: "\r\n") + "\r\n\r\n"
  }

  /// Returns the result of a request. Throws if it failed.
  @discardableResult
  func call(_ method: String, _ params: String? = nil, as browser: Browser? = nil) throws -> JSON {
    let response = try post(method, params, as: browser)
    guard let result = response.json?["result"] else {
      throw Unexpected("\(method): \(response.status) \(response.text)")
    }
    return result
  }

  /// Opens the stream of events, after its head.
  func events(of browser: Browser) throws -> HTTPClient {
    let client = try connect()
    try client.send(head("GET /events", browser, []))
    #expect(try client.response().status == 200)
    return client
  }

  // MARK: People

  /// A browser that is signed in.
  struct Browser {
    let cookie: String
    let role: String

    init(_ response: HTTPClient.Response) throws {
      let set = try #require(response.header("set-cookie"), "\(response.text)")
      cookie = String(set.prefix { $0 != ";" })
      role = try #require(response.json?["result"]?["role"]?.string)
    }
  }

  static let anna = """
    {"firstName":"Anna","lastName":"O'Neill-Smith","birthDate":"1990-02-28","phone":"+375 (29) 123-45-67",\
    "email":"anna@example.com","password":"Secret1"}
    """

  /// Executes `segue web` and returns its output as JSON.
  @discardableResult
  func web(_ words: String...) throws -> JSON {
    let outcome = try run(words + ["--json"])
    guard outcome.code == 0 else { throw Unexpected(outcome.errorText) }
    return try JSON(parsing: outcome.output)
  }

  func run(_ words: [String]) throws -> ClientProcess.Outcome {
    try ClientProcess(["web"] + words, environment: library.daemon.environment).finish()
  }

  /// Returns a new token, which `segue web` prints only while the service manager listens for it.
  func ticket(_ kind: AccountDatabase.TicketKind, _ role: Role) throws -> String {
    try AccountDatabase(path: database).addTicket(kind, role: role).text
  }

  /// The folder of the accounts, and the database in it.
  var folder: FilePath { library.daemon.directory.appending("home/.local/state/segue/web") }
  var database: FilePath { folder.appending("accounts.db") }

  /// Registers Anna, and returns her browser.
  func register(_ person: String = anna) throws -> Browser {
    try web("registration", "open")
    return try Browser(post("web.register", person))
  }

  func signIn(
    _ email: String = "anna@example.com", _ password: String = "Secret1", as browser: Browser? = nil,
    from address: UInt8 = 1
  ) throws -> HTTPClient.Response {
    try post("web.signIn", #"{"email":"\#(email)","password":"\#(password)"}"#, as: browser, from: address)
  }
}
