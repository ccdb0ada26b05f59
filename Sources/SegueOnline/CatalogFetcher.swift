// Thread: the loop. Nothing that the fetch process sends is trusted.

internal import Glibc
internal import SegueCatalog
internal import SegueLink
internal import SegueLoop
public import SegueSystem
public import SegueWire

/// The access to the fetch process.
public struct CatalogConnection {
  /// Returns the daemon's end, which does not block, of a new channel for catalogues. Throws `unavailable`.
  public var open: @MainActor () throws(Failure) -> Descriptor
  /// Kills the fetch process, because it does not respond.
  public var kill: @MainActor (_ reason: String) -> Void

  public init(
    open: @escaping @MainActor () throws(Failure) -> Descriptor, kill: @escaping @MainActor (_ reason: String) -> Void
  ) {
    self.open = open
    self.kill = kill
  }
}

/// The requests to the fetch process that have no response yet. The channel is open only while there are some, so that
/// an idle daemon needs no process.
@MainActor
final class CatalogFetcher {
  /// The response to a request, with the memory file that was sent with it.
  typealias Completion = @MainActor (Result<(response: CatalogFetchResponse, file: SharedFile), Failure>) -> Void

  private struct Pending {
    let file: SharedFile
    let deadline: MonotonicTime
    let then: Completion
  }

  private let connection: CatalogConnection
  private let loop: EventLoop
  private var channel: (socket: LinkSocket, source: IOSource)?
  private var pending: [UInt32: Pending] = [:]
  private var lastID: UInt32 = 0
  private var timer: Timer?

  /// The fetch process responds after ten seconds at the latest.
  private static let timeout = MediaTime.seconds(20)
  /// The maximum number of requests at a time. Their responses need memory in the fetch process.
  static let maximumRequests = 8

  init(loop: EventLoop, connection: CatalogConnection) throws(SystemError) {
    self.loop = loop
    self.connection = connection
    timer = try Timer(on: loop, slack: .seconds(1)) { [weak self] in self?.killIfHung() }
  }

  var isBusy: Bool { pending.count >= Self.maximumRequests }

  /// Sends a request that `make` creates from its id. Returns the id, or nil if `then` was called already.
  @discardableResult
  func send(
    size: Int, _ make: (UInt32) -> CatalogFetchRequest, then: @escaping Completion
  ) -> UInt32? {
    lastID &+= 1
    let id = lastID
    do {
      let file = SharedFile(try MemoryFile.create("segue-catalog", size: size))
      let socket = try openChannel()
      try socket.send(make(id), descriptors: [file.raw])
      pending[id] = Pending(file: file, deadline: .now + Self.timeout, then: then)
      if timer?.isArmed == false { timer?.arm(after: Self.timeout) }
      return id
    } catch let failure as Failure {
      then(.failure(failure))
    } catch {
      then(.failure(Failure(.unavailable, "cannot send a request to the network: \(error)")))
    }
    return nil
  }

  /// Ends a request without a response.
  func cancel(_ id: UInt32) {
    guard pending.removeValue(forKey: id) != nil else { return }
    try? channel?.socket.send(CatalogFetchRequest.cancel(id: id))
    closeIfIdle()
  }

  private func openChannel() throws -> LinkSocket {
    if let channel { return channel.socket }
    let socket = LinkSocket(try connection.open())
    let source = try IOSource(on: loop, descriptor: socket.raw, of: socket, for: .readable) { [weak self] _ in
      self?.receive()
    }
    channel = (socket, source)
    return socket
  }

  private func receive() {
    while let socket = channel?.socket {
      do {
        guard let packet = try socket.receive(), let response = CatalogFetchResponse(packet) else {
          return fail(Failure(.unavailable, "the process that reads from the network has ended"))
        }
        // The response to a request that was cancelled meanwhile is ignored.
        guard let request = pending.removeValue(forKey: response.id) else { continue }
        closeIfIdle()
        request.then(.success((response, request.file)))
      } catch {
        if error.code != EAGAIN {
          fail(Failure(.unavailable, "no connection to the process that reads from the network: \(error)"))
        }
        return
      }
    }
  }

  private func closeIfIdle() {
    guard pending.isEmpty else { return }
    channel = nil
    timer?.disarm()
  }

  /// Fails all requests, and closes the channel.
  private func fail(_ failure: Failure) {
    channel = nil
    let failed = pending.values
    pending = [:]
    timer?.disarm()
    for request in failed { request.then(.failure(failure)) }
  }

  private func killIfHung() {
    guard let deadline = pending.values.map(\.deadline).min() else { return }
    guard deadline <= .now else {
      timer?.arm(after: deadline - .now)
      return
    }
    connection.kill("it did not respond for \(Int(Self.timeout.seconds)) s")
    fail(Failure(.timeout, "the process that reads from the network does not respond"))
  }
}
