import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests that an event says something that its subscribers do not know yet.
@Suite struct EventTests {
  let fixture: DaemonFixture

  init() throws { fixture = try DaemonFixture() }

  /// Whether a client that knows `status` learns something from `next`. It calculates the position itself.
  private func isNews(_ next: Status, after status: Status) -> Bool {
    let elapsed = (next.monotonic - status.monotonic).seconds * status.rate
    let error = (next.position ?? .zero).seconds - (status.position ?? .zero).seconds - elapsed
    guard abs(error) < 0.000_5 + (status.rate > 0 ? 0.010 : 0), (next.position == nil) == (status.position == nil)
    else {
      return true
    }
    var next = next
    (next.position, next.monotonic, next.output.latency) = (status.position, status.monotonic, status.output.latency)
    if let buffered = status.stream?.buffered { next.stream?.buffered = buffered }
    return next != status
  }

  /// The statuses of all events of the player until `condition` is satisfied.
  private func statuses(until condition: (Status) -> Bool) throws -> [Status] {
    var statuses: [Status] = []
    while true {
      let status = Status(try fixture.watcher.event(of: "player"))
      statuses.append(status)
      if condition(status) { return statuses }
    }
  }

  private func expectNews(_ statuses: [Status], _ location: SourceLocation = #_sourceLocation) {
    for (status, next) in zip(statuses, statuses.dropFirst()) where !isNews(next, after: status) {
      Issue.record("the event says nothing new: \(next)", sourceLocation: location)
    }
  }

  @Test func noEventRepeatsThePreviousOneWhileTracksFollowEachOther() throws {
    try fixture.add(try fixture.album([30_000, 30_000, 30_000]), play: true)
    var played: Set<Int> = []
    let statuses = try statuses { status in
      if status.rate == 1, let index = status.index { played.insert(index) }
      return status.state == .stopped && played == [0, 1, 2]
    }
    expectNews(statuses)
  }

  @Test func noEventRepeatsThePreviousOneAfterCommands() throws {
    try fixture.add(try fixture.album([400_000, 400_000]), play: true)
    for (method, params) in [
      ("pause", nil), ("play", nil), ("seek", #"{"position":3}"#), ("next", nil), ("prev", nil), ("pause", nil),
      ("seek", #"{"offset":1}"#), ("speed", #"{"factor":1.5}"#), ("play", nil), ("volume", #"{"level":30}"#),
    ] {
      try fixture.client.call(method, params)
    }
    try fixture.wait { $0.rate == 1.5 }
    try fixture.client.call("stop")
    try fixture.client.call("volume", #"{"level":31}"#)
    expectNews(try statuses { $0.volume == 31 })
  }

  /// A request of each kind is made twice, and nothing is announced after the second one.
  @Test(arguments: [
    ("volume", #"{"level":40}"#), ("volume", #"{"muted":true}"#), ("repeat", #"{"mode":"all"}"#),
    ("shuffle", #"{"mode":"tracks"}"#), ("consume", #"{"on":true}"#), ("speed", #"{"factor":1.5}"#),
    ("gain", #"{"mode":"album"}"#), ("sleep", #"{"off":true}"#), ("pause", nil), ("stop", nil), ("queue.clear", nil),
    ("favorites.add", #"{"uris":["http://127.0.0.1:9/a"]}"#),
    ("favorites.remove", #"{"uris":["http://127.0.0.1:9/a"]}"#),
    ("rating.set", #"["http://127.0.0.1:9/a",7]"#), ("settings.set", #"["player.fallbackGain",-3]"#),
    ("settings.reset", #"["player.fallbackGain"]"#), ("output.set", "[null]"),
  ])
  func aRequestThatChangesNothingIsNotAnnounced(_ method: String, _ params: String?) throws {
    try waitUntil("the music folder is scanned") {
      let library = LibraryStatus(try fixture.client.call("library.status"))
      return !library.scanning && library.folders.allSatisfy { $0.state != .unknown }
    }
    try fixture.client.call(method, params)
    try fixture.client.call(method, params)
    // Whatever is announced late belongs to the first two requests.
    _ = try announced(before: 1)
    try fixture.client.call(method, params)
    let topics = try announced(before: 2)
    #expect(topics == [])
  }

  /// Both requests are carried out before the loop tells the subscribers of a change, and nothing has changed then.
  @Test func aClientLearnsThatItsChangeWasUndoneAtOnce() throws {
    // Proof: this thread waits while the loop uses them.
    nonisolated(unsafe) let (first, second) = (fixture.client, try fixture.daemon.connect())
    try first.call("volume", "[40]")
    try first.call("subscribe", #"{"topics":["player"]}"#)
    let requests = try fixture.daemon.whileItHandlesNothing {
      (try first.sendRequest("volume", "[50]"), try second.sendRequest("volume", "[40]"))
    }
    #expect(try first.response(to: requests.0)["volume"]?.int == 50)
    #expect(try second.response(to: requests.1)["volume"]?.int == 40)
    _ = try first.event(of: "player") { $0["volume"]?.int == 40 }
  }

  /// A client that was connected before can compare its versions.
  @Test func allVersionsGrowWhenTheDaemonStarts() throws {
    func versions() throws -> [UInt64] {
      let snapshot = Snapshot(try fixture.client.call("subscribe"))
      let lists = [snapshot.favorites, snapshot.playlists, snapshot.ratings, snapshot.history]
      return [snapshot.status.version, snapshot.queue.version, snapshot.library.version] + lists.map(\.version)
    }
    try fixture.add([try fixture.track("1", 0..<100), try fixture.track("2", 0..<100)])
    let before = try versions()
    fixture.daemon.stop()
    try fixture.daemon.start([])
    try fixture.reconnect()
    let after = try versions()
    #expect(zip(before, after).allSatisfy(<), "\(before) \(after)")
  }

  /// Changes a setting, and returns the topics of all events before that of the setting.
  private func announced(before fade: Int) throws -> [String] {
    try fixture.client.call("settings.set", "[\"player.fade\",\(fade)]")
    var topics: [String] = []
    while true {
      let event = try fixture.watcher.event()
      let topic = event["topic"]?.string ?? ""
      let settings = topic == "settings" ? event["data"]?["settings"]?.elements ?? [] : []
      if settings.contains(where: { $0["name"]?.string == "player.fade" && $0["value"]?.int == fade }) { return topics }
      topics.append(topic)
    }
  }
}
