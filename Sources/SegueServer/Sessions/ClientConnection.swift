// Thread: the loop. A connection never waits: it reads what has arrived and keeps what the socket does not take.

internal import Glibc
internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// The socket of one client, with the input that was not carried out yet and the output that was not sent yet.
@MainActor
final class ClientConnection {
  /// The socket; nil once closed.
  private var descriptor: Descriptor?
  private var source: IOGroup.Member?
  private let reader: SocketReader
  private var framer = LineFramer()
  private var backlog = OutputBacklog()
  private var lifecycle = ConnectionLifecycle()

  init(_ descriptor: consuming Descriptor, reader: SocketReader) {
    self.descriptor = consume descriptor
    self.reader = reader
  }

  /// Starts to watch the socket. The loop calls `onReady` when input arrives, when the backlog can be sent, and when
  /// the client closes the connection.
  func watch(in group: IOGroup, onReady: @escaping @MainActor () -> Void) throws(SystemError) {
    guard let raw = descriptor?.raw else { return }
    source = try IOGroup.Member(of: group, descriptor: raw, for: Self.interest) { [unowned self] readiness in
      lifecycle.becameReady(readiness)
      onReady()
    }
  }

  var isClosed: Bool { descriptor == nil }

  /// Whether the client does not receive anything any more. Its requests are still carried out.
  var isPeerClosed: Bool { lifecycle.isPeerClosed }

  /// Whether the next request may be carried out: the client has not sent an invalid line.
  var acceptsRequests: Bool { lifecycle.acceptsRequests }

  /// Whether the client reads its responses, so that further ones may be written.
  var hasRoom: Bool { backlog.count <= Self.maximumBacklog }

  /// Whether the client will send no more requests.
  var isInputFinished: Bool { lifecycle.isInputFinished }

  /// Whether the client has not taken all output yet.
  var hasBacklog: Bool { !backlog.isEmpty }

  /// The number of bytes of input and output that this connection holds.
  var heldBytes: Int { framer.pending + backlog.count }

  // MARK: Input

  /// Permits a read although the loop has not announced input.
  func expectInput() { lifecycle.expectInput() }

  /// Reads once. Returns false if there is nothing new to carry out.
  func read() -> Bool {
    guard lifecycle.canRead, let descriptor = descriptor?.raw else { return false }
    let result = reader.read(from: descriptor, into: &framer)
    lifecycle.didRead(result)
    switch result {
    case .data, .lastData: return true
    case .wouldBlock: return false
    case .endOfInput, .failed:
      framer.end()
      return true
    }
  }

  /// Calls `body` with the next line of input. Returns nil if there is no complete line.
  func nextLine<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? { framer.next(body) }

  /// Whether the input contains a line that is too long.
  var hasOverlongLine: Bool { framer.isOverrun }

  /// Reads no more input and carries out no more requests.
  func rejectInput() { lifecycle.rejectInput() }

  // MARK: Output

  /// Sends the output of a turn and keeps what the socket does not take.
  func send(_ output: TurnOutput) {
    guard !isPeerClosed, !output.isEmpty, let descriptor = descriptor?.raw else { return }
    let result = output.withBytes { output in
      Result { () throws(SystemError) in
        let sent = backlog.isEmpty ? try sendAtOnce(output, to: descriptor) : 0
        if sent < output.count { backlog.append(UnsafeRawBufferPointer(rebasing: output[sent...])) }
      }
    }
    if case .failure = result { lifecycle.sendFailed() }
  }

  /// Sends as much of the backlog as the socket takes.
  func sendBacklog() {
    guard !backlog.isEmpty, let descriptor = descriptor?.raw else { return }
    do throws(SystemError) { try backlog.send(to: descriptor) } catch { lifecycle.sendFailed() }
  }

  func discardBacklog() { backlog = OutputBacklog() }

  /// Watches for room in the socket's send buffer, if there is a backlog.
  func updateInterest() { source?.interest = backlog.isEmpty ? Self.interest : Self.interest.union(.writable) }

  /// Sends what the socket takes and closes it.
  func close() {
    sendBacklog()
    source?.leave()
    source = nil
    descriptor = nil
  }

  private static let interest: Readiness = [.readable, .endOfInput]
  /// The number of unread bytes above which the client's requests wait (segue-ipc(7), TRANSPORT).
  private static let maximumBacklog = 1 << 20
}

/// A reader of sockets, with one buffer for all sessions.
@MainActor
final class SocketReader {
  enum Result {
    /// The read returned data or was interrupted, and the socket may hold more data.
    case data
    /// The read returned all data that the socket held. The loop announces the next data.
    case lastData
    /// The socket held no data.
    case wouldBlock
    /// The client has closed its sending side, and all its data was read.
    case endOfInput
    /// The connection is broken.
    case failed
  }

  /// The buffer is not initialized, and too large for malloc to take it from the heap, so that only the pages that
  /// requests fill take memory.
  // Proof: it is allocated once, and used on the loop thread only.
  private nonisolated(unsafe) let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 * 1024, alignment: 16)

  deinit { buffer.deallocate() }

  func read(from descriptor: Int32, into framer: inout LineFramer) -> Result {
    let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    if count > 0 {
      framer.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      return count < buffer.count ? .lastData : .data
    }
    if count == 0 { return .endOfInput }
    switch errno {
    case EAGAIN: return .wouldBlock
    case EINTR: return .data
    default: return .failed
    }
  }
}
