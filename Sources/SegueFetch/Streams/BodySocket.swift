internal import Glibc
internal import SegueSystem
internal import SegueWire

/// The socket over which the bytes of a resource reach the worker. Bytes for which it has no room wait here.
final class BodySocket {
  private let socket: Descriptor
  /// The end of the worker until it is taken.
  private var workerEnd: SharedDescriptor?
  private var waiting: [UInt8] = []
  /// The number of bytes that were passed to the socket, or wait for it.
  private(set) var written: Int64 = 0

  /// The number of bytes that the socket holds, which the worker has not read.
  private static let size: Int32 = 512 * 1024

  init() throws(Failure) {
    let (ours, theirs): (Int32, Int32)
    do throws(SystemError) {
      (ours, theirs) = try UnixSocket.pair(of: .bytes)
    } catch {
      throw Failure(.internalError, "cannot open a stream: \(error)")
    }
    var size = Self.size
    setsockopt(ours, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    socket = Descriptor(owning: ours)
    workerEnd = SharedDescriptor(Descriptor(owning: theirs))
  }

  var raw: Int32 { socket.raw }

  /// Whether bytes wait for room.
  var isBlocked: Bool { !waiting.isEmpty }
  var waitingCount: Int { waiting.count }

  /// Returns the end of the worker, which is closed here when it has been sent.
  func takeWorkerEnd() -> SharedDescriptor? {
    defer { workerEnd = nil }
    return workerEnd
  }

  /// Sends bytes, or lets them wait. Returns false if the worker has closed its end.
  func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
    written += Int64(bytes.count)
    guard waiting.isEmpty else {
      waiting += bytes
      return true
    }
    guard let count = pass(bytes) else { return false }
    waiting += bytes[count...]
    return true
  }

  /// Sends the bytes that wait. Returns false if the worker has closed its end.
  func flush() -> Bool {
    guard let count = waiting.withUnsafeBytes(pass) else { return false }
    waiting.removeFirst(count)
    return true
  }

  /// Discards the bytes that wait.
  func discard() { waiting = [] }

  /// Lets the worker see the end of the bytes.
  func finish() {
    workerEnd = nil
    shutdown(socket.raw, Int32(SHUT_WR))
  }

  /// Returns the number of bytes for which there was room; nil if the worker has closed its end.
  private func pass(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let count = Glibc.send(socket.raw, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }
}
