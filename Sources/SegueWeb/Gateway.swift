// Thread: the loop.

internal import Glibc
public import SegueAccounts
public import SegueHTTP
public import SegueLoop
internal import SegueRPC
public import SegueSystem
internal import SegueWire

/// The gateway between browsers and the daemon: it knows who they are, and passes their requests on over a connection
/// that has only their rights.
@MainActor
public final class Gateway {
  /// What the gateway needs to know about the machine and the configuration.
  public struct Setup {
    /// The folder of pictures in the cache of the daemon.
    public var art: FilePath
    public var nameOfMachine: String
    /// Further names by which browsers may call this machine.
    public var names: [String]
    /// Whether the gateway speaks TLS itself.
    public var isSecure: Bool

    public init(art: FilePath, nameOfMachine: String, names: [String], isSecure: Bool) {
      self.art = art
      self.nameOfMachine = nameOfMachine
      self.names = names
      self.isSecure = isSecure
    }
  }

  let accounts: Accounts
  let isSecure: Bool
  private let loop: EventLoop
  private let connector: DaemonConnector
  private let rules: RequestRules
  private let art: ArtFiles
  private let files = WebFiles()
  /// The connections to the daemon by the numbers of devices.
  private var sessions: [Int64: DaemonSession] = [:]
  private var cleaning: Timer?
  private var rates = NetworkRates()

  /// The time after which the connection of a browser that does nothing is closed.
  private static let sessionLifetime = MediaTime.seconds(60)

  public init(
    _ setup: Setup, accounts: Accounts, connector: DaemonConnector, on loop: EventLoop
  ) throws(SystemError) {
    self.accounts = accounts
    self.connector = connector
    self.loop = loop
    isSecure = setup.isSecure
    art = ArtFiles(folder: setup.art)
    rules = RequestRules(nameOfMachine: setup.nameOfMachine, names: setup.names, isSecure: setup.isSecure)
    cleaning = try Timer(on: loop, slack: .seconds(5)) { [unowned self] in removeUnusedSessions() }
  }

  /// Handles a request, which comes from anybody.
  public func handle(_ request: HTTPExchange) {
    let facts = RequestRules.Facts(
      method: request.method, path: request.path, host: request.header("host"), origin: request.header("origin"),
      hasOrigin: request.hasHeader("origin"), site: request.header("sec-fetch-site"),
      contentType: request.header("content-type"))
    switch rules.refusal(of: facts) {
    case .foreignHost: request.respond(HTTPResponse(421))
    case .foreignOrigin: request.respond(HTTPResponse(403))
    case .method: request.respond(HTTPResponse(405, headers: [("Allow", "GET, HEAD, POST")]))
    case .contentType: request.respond(HTTPResponse(415))
    case nil: route(request)
    }
  }

  private func route(_ request: HTTPExchange) {
    let (isPost, path) = (request.method == "POST", request.path)
    switch path {
    case "/rpc" where isPost: handleCall(request)
    case "/events" where !isPost:
      authenticate(request) { [self] in open(session(of: $0), for: request) }
    case _ where path.hasPrefix("/art/") && !isPost:
      authenticate(request) { [self] _ in request.respond(art.response(to: path.dropFirst(5))) }
    case "/rpc", "/events": request.respond(HTTPResponse(405, headers: [("Allow", isPost ? "GET" : "POST")]))
    default: request.respond(files.response(to: request) ?? HTTPResponse(404))
    }
  }

  // MARK: Who it is

  /// Returns the name of the cookie with the token. Browsers accept the prefix only over TLS, and then protect the
  /// cookie from other names of the same site.
  private static func cookie(isSecure: Bool) -> String { isSecure ? "__Host-segue" : "segue" }

  func token(of request: HTTPExchange) -> Token? {
    // Behind a proxy with TLS, only requests that change something state the scheme.
    token(of: request, isSecure: true) ?? (isSecure ? nil : token(of: request, isSecure: false))
  }

  private func token(of request: HTTPExchange, isSecure: Bool) -> Token? {
    let cookie = Self.cookie(isSecure: isSecure)
    let pairs = request.header("cookie")?.split(separator: ";") ?? []
    let values = pairs.compactMap { pair -> Token? in
      let pair = pair.drop { $0 == " " }
      return pair.hasPrefix(cookie + "=") ? Token(String(pair.dropFirst(cookie.count + 1))) : nil
    }
    return values.count == 1 ? values[0] : nil
  }

