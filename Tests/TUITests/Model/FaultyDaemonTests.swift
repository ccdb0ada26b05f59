import Glibc
import SegueClientKit
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueTUI

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
    _ = model.update(.changed(.queue(QueueSummary(version: 2, length: length))), at: interface.now)
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
    #expect(
      model.update(.changed(.queue(QueueSummary(version: 2, length: 5))), at: now) == [.call(.read(.queue, .page(0)))])
  }

  @Test func aPageThatAnswersALaterRequestIsCurrentWhateverItsVersionIs() {
    var (model, _, now) = Self.subscribed(to: 7)
    #expect(model.update(.response(.read(.queue, .page(0)), .success(Self.page(version: 3))), at: now) == [])
    #expect(model.frame().grid.lines[2].contains("So What"))
    // A page that was requested before the change is requested again.
    #expect(
      model.update(.changed(.queue(QueueSummary(version: 8, length: 5))), at: now) == [.call(.read(.queue, .page(0)))])
    #expect(model.update(.changed(.queue(QueueSummary(version: 9, length: 5))), at: now) == [])
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
    #expect(TerminalPicture(path) == nil)
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
