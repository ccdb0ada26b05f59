import Testing

@testable import SegueCatalogProviders

@Suite struct RemoteURLTests {
  @Test(arguments: [
    ("https://example.org", "https://example.org"),
    ("HTTP://Example.ORG:8000/A?b=C#d", "http://example.org:8000/A?b=C#d"),
    ("  http://h/a b\"<ж>`{}\\%20  ", "http://h/a%20b%22%3C%D0%B6%3E%60%7B%7D/%20"),
    ("http://h/a\\b^c?q={x}`'ж#`{y}", "http://h/a/b%5Ec?q={x}`%27%D0%B6#%60{y}"),
    ("https://[::1]:80/x", "https://[::1]:80/x"), ("http://h:/", "http://h:/"),
    ("http://пример.рф/", "http://пример.рф/"),
    ("http://a_b-c.example/", "http://a_b-c.example/"),
  ]) func validURLIsNormalised(text: String, url: String) { #expect(RemoteURL.validated(text) == url) }

  @Test(arguments: [
    "", "http://", "https:///path", "ftp://h/", "file:///etc/passwd", "javascript:alert(1)", "//h/", "h/x",
    "http://user@h/", "http://user:p@h/", "http://h:0/", "http://h:65536/", "http://h:8o/", "http://[::1/",
    "http://[]/", "http://[::g]/", "http://[::1]x/", "http://a b/", "http://h\\@evil/", "http://h/\u{1}",
    "http://h/\u{202E}x", "http://h%00/", "http://" + String(repeating: "a", count: 254) + "/",
  ]) func invalidURLIsRefused(text: String) { #expect(RemoteURL.validated(text) == nil) }

  @Test func urlOverTheLimitIsRefused() {
    // A character beyond ASCII takes six bytes when it is encoded.
    #expect(RemoteURL.validated("http://h/" + String(repeating: "ж", count: 600)) != nil)
    #expect(RemoteURL.validated("http://h/" + String(repeating: "ж", count: 700)) == nil)
    #expect(RemoteURL.validated("http://h/" + String(repeating: "a", count: 5000)) == nil)
  }
}
