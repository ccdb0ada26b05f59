import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// The essentials against PipeWire's PulseAudio server.
@Suite(.enabled(if: PipeWireServer.isInstalled, "pipewire-pulse, wireplumber or dbus-daemon is not installed"))
struct PipeWireTests {
  /// It makes the sink's rate of what it is given even where both are the same: its filter rings for some frames where a
  /// sound begins or ends and, with these numbers, where one of their halves does. What is longer is music as it was sent.
  private func clear(_ runs: some Sequence<Score.Run>) -> [Score.Run] {
    runs.filter { $0.first != nil && $0.count > Self.ringing }
  }

  private static let ringing = 100

  @Test func itPlaysPausesSeeksAndOutlivesTheServer() throws {
    let server = try PipeWireServer()
    let daemon = try DaemonProcess(environment: ["PULSE_SERVER": server.address])
    let client = try daemon.connect()
    let watcher = try daemon.connect()
    try watcher.call("subscribe")
    func ask(_ method: String, _ params: String? = nil) throws -> Status { Status(try client.call(method, params)) }
    func wait(until condition: (Status) -> Bool) throws -> Status {
      while true {
        let status = try ask("status")
        if condition(status) { return status }
        _ = try watcher.event()
      }
    }
    var ear = Ear(try server.record())
    let path = daemon.directory.appending("long.wav")
    try AudioFile.write(AudioFile.wave(Signal.pcm(0..<(40 * Signal.rate))), to: path)
    try client.call("queue.add", #"{"uris":[\#(quoted(FileURI.encode(path)))],"play":true}"#)
    try ear.listen(toFrame: 30_000)
    #expect(try wait { $0.rate == 1 && $0.output.device != nil }.output.device == "test")

    // A pause loses nothing, and a seek is heard. When the machine has no time for it, PipeWire plays silence for a moment
    // and goes on: what counts is the first that is heard, not all of it.
    try client.call("pause")
    try ear.listen(for: "silence") { $0.silence > 4_000 }
    let end = try #require(clear(ear.score.runs).last).end
    let pause = ear.score.runs.count
    #expect(try ask("play").state == .playing)
    try ear.listen(toFrame: end + 20_000)
    let again = try #require(clear(ear.score.runs[pause...]).first?.first)
    #expect((0..<Self.ringing).contains(again - end), "paused at \(end), went on at \(again)")
    try client.call("seek", #"{"position":20}"#)
    try ear.listen(toFrame: 20 * Signal.rate + 30_000)
    let sought = clear(ear.score.runs).compactMap(\.first).first { $0 > 19 * Signal.rate }
    let target = try #require(sought) - 20 * Signal.rate
    #expect((0..<Self.ringing).contains(target), "\(target) frames behind the target")

    // It goes, and comes.
    for round in 1...2 {
      let heard = try #require(ear.score.now)
      server.kill()
      let lost = try wait { $0.output.state == .lost }
      #expect(lost.state == .playing)
      #expect(lost.rate == 0)
      #expect(abs((lost.position ?? .zero).seconds - Double(heard) / Double(Signal.rate)) < 1)
      try server.start()
      ear = Ear(try server.record())
      try ear.listen(for: "the music to go on") { ($0.sound.last?.count ?? 0) > 10_000 }
      let back = try wait { $0.rate == 1 && $0.output.state == .open }
      #expect(back.output.reconnects >= round)
      #expect((back.position ?? .zero) >= (lost.position ?? .zero))
    }
    #expect(try ask("stop").state == .stopped)
  }
}
