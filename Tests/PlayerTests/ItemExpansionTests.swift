import SegueCatalogService
import SegueLoop
import SegueTestKit
import SegueWire
import Testing

@testable import SeguePlayer

/// Tests of requests that name items of online catalogues.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ItemExpansionTests {
  @Test func manyMalformedURIsAreRefusedInSeveralIterationsOfTheLoop() throws {
    let folder = try TemporaryFolder()
    let loop = try EventLoop()
    let service = try CatalogService(
      loop: loop, cacheFolder: folder.path, tokenFolder: folder.path,
      connection: CatalogConnection(
        open: { () throws(Failure) in throw Failure(.unavailable, "no fetch process") }, checkAuthorities: { _ in },
        kill: { _ in }, abandon: {}),
      collate: { _, then in then(nil) })
    let uris = (0..<2_000).map { "tmdb:nothing:\($0)" } + ["http://a/1"]
    var result: ItemExpansion?
    service.expand(uris, in: CatalogRequestGroup(), on: loop.mailbox) {
      result = $0
      loop.exit(0)
    }
    #expect(result == nil, "the loop handles other requests before the last URIs")
    _ = try loop.run()
    #expect(result?.refusals.map(\.uri) == Array(uris.dropLast()))
    #expect(result?.uris == ["http://a/1"])
    service.close()
  }
}
