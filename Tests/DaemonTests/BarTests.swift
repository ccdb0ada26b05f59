import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of `segue status --follow` with the real daemon.
@Suite struct BarTests {
  private static func flac(_ title: String) throws -> [UInt8] {
    FLACTags.replace(try AudioFile.read(AudioFile.demo("02 Dawn.flac")), [("TITLE", title), ("ARTIST", "Nina")])
  }

  private func follow(_ fixture: DaemonFixture, _ format: String, _ options: [String] = []) throws -> ClientProcess {
    try ClientProcess(
      ["status", "--follow", "--format", format] + options,
      environment: ["SEGUE_SOCKET": "\(fixture.daemon.socket)"])
  }

  @Test func aFollowingClientSurvivesARestartOfTheDaemon() throws {
    let fixture = try DaemonFixture(.null("test"))
    let first = try fixture.write("1.flac", try Self.flac(#"Q&A <"50%"> \ %{F#f00}"#))
    let second = try fixture.write("2.flac", try Self.flac("千と千尋の神隠し"))
    let bar = try follow(fixture, "{{status}} {{title}}")
    let waybar = try follow(fixture, "{{status}} {{title}}", ["--output", "waybar"])
    #expect(try bar.readLine() == "")
    _ = try waybar.readLine()
    try fixture.add([first, second], play: true)
    _ = try bar.read(upTo: "Playing Q&A <\"50%\"> \\ %{F#f00}\n")
    _ = try waybar.read(upTo: #""text":"Playing Q&amp;A &lt;&quot;50%&quot;&gt; \\ %{F#f00}""#)
    try fixture.call("next")
    _ = try bar.read(upTo: "Playing 千と千尋の神隠し\n")
    _ = try waybar.read(upTo: #""text":"Playing 千と千尋の神隠し""#)
    try fixture.call("pause")
    #expect(try bar.readLine() == "Paused 千と千尋の神隠し")
    for _ in 0..<3 {
      fixture.daemon.kill()
      #expect(try bar.readLine() == "")
      try fixture.daemon.start()
      #expect(try bar.readLine() == "Paused 千と千尋の神隠し")
    }
    #expect(fixture.daemon.stop() == 0)
    #expect(try bar.readLine() == "")
  }

  /// The folder of the socket is missing as well.
  @Test func aFollowingClientStartsBeforeTheDaemon() throws {
    let daemon = try DaemonProcess(running: false)
    let bar = try ClientProcess(
      ["status", "--follow", "--format", "{{status}}"], environment: ["SEGUE_SOCKET": "\(daemon.socket)"])
    #expect(try bar.readLine() == "")
    // The client polls eight times, after 10, 20, 40… milliseconds. It has stopped if it sleeps longer than the last
    // interval.
    try Processes.waitForRest(of: bar.pid, lasting: 2)
    try daemon.start()
    #expect(try bar.readLine() == "Stopped")
  }

  @Test func aFollowingClientUpdatesThePositionDuringPlayback() throws {
    let fixture = try DaemonFixture(.null("test"))
    let bar = try follow(fixture, "{{duration(position)}}")
    try fixture.add([try fixture.write("1.flac", try Self.flac("One"))], play: true)
    var clocks: [String] = []
    while clocks.last != "0:03" {
      let clock = try #require(try bar.readLine())
      if !clock.isEmpty { clocks.append(clock) }
    }
    #expect(clocks == clocks.sorted() && Set(clocks).count == clocks.count && clocks.count > 2, "\(clocks)")
  }

  /// After a thousand events, the client takes hardly more memory than one that has just begun.
  @Test(.disabled(if: Sanitizer.isOn, "sanitizers need additional memory"))
  func aFollowingClientTakesLittleMemory() throws {
    let fixture = try DaemonFixture(.null("test"))
    let bar = try follow(fixture, "{{status}} {{title}}")
    _ = try bar.readLine()
    let clip = try fixture.write("1.flac", try Self.flac("One"))
    try fixture.add([clip, clip], play: true)
    _ = try bar.read(upTo: "Playing One\n")
    for number in 0..<1_000 { try fixture.call("volume", #"{"level":\#(number % 100)}"#) }
    try fixture.call("pause")
    _ = try bar.read(upTo: "Paused One\n")
    let new = try follow(fixture, "{{status}} {{title}}")
    _ = try new.read(upTo: "Paused One\n")
    let (old, fresh) = (Processes.privateDirty(of: bar.pid), Processes.privateDirty(of: new.pid))
    print("\(old >> 10) KiB, \(fresh >> 10) KiB at first")
    #expect(old < fresh + (128 << 10))
    #expect(old < 3 << 19, "most of it is relocated by the linker in debug builds")
  }
}
