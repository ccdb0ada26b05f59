import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Synchronization
import Testing

/// Tests of streams with the client, a real daemon and a sound server.
@Suite struct StreamClientTests {
  let fixture: DaemonFixture

  init() throws { fixture = try DaemonFixture() }

  private func segue(_ words: String..., on place: ClientProcess.Place = .pipe) throws -> ClientProcess.Outcome {
    try ClientProcess.run(
      words, environment: ["SEGUE_SOCKET": "\(fixture.daemon.socket)", "NO_COLOR": "1"], on: place,
      folder: fixture.folder)
  }

  /// Returns a URL of a port at which nothing listens.
  private func deadURL() throws -> String { try WebServer(.error(500)).url("dead.mp3") }

  @Test func thePasswordInAURLIsNeitherShownNorLogged() throws {
    let outcome = try segue("play", try deadURL().replacing("http://", with: "http://name:secret@"))
    #expect(outcome.code == 1 && !outcome.errorText.contains("secret"), "\(outcome.errorText)")
    let list = try segue("list").lines
    #expect(list.contains { $0.contains("127.0.0.1") } && !list.joined().contains("secret"), "\(list)")
    try waitUntil("the failure is logged") { fixture.daemon.errors.contains("skipped") }
    #expect(!fixture.daemon.errors.contains("secret"))
  }

  /// A server that remembers what was requested from it.
  private final class Requests: Sendable {
    private let lines = Mutex<[String]>([])

    func append(_ request: String) {
      lines.withLock { $0.append(String(request.prefix { $0 != "\r\n" })) }
    }

    var first: String? { lines.withLock { $0.first } }
  }
}
