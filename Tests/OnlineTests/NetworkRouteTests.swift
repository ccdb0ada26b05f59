import Testing

@testable import SegueOnline

@Suite struct NetworkRouteTests {
  @Test(arguments: ["127.0.0.1", "127.0.0.1:80", "[::1]:80", "localhost:8080", "localhost", "host", "host.local", ""])
  func thisMachineAndNamesOfTheLocalNetwork_haveARoute(host: String) { #expect(!NetworkRoute.isMissing(to: host)) }

  @Test(arguments: [
    ("https://h.example/a", "h.example"), ("http://h:80/", "h:80"), ("http://[::1]:80/x", "[::1]:80"),
    ("http://h?q", "h"),
    ("h", ""),
  ]) func hostOfAURL_isFound(url: String, host: String) { #expect(CatalogService.host(of: url) == host) }
}
