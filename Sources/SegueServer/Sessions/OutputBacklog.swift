internal import Glibc
internal import SegueSystem

/// What a client was answered and has not taken yet.
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

  /// Writes what the socket takes. Throws when the other side is gone.
  mutating func drain(to socket: Int32) throws(SystemError) {
    let sent = bytes.withUnsafeBytes { bytes in
      Result { () throws(SystemError) in try sendAtOnce(UnsafeRawBufferPointer(rebasing: bytes[start...]), to: socket) }
    }
    start += try sent.get()
    // A reader that was far behind once does not keep its megabyte.
    if isEmpty { self = OutputBacklog() }
  }
}

/// Writes as much as the socket takes at once; how many bytes that were. Throws when the other side is gone.
func sendAtOnce(_ bytes: UnsafeRawBufferPointer, to socket: Int32) throws(SystemError) -> Int {
  do throws(SystemError) {
    return try checked("send") { send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) }
  } catch {
    if error.code == EAGAIN { return 0 }
    throw error
  }
}
