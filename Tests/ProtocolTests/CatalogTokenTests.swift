import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the token of a provider.
@Suite final class CatalogTokenTests: CatalogFixture {
  private var file: FilePath { daemon.directory.appending("home/.config/segue/tmdb-token") }

  @Test func fileThatCannotBeRemoved_isAnError() throws {
    try client.call("catalog.setToken", #"["tmdb",null]"#)
    // A folder cannot be removed as a file is.
    try Folder.create(file)
    let error = try client.errorResponse(to: "catalog.setToken", #"["tmdb",null]"#)
    #expect(error.kind == "unavailable")
    #expect(error.message.hasPrefix("the token cannot be removed: "))
  }

  @Test(arguments: ["itunes", "radio", "nowhere"]) func providerWithoutToken_isRefused(name: String) throws {
    let error = try daemon.connect().errorResponse(to: "catalog.setToken", #"["\#(name)","abc"]"#)
    #expect(error.kind == "invalid_params")
    #expect(error.message.contains("tmdb"), "\(error.message)")
  }

  @Test func storedToken_replacesTheFileAtOnce() throws {
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
    for name in ["iTunesURL", "iTunesChartsURL", "tmdbURL", "tmdbImagesURL", "radioBrowserURL"] {
      #expect(
        try client.errorResponse(to: "settings.set", #"["catalog.\#(name)","http://127.0.0.1:1"]"#).kind == "denied")
      #expect(try client.errorResponse(to: "settings.reset", #"["catalog.\#(name)"]"#).kind == "denied")
    }
  }

  /// The address is one for documentation (RFC 5737), to which nothing is sent.
  @Test func token_isSentOverNetworksWithEncryptionOnly() throws {
    try daemon.configure("[Catalog]\nTmdbURL=http://192.0.2.1/3\n")
    try daemon.reload()
    try client.call("catalog.setToken", #"["tmdb","abc"]"#)
    let error = try client.errorResponse(to: "catalog.popular", #"{"kind":"film","provider":"tmdb","genre":null}"#)
    #expect((error.kind, error.message) == ("denied", "192.0.2.1: the token is sent over https only"))
  }
}
