import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of queries to online catalogues, through a daemon and its fetch process, against a server on the loopback
/// interface.
@Suite struct CatalogQueryTests {
  let server: CatalogServer
  let daemon: DaemonProcess
  let client: SocketClient

  init() throws {
    server = try CatalogServer()
    daemon = try DaemonProcess(running: false)
    try daemon.configure(server.configuration)
    try daemon.start()
    client = try daemon.connect()
  }

  private func page(_ method: String, _ params: String) throws -> CatalogPage {
    CatalogPage(try client.call(method, params))
  }

  private func failure(_ method: String, _ params: String) throws -> (kind: String?, message: String, data: JSON?) {
    _ = try client.sendRequest(method, params)
    let error = try #require(try client.json()["error"])
    return (error["data"]?["kind"]?.string, error["message"]?.string ?? "", error["data"])
  }

  /// Makes the daemon read another configuration, and waits until it uses it.
  private func configure(_ text: String) throws {
    try daemon.configure(text)
    daemon.signal(SIGHUP)
    _ = try daemon.notification { $0.contains("READY=1") }
  }

  // MARK: Tokens

  @Test func token_isSentButNotShown() throws {
    #expect(try failure("catalog.search", #"{"query":"film","kind":"person"}"#).kind == "denied")
    let secret = "abc.SECRET-token"
    try client.call("catalog.setToken", #"["tmdb","\#(secret)"]"#)
    let films = try page("catalog.popular", #"{"kind":"film","genre":null}"#)
    #expect((films.provider, films.items.first?.uri) == ("tmdb", "tmdb:film:101"))
    #expect(server.requests.last?.contains("\r\nAuthorization: Bearer \(secret)\r\n") == true)
    #expect(server.requests.last?.prefix { !$0.isNewline }.contains(secret) == false)
    for method in ["catalog.providers", "settings.list", "daemon.stats", "rpc.discover"] {
      try client.send(#"{"id":1,"method":"\#(method)"}"#)
      #expect(try client.line()?.contains(secret) == false, "\(method)")
    }
    #expect(!daemon.errors.contains(secret))
    let file = daemon.directory.appending("home/.config/segue/tmdb-token")
    #expect(mode(of: file) == 0o600)
    try client.call("catalog.setToken", #"["tmdb",null]"#)
    #expect(try page("catalog.popular", #"{"kind":"film","genre":null}"#).provider == "itunes")
    #expect(mode(of: file) == nil)
  }

  // MARK: Errors

  /// In a network namespace of its own, a process has no route.
  @Test(.enabled(if: (try? Command.run(["unshare", "--net", "true"]).code) == 0))
  func withoutARoute_requestsFailAtOnce() throws {
    try daemon.configure("[Catalog]\nITunesURL=https://catalogue.example\n")
    daemon.kill()
    let program = daemon.program.description
    daemon.program = FilePath("/usr/bin/unshare")
    try daemon.start(["--net", program])
    let client = try daemon.connect()
    let start = MonotonicTime.now
    let error = try client.errorResponse(to: "catalog.search", #"{"query":"music"}"#)
    #expect(error.kind == "offline")
    #expect(MonotonicTime.now - start < .seconds(1))
  }

  @Test func certificateOfTheProvider_isVerified() throws {
    let authority = try CertificateAuthority()
    let page = "search?term=music&country=us&lang=en_us&limit=30"
    let secure = try TLSServer(
      authority.identity(), pages: [page: TLSServer.page(Array(#"{"results":[]}"#.utf8))])
    let url = "https://127.0.0.1:\(secure.port)"
    try configure(server.configuration + "ITunesURL=\(url)\n")
    let error = try failure("catalog.search", #"{"query":"music"}"#)
    #expect(error.kind == "certificate")
    #expect(error.message.contains("127.0.0.1:\(secure.port)"))
    daemon.kill()
    try daemon.configure(
      "[Network]\nCertificateAuthority=\(authority.certificate)\n" + server.configuration + "ITunesURL=\(url)\n")
    try daemon.start()
    let trusting = try daemon.connect()
    #expect(CatalogPage(try trusting.call("catalog.search", #"{"query":"music"}"#)).total == 0)
  }

  /// The file may be repaired while the daemon runs.
  @Test func authorityThatCannotBeRead_isTheReasonOfTheFailure() throws {
    let authority = try CertificateAuthority()
    let file = daemon.directory.appending("authority.pem")
    let page = "search?term=music&country=us&lang=en_us&limit=30"
    let secure = try TLSServer(
      authority.identity(), pages: [page: TLSServer.page(Array(#"{"results":[]}"#.utf8))])
    daemon.kill()
    try daemon.configure(
      "[Network]\nCertificateAuthority=\(file)\n" + server.configuration
        + "ITunesURL=https://127.0.0.1:\(secure.port)\n")
    try daemon.start()
    let client = try daemon.connect()
    let error = try client.errorResponse(to: "catalog.search", #"{"query":"music"}"#)
    #expect(
      (error.kind, error.message)
        == ("certificate", "CertificateAuthority=\(file) cannot be read: No such file or directory"))
    #expect(CatalogPage(try client.call("catalog.popular")).items.count == 20, "other addresses are not affected")
    try SmallFile.write(SmallFile.read(authority.certificate, upTo: 1 << 20), to: file)
    #expect(CatalogPage(try client.call("catalog.search", #"{"query":"music"}"#)).total == 0)
  }
}
