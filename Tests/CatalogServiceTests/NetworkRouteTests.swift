import Testing

@testable import SegueCatalogService

@Suite struct NetworkRouteTests {
  @Test(arguments: [
    "127.0.0.1", "127.0.0.1:80", "[::1]:80", "localhost:8080", "localhost", "host", "host.local", "music.lan",
    "music.home.arpa:80", "MUSIC.internal", "",
  ])
  func thisMachineAndNamesOfTheLocalNetwork_haveARoute(host: String) { #expect(!NetworkRoute.isMissing(to: host)) }

  @Test(arguments: [
    ("127.0.0.1", true), ("127.1.2.3:80", true), ("[::1]:80", true), ("localhost:8080", true), ("192.0.2.1", false),
    ("[2001:db8::1]", false), ("[::2]", false), ("127.0.0.1.example", false), ("localhost.example", false), ("", false),
  ]) func thisMachine_isRecognized(host: String, isLoopback: Bool) {
    #expect(NetworkRoute.isLoopback(host) == isLoopback)
  }

  @Test(arguments: [
    ("https://h.example/a", "h.example"), ("http://h:80/", "h:80"), ("http://[::1]:80/x", "[::1]:80"),
    ("http://h?q", "h"),
    ("h", ""),
  ]) func hostOfAURL_isFound(url: String, host: String) { #expect(CatalogService.host(of: url) == host) }
}
