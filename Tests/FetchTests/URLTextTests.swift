import CCurl
import Testing

@testable import SegueFetch

@Suite struct URLTextTests {
  /// Whether this version of libcurl writes the bytes of a character with uppercase digits.
  private static let isUppercase = LIBCURL_VERSION_NUM >= 0x08_17_00

  @Test(
    arguments: [
      ("http://h/a b.mp3", "http://h/a%20b.mp3"), ("http://h/ü", isUppercase ? "http://h/%C3%BC" : "http://h/%c3%bc"),
      ("HTTP://H/x", "http://H/x"),
      (" http://h/a#part ", "http://h/a"), ("http://h", "http://h/"),
      ("https://h:8443/?q=a b", "https://h:8443/?q=a+b"),
      ("http://h/%20", "http://h/%20"),
    ] as [(String, String)])
  func urlsAreWrittenAsServersExpectThem(_ url: String, _ expected: String) {
    #expect(URLText.normalized(url) == expected)
  }

  @Test(arguments: ["", "file:///etc/passwd", "concat:/x", "h/x", "ftp://h/x", "http://", "gopher://h/"])
  func otherTextsAreRefused(_ text: String) { #expect(URLText.normalized(text) == nil) }

  @Test(
    arguments: [
      ("b.mp3", "http://h/d/b.mp3"), ("/b", "http://h/b"), ("//o/x", "http://o/x"), ("../b", "http://h/b"),
      ("?q", "http://h/d/a?q"), ("https://o/", "https://o/"),
    ] as [(String, String)])
  func referencesAreResolved(_ reference: String, _ expected: String) {
    #expect(URLText.resolve(reference, against: "http://h/d/a") == expected)
  }

  @Test func aNormalizedURLDoesNotChange() throws {
    let url = try #require(URLText.resolve("//%3501:/..A63f", against: "http://radio.example/lists/a"))
    #expect(URLText.normalized(url) == url)
    #expect(URLText.host(of: url) == "0.0.1.245")
  }
}
