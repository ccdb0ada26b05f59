import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the connection states of streams.
@Suite struct StreamStateTests {
  let fixture: DaemonFixture

  init() throws { fixture = try DaemonFixture() }

  private func wait(for state: StreamStatus.State?) throws -> Status { try fixture.wait { $0.stream?.state == state } }

  @Test func aStationConnectsAndIsLive() throws {
    let station = try Station("Radio Q", .silent)
    try fixture.add(uris: [station.url], play: true)
    let connecting = try fixture.status()
    #expect(connecting.stream == StreamStatus(state: .connecting, buffered: .zero, station: nil))
    #expect(connecting.state == .playing && connecting.rate == 0)
    station.set(.sending)
    let live = try wait(for: .live)
    #expect(live.stream?.station == "Radio Q")
    #expect((live.stream?.buffered ?? .zero) > .zero)
    #expect(live.durationKind == .unbounded)
    #expect(live.track?.metadata.title == "Radio Q" && live.track?.metadata.stream == nil)
    #expect(try fixture.client.call("list")["tracks"]?.elements?.first?["metadata"]?["title"]?.string == "Radio Q")
  }

  @Test func filesAndStoppedStreamsHaveNoState() throws {
    let station = try Station()
    try fixture.add([try fixture.track("file", 0..<400_000)], play: true)
    #expect(try fixture.wait { $0.rate == 1 }.stream == nil)
    try fixture.add(uris: [station.url], at: #""next""#, play: true)
    _ = try wait(for: .live)
    let stopped = try fixture.call("stop")
    #expect(stopped.stream == StreamStatus(state: nil, buffered: .zero, station: nil))
  }

  @Test func aRecordingOnAServerIsNotLive() throws {
    let web = try WebServer(.file(AudioFile.wave(Signal.pcm(0..<400_000))))
    try fixture.add(uris: [web.url("a.wav")], play: true)
    let playing = try fixture.wait { $0.rate == 1 }
    #expect(playing.stream?.state == nil && playing.stream?.station == nil)
    try waitUntil("a second is buffered") { (try fixture.status().stream?.buffered ?? .zero) > .seconds(1) }
    #expect((try fixture.status().stream?.buffered ?? .maximum) < .seconds(400_000.0 / 44_100))
  }

  @Test func aLostStationPlaysWhatIsLeftAndConnectsAgain() throws {
    let station = try Station()
    try fixture.add(uris: [station.url], play: true)
    _ = try wait(for: .live)
    for _ in 0..<2 {
      station.set(.down)
      let lost = try wait(for: .connecting)
      #expect(lost.state == .playing && lost.rate == 0 && lost.track?.error == nil)
      #expect(lost.stream?.station == "Test")
      station.set(.sending)
      #expect(try wait(for: .live).rate == 1)
    }
  }

  /// A station that answers with a web page, such as that of a proxy, is asked again.
  @Test func aStationThatIsReplacedByAPageConnectsAgain() throws {
    let station = try Station()
    try fixture.add(uris: [station.url], play: true)
    _ = try wait(for: .live)
    station.set(.page)
    _ = try wait(for: .connecting)
    let count = station.requestCount
    try waitUntil("the station is asked again") { station.requestCount > count + 1 }
    station.set(.sending)
    #expect(try wait(for: .live).rate == 1)
  }

  @Test func aStationThatSendsNothingIsBuffering() throws {
    let station = try Station()
    try fixture.add(uris: [station.url], play: true)
    _ = try wait(for: .live)
    station.set(.stalled)
    let buffering = try wait(for: .buffering)
    #expect(buffering.stream?.buffered == .zero && buffering.rate == 0)
    station.set(.sending)
    #expect(try wait(for: .live).rate == 1)
  }

  @Test func anotherTrackPlaysAtOnceDuringARetry() throws {
    let station = try Station()
    let other = try Station("Other")
    try fixture.add(uris: [station.url, other.url, FileURI.encode(try fixture.track("file", 0..<400_000))], play: true)
    _ = try wait(for: .live)
    station.set(.down)
    _ = try wait(for: .connecting)
    try fixture.call("next")
    #expect(try wait(for: .live).stream?.station == "Other")
    other.set(.down)
    _ = try wait(for: .connecting)
    try fixture.call("next")
    #expect(try fixture.wait { $0.rate == 1 }.index == 2)
    #expect(try fixture.client.call("daemon.stats")["workersLost"]?.int == 0)
  }

  @Test func aPausedStationContinuesAfterARetry() throws {
    let station = try Station()
    try fixture.add(uris: [station.url], play: true)
    _ = try wait(for: .live)
    station.set(.down)
    _ = try wait(for: .connecting)
    let paused = try fixture.call("pause")
    #expect(paused.state == .paused && paused.stream?.state == nil)
    #expect(try fixture.call("play").stream?.state == .connecting)
    station.set(.sending)
    _ = try wait(for: .live)
  }

  @Test func listsShowTheNameOfAStation() throws {
    let station = try Station("Radio Q")
    let other = try Station("Radio R")
    // One becomes a favorite before its name is known, the other one afterwards.
    for url in [station.url, other.url] {
      if url == station.url { try fixture.client.call("favorites.add", #"{"uris":["\#(url)"]}"#) }
      try fixture.add(uris: [url], play: true)
      _ = try fixture.wait { $0.track?.uri == url && $0.stream?.state == .live }
      if url == other.url { try fixture.client.call("favorites.add", #"{"uris":["\#(url)"]}"#) }
    }
    try fixture.client.call("playlists.save", #"{"name":"radio"}"#)
    try fixture.client.call("queue.clear")
    let names = ["Radio Q", "Radio R"]
    for (method, params) in [("favorites.list", #"{"order":"ascending"}"#), ("playlists.load", #"{"name":"radio"}"#)] {
      let tracks = try fixture.client.call(method, params)["tracks"]?.elements ?? []
      #expect(tracks.map { $0["metadata"]?["title"]?.string } == names, "\(method)")
    }
    try fixture.client.call("queue.add", #"{"uris":["segue:playlist/radio"]}"#)
    let tracks = try fixture.client.call("list")["tracks"]?.elements ?? []
    #expect(tracks.map { $0["metadata"]?["title"]?.string } == names)
  }

  @Test func titlesOfAStationReplaceEachOther() throws {
    let station = try Station("Radio Q")
    station.send(title: "A - B")
    try fixture.add(uris: [station.url], play: true)
    let titled = try fixture.wait { $0.track?.metadata.stream == "A - B" }
    #expect(titled.track?.metadata.title == "Radio Q")
    station.send(title: "RADIO Q")
    _ = try fixture.wait { $0.track?.metadata.stream == nil }
    station.send(title: "C")
    _ = try fixture.wait { $0.track?.metadata.stream == "C" }
    station.send(title: "-")
    _ = try fixture.wait { $0.track?.metadata.stream == nil }
  }

  @Test func aTitleThatArrivesBeforeTheFirstAudioIsHeard_isShown() throws {
    let fixture = try DaemonFixture(latency: .seconds(1))
    let station = try Station()
    station.send(title: "A")
    try fixture.add(uris: [station.url], play: true)
    try waitUntil("the output has PCM") { (try fixture.status().output.latency ?? .zero) > .zero }
    station.send(title: "B")
    let heard = try fixture.wait { $0.track?.metadata.stream == "B" }
    #expect(try #require(heard.position) > .zero)
  }

  @Test func aTitleThatArrivesDuringAPause_isShownWhenItsAudioIsHeard() throws {
    let station = try Station()
    station.send(title: "A")
    try fixture.add(uris: [station.url], play: true)
    _ = try fixture.wait { $0.track?.metadata.stream == "A" }
    let paused = try fixture.call("pause")
    let buffered = try #require(paused.stream?.buffered)
    station.send(title: "B")
    // A tenth of a second of audio follows the title at most.
    try waitUntil("the title is decoded") {
      (try fixture.status().stream?.buffered ?? .zero) > buffered + .milliseconds(500)
    }
    let waiting = try fixture.call("play")
    #expect(waiting.track?.metadata.stream == "A")
    let heard = try fixture.wait { $0.track?.metadata.stream == "B" }
    let (start, end) = try (#require(paused.position), #require(heard.position))
    #expect(end - start > buffered - .milliseconds(100))
  }
}
