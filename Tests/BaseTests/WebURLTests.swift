import SegueSystem
import Testing

struct WebURLTests {
  @Test(
    arguments: [
      ("http://h/Über uns.mp3", "http://h/%C3%9Cber%20uns.mp3"), ("  http://h/a\n", "http://h/a"),
      ("http://h/a\tb\r\nc", "http://h/abc"), ("http://h\\d\\a", "http://h/d/a"),
      ("http://h/%20 %", "http://h/%20%20%"),
      ("http://h/a?q=x y&z='\"<>\\", "http://h/a?q=x%20y&z=%27%22%3C%3E\\"),
      ("http://h/[1]{2}`^|", "http://h/[1]%7B2%7D%60%5E|"),
      ("https://bücher.example:8000/ä#ö ü", "https://bücher.example:8000/%C3%A4#%C3%B6%20%C3%BC"),
      ("http://u:p@h/я", "http://u:p@h/%D1%8F"), ("http://h?ä", "http://h?%C3%A4"),
      ("http://h/a://b c", "http://h/a://b%20c"),
      ("", ""),
    ] as [(String, String)])
  func urlsAreNormalisedAsByBrowsers(_ url: String, _ expected: String) {
    #expect(WebURL.normalized(url) == expected)
    #expect(WebURL.normalized(expected) == expected)
  }

  @Test(
    arguments: [
      ("http://h/%C3%9Cber%20uns.mp3", "http://h/Über uns.mp3"),
      ("http://h/a%2Fb%3Fc%25%23", "http://h/a%2Fb%3Fc%25%23"),
      ("http://h/%FF%C3", "http://h/%FF%C3"), ("http://h/%E2%80%AEgpj", "http://h/%E2%80%AEgpj"),
      ("http://h/%0A%00x", "http://h/%0A%00x"), ("http://h/a%20", "http://h/a%20"), ("http://h/%4", "http://h/%4"),
      ("http://h/%+1%zz%", "http://h/%+1%zz%"), ("http://h/ä", "http://h/ä"), ("http://h/%C2%A0", "http://h/%C2%A0"),
    ] as [(String, String)])
  func readableURLsNameTheSameResource(_ url: String, _ expected: String) {
    #expect(WebURL.readable(url) == expected)
    #expect(WebURL.normalized(WebURL.readable(url)) == WebURL.normalized(url))
  }

  @Test(
    arguments: [
      ("http://name:secret@host/a@b", "http://host/a@b"), ("https://name@host:1", "https://host:1"),
      ("http://a@b:c@host?x@y", "http://host?x@y"), ("http://host/a@b", "http://host/a@b"),
      ("http://host#a@b", "http://host#a@b"), ("file:///a@b", "file:///a@b"), ("itunes:song:1", "itunes:song:1"),
    ]) func userAndPassword_areRemoved(_ url: String, _ expected: String)
  {
    #expect(WebURL.withoutUser(url) == expected)
  }
}
