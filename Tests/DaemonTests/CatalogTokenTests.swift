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

  @Test func fileThatCannotBeRemoved_isAnError() throws {
    try daemon.start()
    let client = try daemon.connect()
    try client.call("catalog.setToken", #"["tmdb",null]"#)
    // A folder cannot be removed as a file is.
    try Folder.create(file)
    let error = try client.errorResponse(to: "catalog.setToken", #"["tmdb",null]"#)
    #expect(error.kind == "unavailable")
    #expect(error.message.hasPrefix("the token cannot be removed: "))
  }

  @Test(arguments: ["itunes", "radio", "nowhere"]) func providerWithoutToken_isRefused(name: String) throws {
    try daemon.start()
    let error = try daemon.connect().errorResponse(to: "catalog.setToken", #"["\#(name)","abc"]"#)
    #expect(error.kind == "invalid_params")
    #expect(error.message.contains("tmdb"), "\(error.message)")
  }

  @Test func storedToken_replacesTheFileAtOnce() throws {
    try daemon.start()
    let client = try daemon.connect()
    for token in ["first", "second"] {
      try client.call("catalog.setToken", #"["tmdb","\#(token)"]"#)
      #expect(try SmallFile.read(file, upTo: 100) == Array("\(token)\n".utf8))
      #expect(mode(of: file) == 0o600)
    }
    let names = try Folder.names(in: file.parent).map { String(decoding: $0, as: UTF8.self) }
    #expect(Set(names) == ["segue.conf", "tmdb-token"])
  }

  // MARK: Where the token goes

  @Test func clients_cannotChangeTheAddress() throws {
    try daemon.start()
    let client = try daemon.connect()
    for name in ["iTunesURL", "iTunesChartsURL", "tmdbURL", "tmdbImagesURL", "radioBrowserURL"] {
      #expect(
        try client.errorResponse(to: "settings.set", #"["catalog.\#(name)","http://127.0.0.1:1"]"#).kind == "denied")
      #expect(try client.errorResponse(to: "settings.reset", #"["catalog.\#(name)"]"#).kind == "denied")
    }
  }

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

  /// The address is one for documentation (RFC 5737), to which nothing is sent.
  @Test func token_isSentOverNetworksWithEncryptionOnly() throws {
    try daemon.configure("[Catalog]\nTmdbURL=http://192.0.2.1/3\n")
    try daemon.start()
    let client = try daemon.connect()
    try client.call("catalog.setToken", #"["tmdb","abc"]"#)
    let error = try client.errorResponse(to: "catalog.popular", #"{"kind":"film","provider":"tmdb","genre":null}"#)
    #expect((error.kind, error.message) == ("denied", "192.0.2.1: the token is sent over https only"))
  }
}