  /// Calls `then` with the device of a request. Responds with 401 if the browser is not signed in.
  func authenticate(_ request: HTTPExchange, then: @escaping @MainActor (Device) -> Void) {
    guard let token = token(of: request) else { return request.respond(Self.signedOut) }
    accounts.findDevice(token) { result in
      switch result {
      case .success(let device?): then(device)
      case .success(nil): request.respond(Self.signedOut)
      case .failure(let failure): request.respond(.failure(failure, status: 503))
      }
    }
  }

  static let signedOut = HTTPResponse.failure(Failure(.denied, "sign in first"), status: 401)

  /// Returns the header that gives a browser its token, or takes it away.
  func cookie(_ token: Token?, for request: HTTPExchange) -> (name: String, value: String) {
    let isSecure = isSecure || request.header("origin")?.lowercased().hasPrefix("https://") == true
    let cookie = Self.cookie(isSecure: isSecure)
    let lifetime = token == nil ? 0 : AccountDatabase.deviceLifetime.nanoseconds / 1_000_000_000
    let attributes = "Path=/; HttpOnly; SameSite=Strict; Max-Age=\(lifetime)\(isSecure ? "; Secure" : "")"
    return ("Set-Cookie", "\(cookie)=\(token?.text ?? ""); \(attributes)")
  }

  // MARK: The daemon

  private func handleCall(_ request: HTTPExchange) {
    guard let json = try? JSON(parsing: request.body), let method = json["method"]?.string,
      json["params"].map({ $0.kind == .object || $0.kind == .array }) ?? true
    else {
      return request.respond(.failure(Failure(.invalidRequest, "the request is not one of JSON-RPC"), status: 400))
    }
    if let handler = Self.methods[method] {
      if let delay = rates.take(for: request.client) {
        return request.respond(.failure(Failure(.rateLimited, "too many requests", retryAfter: delay), status: 429))
      }
      return handler(self, request, json["params"])
    }
    var parameters = JSONWriter()
    if let params = json["params"] { parameters.value(params) }
    let bytes = parameters.isEmpty ? nil : parameters.bytes
    authenticate(request) { [self] in session(of: $0)?.call(method, bytes, for: request) ?? request.respond(Self.busy) }
  }

  private static let busy = HTTPResponse.failure(Failure(.busy, "too many browsers are connected"), status: 503)

  /// Returns the session of a device, which is made if there is none; nil if that fails.
  private func session(of device: Device) -> DaemonSession? {
    if let session = sessions[device.id] {
      if session.device.role == device.role { return session }
      session.close()
    }
    guard let session = try? DaemonSession(on: loop, connector: connector, device: device) else { return nil }
    sessions[device.id] = session
    if cleaning?.isArmed == false { cleaning?.arm(after: Self.sessionLifetime) }
    return session
  }

  /// Closes the connection of a device that was signed out.
  func closeSession(_ device: Int64) { sessions.removeValue(forKey: device)?.close() }

  /// Closes the connections of the devices of a person, but that of `device`.
  func closeSessions(of person: Int64, but device: Int64? = nil) {
    for (id, session) in sessions where session.device.person == person && id != device { closeSession(id) }
  }

  /// Closes the connections of devices that are signed out, or have another role now. Called when another program may
  /// have changed the accounts.
  public func checkSessions() {
    guard !sessions.isEmpty else { return }
    accounts.devices(of: nil) { [self] result in
      guard case .success(let devices) = result else { return }
      let roles = Dictionary(uniqueKeysWithValues: devices.map { ($0.id, $0.role) })
      for (id, session) in sessions where roles[id] != session.device.role { closeSession(id) }
    }
  }

  private func removeUnusedSessions() {
    for (device, session) in sessions where session.isUnused { closeSession(device) }
    // Sessions with pages are looked at again when a page is closed: until then, nothing wakes up.
    if sessions.values.contains(where: \.isUnused) { cleaning?.arm(after: Self.sessionLifetime) }
  }

  private func open(_ session: DaemonSession?, for request: HTTPExchange) {
    let stream = EventStream()
    guard let session, session.add(stream) else { return request.respond(Self.busy) }
    request.respond(
      HTTPResponse(
        200, headers: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")], body: .events(stream)))
  }
}
