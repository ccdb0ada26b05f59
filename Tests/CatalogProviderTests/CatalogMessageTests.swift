import SegueSystem
import SegueWire
import SegueWorkerProtocol
import Testing

@testable import SegueCatalogProviders

/// Tests that the messages between daemon and fetch process survive encoding and decoding.
@Suite struct CatalogMessageTests {
  private static let uri = try! CatalogItemURI("itunes:album:5")

  static let queries: [CatalogQuery] = [
    CatalogQuery(.search(nil, "a \"я\""), country: "de", language: "de-DE", page: PageRequest(offset: 3, limit: 4)),
    CatalogQuery(.search(.album, "abc")), CatalogQuery(.suggest(.song, "abc")),
    CatalogQuery(.popular(.film, genre: "28")), CatalogQuery(.popular(.film, genre: nil)), CatalogQuery(.people),
    CatalogQuery(.details(uri)), CatalogQuery(.played(uri)),
  ]

  private func packet(_ message: some LinkMessage) -> LinkPacket {
    var json = JSONWriter()
    message.encode(into: &json)
    return LinkPacket(bytes: json.bytes)
  }

  @Test(arguments: queries) func query_isSentCompletely(query: CatalogQuery) throws {
    var configuration = CatalogConfiguration()
    for (index, setting) in CatalogProviders().baseURLs.enumerated() where index > 0 {
      configuration[setting] = try BaseURL("http://127.0.0.1:808\(index)/path")
    }
    for scheme in CatalogItemURI.Scheme.allCases { configuration.tokens[scheme] = try CatalogToken("\(scheme)") }
    for known in [nil, CatalogVersion(etag: "\"e\"", lastModified: nil)] {
      let request = CatalogFetchRequest.query(id: 7, query, provider: "itunes", configuration, known: known)
      #expect(CatalogFetchRequest(packet(request)) == request)
    }
  }

  @Test(arguments: [
    CatalogFetchRequest.picture(id: 1, url: "http://h/a.jpg", namedBy: .private), .cancel(id: 2),
  ]) func request_isSentCompletely(request: CatalogFetchRequest) {
    #expect(CatalogFetchRequest(packet(request)) == request)
  }

  @Test(arguments: [
    CatalogFetchResponse.result(
      id: 1, size: 5, CatalogOrigin(version: CatalogVersion(etag: "e", lastModified: "l"), scope: .public)),
    .result(id: 1, size: 0, CatalogOrigin(version: nil, scope: .loopback, lifetime: .seconds(90))),
    .unchanged(id: 2, CatalogOrigin(version: nil, scope: .private)), .picture(id: 3, size: 9),
    .failed(id: 4, Failure(.rateLimited, "m", retryAfter: .seconds(7))), .failed(id: 5, Failure(.offline, "m")),
  ]) func response_isSentCompletely(response: CatalogFetchResponse) {
    #expect(CatalogFetchResponse(packet(response)) == response)
  }

  @Test(arguments: [
    "", "{}", #"{"response":"result","id":1,"size":99999999,"scope":0}"#,
    #"{"response":"result","id":1,"size":-1,"scope":0}"#,
    #"{"response":"result","id":1,"size":1,"scope":9}"#, #"{"response":"picture","id":1,"size":10485761}"#,
    #"{"response":"picture","id":-1,"size":1}"#,
  ]) func invalidResponse_isRefused(text: String) {
    #expect(CatalogFetchResponse(LinkPacket(bytes: Array(text.utf8))) == nil)
  }

  @Test(arguments: [("-1", 60), ("0", 60), ("1e300", 86_400)]) func lifetime_isLimited(value: String, seconds: Int) {
    let text = #"{"response":"unchanged","id":1,"scope":0,"lifetime":\#(value)}"#
    let expected = CatalogOrigin(version: nil, scope: .public, lifetime: .seconds(seconds))
    #expect(CatalogFetchResponse(LinkPacket(bytes: Array(text.utf8))) == .unchanged(id: 1, expected))
  }

  /// A version is sent back in a header.
  @Test func versionWithLineBreak_isIgnored() {
    #expect(CatalogVersion(etag: "a\r\nHost: evil", lastModified: nil) == nil)
    #expect(CatalogVersion(etag: "a\r\nHost: evil", lastModified: "b")?.etag == nil)
    #expect(CatalogVersion(etag: String(repeating: "a", count: 513), lastModified: nil) == nil)
  }
}
