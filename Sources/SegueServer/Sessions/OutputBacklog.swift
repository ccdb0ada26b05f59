internal import Glibc
internal import SegueSystem

/// A queue of output bytes that the client has not taken yet.
struct OutputBacklog {
  private var bytes: [UInt8] = []
  private var start = 0

  var count: Int { bytes.count - start }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ more: UnsafeRawBufferPointer) {
    if start > bytes.count / 2 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes.append(contentsOf: more)
  }

  /// Sends as much as the socket takes. Throws if the connection is broken.
  mutating func send(to socket: Int32) throws(SystemError) {
    let sent = bytes.withUnsafeBytes { bytes in
      Result { () throws(SystemError) in try sendAtOnce(UnsafeRawBufferPointer(rebasing: bytes[start...]), to: socket) }
    }
    start += try sent.get()
    // An empty backlog does not keep the memory of a large one.
    if isEmpty { self = OutputBacklog() }
  }
}

/// Sends as much as the socket takes without waiting and returns the number of bytes. Throws if the connection is
/// broken.
func sendAtOnce(_ bytes: UnsafeRawBufferPointer, to socket: Int32) throws(SystemError) -> Int {
  do throws(SystemError) {
    return try checked("send") { send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) }
  } catch {
    if error.code == EAGAIN { return 0 }
    throw error
  }
}
