import Glibc
import SegueFrontend
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueTerminal

/// Tests of a daemon whose data are invalid or whose requests fail.
@Suite struct FaultyDaemonTests {
  @Test(arguments: [(-4, 5), (9, 5), (0, -3), (Int.max, Int.max), (Int.max - 1, Int.max), (2, 0)])
  func lengthsAndIndicesOutOfRangeAreLimited(index: Int, length: Int) {
    let interface = Interface(playing: 0)
    var status = interface.status
    (status.index, status.length) = (index, length)
    var model = Model(
      size: ScreenSize(rows: 24, columns: 80), appearance: Interface.colored, at: interface.now)
    _ = model.update(.connected, at: interface.now)
    _ = model.update(Self.subscribed(status), at: interface.now)
    for key: Key.Code in [.character("G"), .pageDown, .pageDown, .character("2")] {
      _ = model.update(.input(.key(Key(code: key))), at: interface.now)
      #expect(!model.frame().grid.lines[0].contains("track -"))
    }
    _ = model.update(.queueChanged(version: 2, length: length), at: interface.now)
    #expect(0...(1 << 31) ~= model.state.queue.length)
    #expect(model.state.status?.index.map { $0 < 1 << 31 } ?? true)
  }

  /// Returns a model that has subscribed, and the calls of its last update.
  private static func subscribed(to version: UInt64) -> (model: Model, calls: [InterfaceRequest], now: MonotonicTime) {
    let interface = Interface()
    var status = interface.status
    status.version = version
    var model = Model(
      size: ScreenSize(rows: 24, columns: 80), appearance: Interface.colored, at: interface.now)
    _ = model.update(.connected, at: interface.now)
    let calls = model.update(Self.subscribed(status), at: interface.now)
    return (model, calls, interface.now)
  }

  private static func subscribed(_ status: Status) -> Event {
    .response(.subscribe, .success(Interface.json { $0.member("status", status) }))
  }

  private static let failure = ClientError(.failed, "busy", kind: "busy")

  private static func page(version: UInt64) -> JSON {
    Interface.json(QueuePage(tracks: Interface.album, total: Interface.album.count, offset: 0, version: version))
  }

  @Test func aFailedPageIsRequestedAgainAfterASecondOrAChange() {
    var (model, calls, now) = Self.subscribed(to: 1)
    #expect(calls == [.call(.read(.queue, .page(0)))])
    #expect(model.update(.response(.read(.queue, .page(0)), .failure(Self.failure)), at: now) == [])
    #expect(model.nextTick == now + .seconds(1))
    #expect(model.update(.tick, at: now + .milliseconds(999)) == [])
    #expect(model.update(.tick, at: now + .seconds(1)) == [.call(.read(.queue, .page(0)))])
    // The request is not answered for three seconds.
    #expect(model.nextTick == now + .seconds(4))
    now = now + .seconds(1)
    #expect(model.update(.response(.read(.queue, .page(0)), .failure(Self.failure)), at: now) == [])
    #expect(model.update(.queueChanged(version: 2, length: 5), at: now) == [.call(.read(.queue, .page(0)))])
  }

