import Glibc
import SegueLink
import SegueLoop
import SegueSystem
import Testing

/// What the loop watches.
@MainActor @Suite struct LoopTests {
  /// As a worker has it: what closes the socket is let go of before what watches it.
  private final class Watched {
    let link: LinkSocket
    let source: IOSource

    @MainActor init(_ link: LinkSocket, on loop: EventLoop) throws(SystemError) {
      self.link = link
      source = try IOSource(on: loop, descriptor: link.raw, of: link, for: .readable) { _ in
        Issue.record("it is watched no more")
      }
    }
  }

  private static func watch(on loop: EventLoop) throws -> (watched: Watched, other: LinkSocket) {
    let (ours, theirs) = try LinkSocket.pair()
    return (try Watched(ours, on: loop), theirs)
  }

  /// A child that another thread is just starting has a copy of every descriptor.
  @Test func nobodyIsToldOfWhatIsWatchedNoMore() throws {
    let loop = try EventLoop()
    var (watched, other): (Watched?, LinkSocket) = try Self.watch(on: loop)
    let copy = try checked("dup") { dup(watched?.link.raw ?? -1) }
    defer { close(copy) }
    let counter = try EventCounter()
    let end = try IOSource(on: loop, descriptor: counter.raw, of: counter, for: .readable) { _ in loop.exit(7) }
    counter.raise()
    watched = nil
    try other.send(WorkerCommand.halt)
    #expect(try loop.run() == 7)
    withExtendedLifetime(end) {}
  }
}
