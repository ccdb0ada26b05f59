import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the token of a provider.
@Suite struct CatalogTokenTests {
  let server: CatalogServer
  let daemon: DaemonProcess

  init() throws {
    server = try CatalogServer()
    daemon = try DaemonProcess(running: false)
    try daemon.configure(server.configuration)
  }

  private var file: FilePath { daemon.directory.appending("home/.config/segue/tmdb-token") }

  @Test func credentialOfTheServiceManager_isUsedAndCannotBeChanged() throws {
    let credentials = daemon.directory.appending("credentials")
    try Folder.create(credentials)
    try SmallFile.write(Array("abc".utf8), to: credentials.appending("tmdb-token"))
    daemon.environment["CREDENTIALS_DIRECTORY"] = credentials.description
    try daemon.start()
    let client = try daemon.connect()
    for token in [#""xyz""#, "null"] {
      let error = try client.errorResponse(to: "catalog.setToken", #"["tmdb",\#(token)]"#)
      #expect(error.kind == "denied")
      #expect(error.message.contains("the token is a credential of the service manager"))
    }
    #expect(!file.exists)
    _ = try client.call("catalog.popular", #"{"kind":"film","genre":null}"#)
    #expect(server.requests.last?.contains("\r\nAuthorization: Bearer abc\r\n") == true)
  }

  // MARK: Where the token goes

  /// A proxy would receive the token unencrypted.
  @Test(arguments: ["http_proxy", "all_proxy"])
  func tokenForThisMachine_isSentToNoProxy(variable: String) throws {
    let proxy = try WebServer { _, client in
      _ = client.send("HTTP/1.1 500 No\r\n\r\n")
      return false
    }
    daemon.environment[variable] = proxy.url("")
    try daemon.start()
    let client = try daemon.connect()
    try client.call("catalog.setToken", #"["tmdb","abc"]"#)
    let films = CatalogPage(try client.call("catalog.popular", #"{"kind":"film","provider":"tmdb","genre":null}"#))
    #expect(films.items.first?.uri == "tmdb:film:101")
    #expect(server.requests.last?.contains("\r\nAuthorization: Bearer abc\r\n") == true)
    #expect(proxy.connectionCount == 0)
    #expect(try client.errorResponse(to: "catalog.popular", "{}").kind == "bad_response")
    #expect(proxy.connectionCount == 1, "a request without a token is sent to the proxy")
  }
}
