// Thread: the test's, which creates and ends the peer. A thread of its own receives requests. Shared state is constant
// or guarded by a lock.
internal import Glibc
public import SegueSystem
public import SegueWire
public import SegueWorkerProtocol
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

    /// Responds to request `id` with `bytes`. They are all there are unless they end with a failure.
    public func send(
      _ bytes: [UInt8], of resource: FetchedResource, to id: UInt32, endingWith failure: Failure? = nil
    ) throws {
      try send(Body(bytes), from: 0, of: resource, to: id, endingWith: failure)
    }

    /// Responds to request `id` with `bytes`, which must fit into the buffer of a socket. Nothing follows them until
    /// the descriptor that this returns is released.
    public func sendBeginning(
      _ bytes: [UInt8], of resource: FetchedResource, to id: UInt32
    ) throws -> SharedDescriptor {
      let (worker, own) = try UnixSocket.pair(of: .bytes)
      let end = Descriptor(owning: worker)
      let rest = SharedDescriptor(Descriptor(owning: own))
      _ = try checked("write") { write(own, bytes, bytes.count) }
      try link.send(FetchResponse.opened(id: id, resource), descriptors: [end.raw])
      return rest
    }

    /// Responds to request `id` with the bytes of `body` from `offset` on.
    public func send(
      _ body: Body, from offset: Int64, of resource: FetchedResource, to id: UInt32, endingWith failure: Failure? = nil
    ) throws {
      try link.send(FetchResponse.opened(id: id, resource), descriptors: [try body.descriptor(at: offset)])
      try link.send(failure.map { FetchResponse.failed(id: id, $0) } ?? .ended(id: id))
    }
  }

  /// Bytes that a worker can read without waiting.
  public final class Body: Sendable {
    private let memory: Descriptor
    /// The number of bytes.
    public let size: Int64
    /// The descriptors that were sent. A worker shares their positions.
    private let sent = Mutex<[SharedDescriptor]>([])

    public init(_ bytes: [UInt8]) throws {
      size = Int64(bytes.count)
      memory = try MemoryFile.create("body", size: bytes.count)
      try bytes.withUnsafeBytes { try MemoryFile.write($0, to: memory) }
    }

    fileprivate func descriptor(at offset: Int64) throws -> Int32 {
      let raw = try checked("open", "body") { open("/proc/self/fd/\(memory.raw)", O_RDONLY | O_CLOEXEC) }
      let descriptor = SharedDescriptor(Descriptor(owning: raw))
      lseek(raw, off_t(offset), SEEK_SET)
      sent.withLock { $0.append(descriptor) }
      return raw
    }

    /// The position up to which the worker has read with each request that got these bytes.
    public var positions: [Int64] { sent.withLock { $0.map { Int64(lseek($0.raw, 0, SEEK_CUR)) } } }
  }
}
