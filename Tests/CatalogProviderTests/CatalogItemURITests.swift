import SegueWire
import Testing

@testable import SegueCatalogProviders

@Suite struct CatalogItemURITests {
  @Test(arguments: [
    "itunes:song:1", "itunes:album:9223372036854775807", "itunes:artist:2", "itunes:film:3", "itunes:audiobook:4",
    "itunes:podcast:5", "itunes:episode:1000650000001", "tmdb:film:6", "tmdb:person:7",
    "radio:aaaaaaaa-0000-4000-8000-00000000000f",
  ]) func uri_isEqualAfterReading(uri: String) throws { #expect(try CatalogItemURI(uri).uri == uri) }

  @Test(arguments: [
    ("ITUNES:song:007", "itunes:song:7"),
    ("Radio:AAAAAAAA-0000-4000-8000-00000000000F", "radio:aaaaaaaa-0000-4000-8000-00000000000f"),
  ]) func uri_hasOneForm(text: String, uri: String) throws { #expect(try CatalogItemURI(text).uri == uri) }

  @Test(arguments: [
    ("", "begins with"), ("file:///a", "begins with"), ("itunes", "begins with"), ("itunes:", "unknown kind"),
    ("itunes:person:1", "unknown kind"), ("tmdb:song:1", "unknown kind"), ("itunes:song", "number"),
    ("itunes:song:", "number"), ("itunes:song:0", "number"), ("itunes:song:-1", "number"),
    ("itunes:song:+1", "number"), ("itunes:song:1:2", "number"), ("itunes:song:9223372036854775808", "number"),
    ("itunes:song:١", "number"), ("radio:x", "UUID"), ("radio:aaaaaaaa-0000-4000-8000-00000000000g", "UUID"),
    ("radio:aaaaaaaa/0000-4000-8000-00000000000a", "UUID"),
  ]) func malformedURI_isRefusedWithTheReason(uri: String, reason: String) {
    let failure = expectFailure(.notFound) { try CatalogItemURI(uri) }
    #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
  }

  @Test func scheme_isRecognisedBeforeTheRestIsRead() {
    #expect(CatalogItemURI.hasScheme("iTunes:x"))
    #expect(!CatalogItemURI.hasScheme("itunes"))
    #expect(!CatalogItemURI.hasScheme("http://itunes:1/"))
  }

  @Test(arguments: [
    ("https://h/", "https://h"), ("https://h/path///", "https://h/path"),
    (" http://[::1]:8080/3 ", "http://[::1]:8080/3"),
  ]) func baseURL_hasNoSlashAtTheEnd(text: String, url: String) throws { #expect(try BaseURL(text).text == url) }

  @Test(arguments: ["", "h", "ftp://h", "https://u:p@h", "https://h/?a", "https://h/#a"])
  func invalidBaseURL_isRefused(text: String) { expectFailure(.invalidParams) { try BaseURL(text) } }
}
