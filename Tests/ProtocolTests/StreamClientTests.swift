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

  @Test func playPrintsTheStationWhenItPlays() throws {
    let station = try Station("Radio Q")
    let outcome = try segue("play", station.url)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    #expect(outcome.lines.first?.hasPrefix("playing Radio Q  0:00 (live)") == true, "\(outcome.lines)")
    let fields = try segue("status").lines
    #expect(fields.contains("stream: live") && fields.contains("station: Radio Q") && fields.contains("title: Radio Q"))
    #expect(try segue("status", "--format", "{{stream}} {{station}}").lines == ["live Radio Q"])
  }

  @Test func playFailsForADeadServer() throws {
    let outcome = try segue("play", try deadURL())
    #expect(outcome.code == 1)
    #expect(outcome.errorText.contains("cannot connect to the server") && outcome.errorText.contains("(offline)"))
  }

  /// The next entry of the queue plays, and the error is still that of the URL.
  @Test func playFailsForADeadServerBesideOtherTracks() throws {
    try fixture.add([try fixture.track("file", 0..<400_000)], play: true)
    try fixture.add([try fixture.track("next", 0..<400_000)])
    let outcome = try segue("play", try deadURL())
    #expect(outcome.code == 1 && outcome.errorText.contains("(offline)"), "\(outcome.errorText)")
    #expect(try segue("play", "http://no-such-host.invalid/").code == 1)
    let error = try WebServer(.error(404))
    let missing = try segue("play", error.url("a.mp3"))
    #expect(missing.code == 1 && missing.errorText.contains("(not_found)"), "\(missing.errorText)")
    #expect(try fixture.status().state == .playing)
  }

  @Test func playReportsAServerThatDoesNotAnswer() throws {
    let station = try Station("Radio Q", .silent)
    let outcome = try segue("play", station.url)
    #expect(outcome.code == 0)
    #expect(outcome.lines.first?.hasSuffix("(connecting)") == true, "\(outcome.lines)")
    #expect(try segue("status", on: .terminal(columns: 80)).lines.contains { $0.hasSuffix("connecting") })
    station.set(.sending)
    _ = try fixture.wait { $0.stream?.state == .live }
    let screen = try segue("status", on: .terminal(columns: 80)).lines
    #expect(screen.contains { $0.contains("Radio Q") } && !screen.contains { $0.contains("connecting") }, "\(screen)")
  }

  /// A server that remembers what was requested from it.
  private final class Requests: Sendable {
    private let lines = Mutex<[String]>([])

    func append(_ request: String) {
      lines.withLock { $0.append(String(request.prefix { $0 != "\r\n" })) }
    }

    var first: String? { lines.withLock { $0.first } }
  }

  @Test(arguments: ["argument", "playlist"])
  func urlsWithSpacesAndUmlautsPlay(_ source: String) throws {
    let requests = Requests()
    let file = AudioFile.wave(Signal.pcm(0..<100_000))
    let server = try WebServer { request, client in
      requests.append(request)
      let head = "HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nContent-Length: \(file.count)\r\n\r\n"
      return client.send(head) && client.send(file)
    }
    let url = "http://bücher.localhost:\(server.port)/Über uns.wav?q=ü 1"
    let outcome: ClientProcess.Outcome
    if source == "playlist" {
      try fixture.write("list.m3u8", "\(url)\n")
      outcome = try segue("play", "list.m3u8")
    } else {
      outcome = try segue("play", url)
    }
    #expect(outcome.code == 0, "\(outcome.errorText)")
    #expect(requests.first == "GET /%C3%9Cber%20uns.wav?q=%C3%BC%201 HTTP/1.1")
    #expect(outcome.lines.first?.contains(url) == true, "\(outcome.lines)")
    let track = try fixture.status().track
    #expect(track?.uri == "http://bücher.localhost:\(server.port)/%C3%9Cber%20uns.wav?q=%C3%BC%201")
    #expect(track?.metadata.title == url)
  }
}
