internal import Glibc
internal import SegueSystem
internal import SegueWire

/// A blocking conversation with the daemon: requests out, answers matched by their id; what comes unasked in between
/// (events) is passed over by `answer` and returned by `event`.
final class Connection {
  private let socket: Descriptor
  private var reader: LineReader
  private var lastID = 0
  /// Answers that came while another was waited for.
  private var early: [Int: JSON] = [:]

  /// Throws with exit code 3 when nobody listens at `path`.
  init(path: FilePath) throws(ClientError) {
    guard path.bytes.count <= UnixSocket.longestPath else {
      throw .usage("the socket's path is longer than the \(UnixSocket.longestPath) bytes the system takes: \(path)")
    }
    do throws(SystemError) {
      socket = try UnixSocket.connect(to: path)
      reader = LineReader(socket: socket.raw)
    } catch {
      throw .noDaemon(at: path, because: error)
    }
  }

  /// The descriptor, for `poll`.
  var raw: Int32 { socket.raw }

  /// A line is here that `poll` no longer sees.
  var hasBufferedLine: Bool { reader.hasLine }

  /// Sends a request; its number.
  func send(_ request: Request) -> Int {
    lastID += 1
    write(request.line(id: lastID))
    return lastID
  }

  /// Waits until an answer is on its way, at most `milliseconds`.
  func waitForAnswer(milliseconds: Int32) -> Bool {
    if reader.hasLine { return true }
    var entry = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) != 0
  }

  /// The result of request `id`; throws what the daemon answered instead.
  func answer(to id: Int) throws(ClientError) -> JSON {
    while true {
      let message: JSON
      if !early.isEmpty, let kept = early.removeValue(forKey: id) {
        message = kept
      } else {
        message = try nextMessage()
      }
      guard let answered = message["id"] else { continue }
      if let other = answered.int, other != id {
        early[other] = message
        continue
      }
      // An error without a number is about the line or the connection: whoever waits is meant.
      if let error = message["error"], !error.isNull { throw .answered(error) }
      guard answered.int == id else { continue }
      guard let result = message["result"] else { throw .unusable("an answer with neither result nor error") }
      return result
    }
  }

  /// The parameters of the next event; answers to nobody are passed over.
  func event() throws(ClientError) -> JSON {
    while true {
      let message = try nextMessage()
      if message["method"]?.string == "event", let parameters = message["params"] { return parameters }
    }
  }

  private func nextMessage() throws(ClientError) -> JSON {
    let line: [UInt8]
    do throws(LineReader.Failure) {
      line = try reader.next()
    } catch {
      switch error {
      case .closed(let midway): throw .gone(midway: midway)
      case .tooLong: throw .unusable("a line of more than \(LineReader.longest >> 20) MiB")
      case .system(let error): throw .unusable("\(error)")
      }
    }
    let message: JSON
    do throws(JSONSyntaxError) {
      message = try JSON(parsing: line)
    } catch {
      throw .unusable("a line that is no JSON: \(error)")
    }
    guard message.kind == .object else { throw .unusable("a line that is no JSON object") }
    return message
  }

  /// A daemon that closed early may have said why: the failure shows when its answer is read.
  private func write(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.send(socket.raw, buffer.baseAddress! + sent, buffer.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        sent += count
      } else if errno != EINTR {
        return
      }
    }
  }
}
