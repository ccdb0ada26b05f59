import SegueSystem
import SegueTestKit
import SegueWire
import Synchronization
import Testing

/// Tests of desktop notifications with a private notification server.
@Suite struct NotificationTests {
  /// A server that numbers the notifications and shows none.
  final class NotificationServer: Sendable {
    let service: BusService

    init(_ bus: SessionBus, capabilities: [String] = ["body", "body-markup"], first: UInt32 = 7) throws {
      let last = Mutex(first - 1)
      service = try BusService(
        on: bus.address, name: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications"
      ) { call in
        guard call.member == "Notify" else { return .texts(capabilities) }
        if case .number(let replaced) = call.arguments[1], replaced > 0 { return .number(UInt32(replaced)) }
        return .number(
          last.withLock { last in
            last += 1
            return last
          })
      }
    }

    /// Waits for a notification with this title and returns all.
    func shown(until title: String) throws -> [[BusService.Argument]] {
      try waitUntil("\(title) is shown; so far: \(service.calls)") {
        service.calls.contains { $0.member == "Notify" && $0.arguments[3] == .text(title) }
      }
      return service.calls.filter { $0.member == "Notify" }.map(\.arguments)
    }
  }

  private static let wanted = "[Desktop]\nNotifications=yes\n"

  private func fixture(_ configuration: String = wanted) throws -> (DaemonFixture, SessionBus) {
    let fixture = try DaemonFixture(.null("test"), configuration: configuration)
    return (fixture, try SessionBus(at: fixture.daemon.runtimeFolder.appending("bus")))
  }

  private func track(_ fixture: DaemonFixture, _ name: String, _ tags: [(String, String)]) throws -> FilePath {
    try fixture.write("\(name).flac", FLACTags.replace(try AudioFile.read(Repository.fixture("long.flac")), tags))
  }

  @Test func oneNotificationShowsTheCurrentTrack() throws {
    let (fixture, bus) = try fixture()
    let server = try NotificationServer(bus)
    let names = ["one", "two"].map { name in [("TITLE", name), ("ARTIST", "Tom & <Jerry>"), ("ALBUM", "Best of")] }
    try fixture.add(
      [try fixture.track("plain", 0..<(60 * Signal.rate))] + (try names.map { try track(fixture, $0[0].1, $0) }),
      play: true)
    let first = try #require(try server.shown(until: "plain").last)
    #expect(first[0] == .text("Segue") && first[2] == .text("segue"))
    #expect(first[1] == .number(0) && first[4] == .text("") && first[5] == .list([]) && first[7] == .number(-1))
    #expect(first[6]["desktop-entry"] == .text("segue") && first[6]["transient"] == .number(1))
    #expect(first[6]["urgency"] == .number(0) && first[6]["image-path"] == nil)
    try fixture.call("next")
    let second = try #require(try server.shown(until: "one").last)
    #expect(second[1] == .number(7), "it replaces the first notification")
    #expect(second[4] == .text("Tom &amp; &lt;Jerry&gt; – Best of"))
    // Pause and resume do not start a new track.
    try fixture.call("pause")
    try fixture.call("play")
    try fixture.wait { $0.rate == 1 }
    try fixture.call("next")
    let all = try server.shown(until: "two")
    #expect(all.count { $0[3] == .text("one") } == 1)
    // After a stop the track starts again.
    try fixture.call("stop")
    try fixture.call("play")
    try waitUntil("the second track is shown again") {
      server.service.calls.count { $0.member == "Notify" && $0.arguments[3] == .text("two") } == 2
    }
  }

