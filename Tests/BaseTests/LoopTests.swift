import Glibc
import SegueLoop
import SegueSystem
import SegueWorkerProtocol
import Testing

/// Tests of the sources of the event loop.
@MainActor @Suite struct LoopTests {
  /// An owner of a socket and its source. As in a worker, the socket is released before the source.
  private final class Watched {
    let link: LinkSocket
    let source: IOSource

    @MainActor init(_ link: LinkSocket, on loop: EventLoop) throws(SystemError) {
      self.link = link
      source = try IOSource(on: loop, descriptor: link.raw, of: link, for: .readable) { _ in
        Issue.record("the handler was called after the source was released")
      }
    }
  }

  private static func watch(on loop: EventLoop) throws -> (watched: Watched, other: LinkSocket) {
    let (ours, theirs) = try LinkSocket.pair()
    return (try Watched(ours, on: loop), theirs)
  }

  /// The socket stays open after it is closed, because a child process that another thread is starting has a copy of
  /// it.
  @Test func releasedSource_isNotCalled() throws {
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