  @Test func aPageThatAnswersALaterRequestIsCurrentWhateverItsVersionIs() {
    var (model, _, now) = Self.subscribed(to: 7)
    #expect(model.update(.response(.read(.queue, .page(0)), .success(Self.page(version: 3))), at: now) == [])
    #expect(model.frame().grid.lines[2].contains("So What"))
    // A page that was requested before the change is requested again.
    #expect(model.update(.queueChanged(version: 8, length: 5), at: now) == [.call(.read(.queue, .page(0)))])
    #expect(model.update(.queueChanged(version: 9, length: 5), at: now) == [])
    #expect(
      model.update(.response(.read(.queue, .page(0)), .success(Self.page(version: 8))), at: now) == [
        .call(.read(.queue, .page(0)))
      ])
  }

  @Test func aFailedSubscriptionIsShownAndRepeatedAfterASecond() {
    let now = Interface().now
    var model = Model(size: ScreenSize(rows: 24, columns: 80), appearance: Interface.colored, at: now)
    #expect(model.update(.connected, at: now) == [.call(.subscribe)])
    #expect(model.update(.response(.subscribe, .failure(Self.failure)), at: now) == [])
    #expect(model.frame().grid.lines[22].contains("The request has failed: busy."))
    #expect(model.nextTick == now + .seconds(1))
    #expect(model.update(.tick, at: now + .seconds(1)) == [.call(.subscribe)])
    #expect(model.nextTick == now + .seconds(4))
  }

  @Test func aCoverThatIsNoRegularFileIsNotRead() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("cover.png")
    #expect(path.withCString { mkfifo($0, 0o600) } == 0)
    #expect(Picture(path) == nil)
  }

  @Test func aResponseWithoutAResultIsAnError() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("socket")
    let listener = try UnixSocket.listen(at: path)
    let link = DaemonLink(path: path)
    _ = link.handleDeadline()
    let peer = try UnixSocket.accept(from: listener.raw)
    _ = link.send(.toggle)
    let line = Array(#"{"jsonrpc":"2.0","id":1}"#.utf8 + [0x0A])
    #expect(write(peer.raw, line, line.count) == line.count)
    guard case .response(.toggle, .failure(let error))? = link.handleInput().first else {
      Issue.record("the response is dropped")
      return
    }
    #expect(error.message == "the daemon sent a response with neither result nor error")
  }

  /// A daemon that hangs does not accept the connections of a full backlog.
  @Test func connectingDoesNotWaitForADaemonThatHangs() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("socket")
    let listener = Descriptor(owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
    #expect(withUnixAddress(path.bytes) { bind(listener.raw, $0, $1) } == 0)
    #expect(listen(listener.raw, 0) == 0)
    let first = try UnixSocket.connect(to: path)
    let link = DaemonLink(path: path)
    // A link would wait for a new socket after eight attempts if no daemon listened.
    for _ in 0..<9 {
      var events: [Event] = []
      try waitUntil("the link tries to connect") {
        events = link.handleDeadline()
        return !events.isEmpty
      }
      guard case .disconnected(let error) = events[0] else {
        Issue.record("the connection is made: \(events)")
        return
      }
      #expect(PlaybackMessages.lost(error).contains("the daemon does not accept connections"))
    }
    #expect(link.deadline != nil)
    _ = consume first
  }

  /// A daemon with too many clients sends an error without an id and closes the connection.
  @Test func aDaemonThatRefusesTheConnectionIsAskedAtGrowingIntervals() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("socket")
    let listener = try UnixSocket.listen(at: path)
    let link = DaemonLink(path: path)
    let line = Array(
      #"{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"too many clients","data":{"kind":"too_many_clients"}}}"#
        .utf8 + [0x0A])
    for attempt in 0..<6 {
      var events: [Event] = []
      try waitUntil("the link connects") {
        events += link.handleDeadline()
        return !events.isEmpty
      }
      let peer = try UnixSocket.accept(from: listener.raw)
      #expect(line.withUnsafeBytes { write(peer.raw, $0.baseAddress, $0.count) } == line.count)
      _ = shutdown(peer.raw, Int32(SHUT_RDWR))
      // The request fails, or the end of the connection is read.
      events = link.send(.subscribe)
      while events.isEmpty { events = link.handleInput() }
      guard case .disconnected(let error) = events[0] else {
        Issue.record("the connection is not lost: \(events)")
        return
      }
      #expect(error.message == "too many clients")
      #expect(PlaybackMessages.lost(error).contains("too many clients"))
      let delay = try #require(link.deadline) - .now
      #expect(delay <= .milliseconds(10 << attempt))
      if attempt == 5 { #expect(delay > .milliseconds(160)) }
    }
  }

  /// The daemon may accept a connection although its state cannot be read.
  @Test func theReasonOfALossStaysUntilTheStateIsRead() {
    var interface = Interface()
    interface.send(.disconnected(ClientError(.failed, "the response has more than 4 MiB")))
    interface.answering = { if case .subscribe = $0 { .later } else { .atOnce } }
    interface.send(.connected)
    #expect(interface.statusLine.contains("more than 4 MiB"))
    interface.answer()
    #expect(!interface.screen.contains("4 MiB") && interface.screen.contains("So What"))
  }
}