  @Test func notificationsShowTheCoverAndEscapeMarkupOnlyIfSupported() throws {
    let (fixture, bus) = try fixture()
    let server = try NotificationServer(bus, capabilities: ["body"])
    try fixture.write("a/cover.png", PictureFile.png(200, 400, [30, 200, 30]))
    let path = try track(fixture, "a/one", [("TITLE", "one"), ("ARTIST", "Tom & <Jerry>")])
    try fixture.add([path], play: true)
    try waitUntil("the cover is shown") {
      server.service.calls.contains { $0.member == "Notify" && $0.arguments[6]["image-path"] != nil }
    }
    let last = try #require(try server.shown(until: "one").last)
    #expect(last[4] == .text("Tom & <Jerry>"))
    guard case .text(let uri) = last[6]["image-path"] else { throw Unexpected("the notification has no cover") }
    #expect(try uri == fixture.status().track?.metadata.art)
  }

  /// While the notification server delays a reply, only the latest of the following notifications is kept.
  @Test func skippingTracksShowsOneNotification() throws {
    let (fixture, bus) = try fixture()
    let isRequested = Semaphore()
    let mayReply = Semaphore()
    let service = try BusService(
      on: bus.address, name: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications"
    ) { call in
      guard call.member == "Notify" else { return .texts([]) }
      isRequested.signal()
      mayReply.wait()
      return .number(5)
    }
    try fixture.add(try (0..<10).map { try fixture.track("t\($0)", 0..<(60 * Signal.rate)) }, play: true)
    try #require(isRequested.wait(for: .seconds(30)), "no notification was requested")
    for number in 1..<10 {
      try fixture.wait { $0.rate == 1 }
      try fixture.call("next")
      try fixture.wait { $0.index == number && $0.rate == 1 }
    }
    for _ in 0..<10 { mayReply.signal() }
    let shown = try service.wait(for: 2, "Notify").map { $0.arguments[3] }
    #expect(shown == [.text("t0"), .text("t9")])
  }

  @Test func notificationServersAndBusesThatRestartAreFound() throws {
    let fixture = try DaemonFixture(.null("test"), configuration: Self.wanted)
    try fixture.add(try (0..<4).map { try fixture.track("t\($0)", 0..<(60 * Signal.rate)) }, play: true)
    try fixture.wait { $0.rate == 1 }
    let bus = try SessionBus(at: fixture.daemon.runtimeFolder.appending("bus"))
    // There is no server for this notification.
    let pid = try #require(fixture.daemon.pid)
    try waitUntil("the daemon is on the bus") { try bus.hasConnection(of: pid) }
    let server = try NotificationServer(bus)
    try fixture.call("next")
    #expect(try server.shown(until: "t1").last?[1] == .number(0))
    server.service.close()
    // Another server has other numbers.
    let other = try NotificationServer(bus, first: 30)
    try fixture.call("next")
    #expect(try other.shown(until: "t2").last?[1] == .number(0))
    other.service.close()
    bus.kill()
    try bus.start()
    let third = try NotificationServer(bus)
    try fixture.call("next")
    try waitUntil("the daemon is on the bus again") { try bus.hasConnection(of: pid) }
    #expect(try third.shown(until: "t3").last?[1] == .number(0))
  }

  @Test func notificationsAreOffByDefault() throws {
    let (fixture, bus) = try fixture("")
    let server = try NotificationServer(bus)
    try fixture.add(try ["one", "two", "three"].map { try fixture.track($0, 0..<(60 * Signal.rate)) }, play: true)
    try fixture.wait { $0.rate == 1 }
    try fixture.client.call("settings.set", #"{"name":"desktop.notifications","value":true}"#)
    #expect(try server.shown(until: "one").count == 1, "the current track is shown at once")
    try fixture.client.call("settings.set", #"{"name":"desktop.notifications","value":"no"}"#)
    try fixture.call("next")
    try fixture.wait { $0.index == 1 && $0.rate == 1 }
    try fixture.client.call("settings.reset", #"{"name":"desktop.notifications"}"#)
    try fixture.client.call("settings.set", #"{"name":"desktop.notifications","value":"yes"}"#)
    try fixture.call("next")
    let titles = try server.shown(until: "three").map { $0[3] }
    #expect(titles.first == .text("one") && titles.last == .text("three"))
  }
}
