// The thread of the test creates and ends the peer. A thread of its own receives requests. Shared state is constant or guarded
// by a lock.
internal import Glibc
public import SegueLink
public import SegueSystem
internal import Synchronization

/// A test in place of the fetch process: it responds to the requests of a decoding worker, in an order that the network
/// cannot be made to produce.
public final class FetchPeer: Sendable {
  private let socket: Descriptor
  /// The end of the channel that a worker gets.
  public let workerEnd: Descriptor
  private let received: RequestLog

  private final class RequestLog: Sendable {
    let requests = Mutex<[FetchRequest]>([])
  }

  /// - Parameter respond: The handler of requests, called on the thread of the peer.
  public init(_ respond: @escaping @Sendable (FetchRequest, Channel) throws -> Void) throws {
    let (ours, theirs) = try UnixSocket.pair(of: .packets)
    socket = Descriptor(owning: ours)
    workerEnd = Descriptor(owning: theirs)
    received = RequestLog()
    let copy = fcntl(socket.raw, F_DUPFD_CLOEXEC, 0)
    TestThread { [received] in
      let channel = Channel(link: LinkSocket(Descriptor(owning: copy)))
      while let packet = try? channel.link.receive(), let request = FetchRequest(packet) {
        received.requests.withLock { $0.append(request) }
        do { try respond(request, channel) } catch { return }
      }
    }.detach()
  }

  deinit { disconnect() }

  /// Closes the channel, as the end of the fetch process does.
  public func disconnect() { shutdown(socket.raw, Int32(SHUT_RDWR)) }

  /// The requests so far.
  public var requests: [FetchRequest] { received.requests.withLock(\.self) }
}

extension FetchPeer {
  /// The channel to the worker. Only the thread of the peer uses it.
  public struct Channel {
    fileprivate let link: LinkSocket

    public func send(_ response: FetchResponse) throws { try link.send(response) }

    /// Responds to request `id` with all of `bytes`.
    public func send(_ bytes: [UInt8], of resource: FetchedResource, to id: UInt32) throws {
      let file = try MemoryFile.create("body", size: bytes.count)
      try bytes.withUnsafeBytes { try MemoryFile.write($0, to: file) }
      try link.send(FetchResponse.opened(id: id, resource), descriptors: [file.raw])
      try link.send(FetchResponse.ended(id: id))
    }
  }
}
