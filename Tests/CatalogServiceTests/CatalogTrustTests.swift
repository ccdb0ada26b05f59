import Glibc
import SegueCatalogProviders
import SegueLoop
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

@testable import SegueCatalogService

/// Tests of results that the fetch process must not send. The other end of its channel is the test.
@MainActor @Suite(.timeLimit(.minutes(1))) struct CatalogTrustTests {
  private let loop: EventLoop
  private let folder: TemporaryFolder
  private let service: CatalogService
  private let peer: CatalogPeer
  private let result: ResultText

  /// The result that the fetch process sends as the response to every query.
  @MainActor private final class ResultText { var json = "{}" }

  private static func respond(to packet: inout LinkPacket, over socket: LinkSocket, with result: String) -> Bool {
    guard case .query(let id, _, _, _, _)? = CatalogFetchRequest(packet), let file = packet.takeDescriptor() else {
      return false
    }
    do {
      try Array(result.utf8).withUnsafeBytes { try MemoryFile.write($0, to: file) }
      try socket.send(
        CatalogFetchResponse.result(id: id, size: result.utf8.count, CatalogOrigin(version: nil, scope: .public)))
    } catch {
      Issue.record(error)
    }
    return true
  }

  init() throws {
    folder = try TemporaryFolder()
    let loop = try EventLoop()
    let result = ResultText()
    let peer = CatalogPeer(loop) { packet, socket, _ in Self.respond(to: &packet, over: socket, with: result.json) }
    service = try CatalogService(
      loop: loop, cacheFolder: folder.path, tokenFolder: folder.path, connection: peer.connection,
      collate: { _, then in then(nil) })
    var settings = CatalogSettings()
    // Nothing is sent to this address, to which every machine has a route.
    settings.configuration[ITunesProvider.apiURL] = try BaseURL("http://127.0.0.1:9")
    service.settings = settings
    (self.loop, self.peer, self.result) = (loop, peer, result)
  }

  /// Answers queries one after another, each with a result that has entries with the texts of items.
  private func answer(
    _ queries: (subject: CatalogQuery.Subject, items: [String])...
  ) throws -> [Result<CatalogAnswer, Failure>] {
    var answers: [Result<CatalogAnswer, Failure>] = []
    func answerNext() {
      guard answers.count < queries.count else { return loop.exit(0) }
      let (subject, items) = queries[answers.count]
      let entries = items.map { #"{"item":\#($0),"stream":"http://192.0.2.1/a"}"# }.joined(separator: ",")
      result.json = #"{"entries":[\#(entries)],"offset":0,"total":null}"#
      service.answer(subject, from: "itunes") { result in
        answers.append(result)
        answerNext()
      }
    }
    answerNext()
    _ = try loop.run()
    service.close()
    return answers
  }

  private func item(_ uri: String, kind: String = "song", provider: String = "itunes") -> String {
    #"{"uri":"\#(uri)","kind":"\#(kind)","title":"t","provider":"\#(provider)"}"#
  }

  @Test func itemsOfTheProvider_areAccepted() throws {
    let song = try CatalogItemURI("itunes:song:5")
    let answers = try answer(
      (.details(song), [item(song.uri), item("itunes:album:6", kind: "album")]), (.search(.song, "text"), []))
    #expect(try answers[0].get().result.entries.map(\.item.uri) == ["itunes:song:5", "itunes:album:6"])
    #expect(try answers[1].get().result.entries.isEmpty)
  }

  @Test(arguments: [
    ("tmdb:film:5", "film", "itunes"), ("file:///home/user/a.flac", "song", "itunes"), ("u", "song", "itunes"),
    ("itunes:film:5", "song", "itunes"), ("ITUNES:song:5", "song", "itunes"), ("itunes:song:05", "song", "itunes"),
    ("itunes:song:5", "song", "tmdb"),
  ]) func itemThatIsNotOneOfTheProvider_failsTheResult(uri: String, kind: String, provider: String) throws {
    let hostile = item(uri, kind: kind, provider: provider)
    let answers = try answer(
      (.search(.song, "text"), [item("itunes:song:1"), hostile]), (.search(.song, "text"), [item("itunes:song:2")]))
    let failure = thrown(Failure.self) { try answers[0].get() }
    #expect(failure?.kind == .unavailable)
    // Neither is the result in the cache.
    #expect(try answers[1].get().result.entries.map(\.item.uri) == ["itunes:song:2"])
  }

  @Test func detailsOfAnotherItem_fail() throws {
    let song = CatalogQuery.Subject.details(try CatalogItemURI("itunes:song:5"))
    for answer in try answer((song, [item("itunes:song:6"), item("itunes:song:5")]), (song, [])) {
      let failure = thrown(Failure.self) { try answer.get() }
      #expect(failure?.kind == .unavailable)
    }
  }
}
