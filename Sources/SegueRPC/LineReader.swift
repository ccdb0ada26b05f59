internal import Glibc
public import SegueSystem

/// A reader of lines from a socket. It belongs to one thread, and does not close the socket.
public struct LineReader {
  /// The maximum length of a line. Every response of the daemon is shorter (`ResponseLimits`); a longer line comes from
  /// another program.
  public static let maximumLength = 4 << 20

  public enum Failure: Error {
    /// The peer closed the connection. `midway` is true if this happened inside a line.
    case closed(midway: Bool)
    case tooLong
    case system(SystemError)
  }

  /// The maximum capacity of an empty buffer. It is sufficient for an event; a client that follows the daemon for days
  /// must not keep the memory of a hundred events that arrived together.
  private static let maximumKeptCapacity = 16 << 10

  private let socket: Int32
  private let limit: Int
  private var bytes: [UInt8] = []
  /// The offset at which the next line starts.
  private var start = 0
  /// The offset up to which no line feed was found.
  private var searched = 0

  /// - Parameter limit: The maximum length of a line, in bytes.
  public init(socket: Int32, limit: Int = LineReader.maximumLength) { (self.socket, self.limit) = (socket, limit) }

  /// Whether a complete line is buffered.
  var hasLine: Bool { mutating get { nextLineEnd() != nil } }

  /// Returns the next line without its line feed. Blocks until it is complete.
  public mutating func next() throws(Failure) -> [UInt8] {
    while true {
      if let line = bufferedLine() { return line }
      try fill()
    }
  }

  /// Returns the next line without its line feed if it is complete.
  mutating func bufferedLine() -> [UInt8]? {
    guard let end = nextLineEnd() else { return nil }
    let line = Array(bytes[start..<end])
    start = end + 1
    searched = start
    if start == bytes.count { reset() }
    return line
  }

  private mutating func nextLineEnd() -> Int? {
    let found = bytes.withUnsafeBytes { buffer -> Int? in
      guard let base = buffer.baseAddress, searched < buffer.count,
        let end = memchr(base + searched, 0x0A, buffer.count - searched)
      else { return nil }
      return UnsafeRawPointer(end) - base
    }
    searched = found ?? bytes.count
    return found
  }

  /// Reads once, and blocks until there is something to read.
  mutating func fill() throws(Failure) {
    if bytes.count - start > limit { throw .tooLong }
    if start > 0 {
      bytes.removeSubrange(..<start)
      searched -= start
      start = 0
    }
    let received: Result<[UInt8], SystemError> = Result { () throws(SystemError) in
      try receive()
    }
    switch received {
    case .failure(let error) where error.code == ECONNRESET: throw .closed(midway: !bytes.isEmpty)
    case .failure(let error): throw .system(error)
    case .success(let chunk) where chunk.isEmpty: throw .closed(midway: !bytes.isEmpty)
    case .success(let chunk): bytes += chunk
    }
  }

  private func receive() throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let chunk = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
      do throws(SystemError) {
        count = try checked("read") { read(socket, buffer.baseAddress, buffer.count) }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return chunk
  }

  private mutating func reset() {
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.maximumKeptCapacity)
    start = 0
    searched = 0
  }
}
