// Thread: the loop. `serve` is called by the only thread of another process.

internal import Glibc
public import SegueLoop
internal import SegueRPC
public import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A process that connects to the daemon for the gateway. The gateway reads what strangers send, so its sandbox lets it
/// connect to nothing: behind other sockets of the user are programs that would run anything for it. The connector
/// reads nothing but the wish for a connection. It gives up the rights that no browser has before it hands the
/// connection over, so that a gateway under foreign control does not have them either.
@MainActor
public final class DaemonConnector {
  /// The argument with which the program of the gateway becomes a connector.
  public static let argument = "connect"

  private let socket: FilePath
  private let link: LinkSocket
  // Proof: the process ends with this object, which exists as long as the gateway.
  private var process: ChildProcess?

  /// The time within which the connector answers. It does not wait for anything.
  private static let responseTime = MediaTime.seconds(1)

  /// Starts the connector. `onEnd` is called when it has ended, which it does only if it was killed.
  ///
  /// - Parameters:
  ///   - program: The program of the gateway.
  ///   - socket: The path of the socket of the daemon.
  public init(
    on loop: EventLoop, program: FilePath, socket: FilePath, onEnd: @escaping @MainActor () -> Void
  ) throws(SystemError) {
    self.socket = socket
    let (own, other) = try LinkSocket.pair()
    link = own
    process = try ChildProcess(
      on: loop, program: program, argument: Self.argument, inheriting: [], setting: ["SEGUE_SOCKET=\(socket)"],
      channel: other.raw
    ) { _ in onEnd() }
  }

  /// Returns a connection to the daemon that has at most the rights of the role `own`.
  func connect() throws(ConnectionError) -> Connection {
    do throws(SystemError) {
      try link.send(ConnectionWish())
      var state = [pollfd(fd: link.raw, events: Int16(POLLIN), revents: 0)]
      guard poll(&state, until: .now + Self.responseTime) != 0, var packet = try link.receive() else {
        throw SystemError("connect", socket.description, code: ETIMEDOUT)
      }
      guard let descriptor = packet.takeDescriptor() else {
        throw SystemError("connect", socket.description, code: Int32(packet.json?["error"]?.int ?? Int(EPROTO)))
      }
      return Connection(descriptor, to: socket)
    } catch {
      throw .unreachable(socket, error)
    }
  }

  /// Serves the gateway at the other end of descriptor 3 until that has ended.
  public nonisolated static func serve() {
    let link = LinkSocket(Descriptor(owning: LinkSocket.workerDescriptor))
    let socket = Directories.socket
    while (try? link.receive()) != nil {
      do throws(ConnectionError) {
        let connected = try Connection.connectedSocket(to: socket, blocking: false)
        try restrict(connected.raw, to: socket)
        try? link.send(ConnectionAnswer(error: nil), descriptors: [connected.raw])
      } catch {
        let code = if case .unreachable(_, let error) = error { error.code } else { EACCES }
        try? link.send(ConnectionAnswer(error: code))
      }
    }
  }

  /// Restricts a connection to the greatest role. The request is a notification: the gateway would not know what to do
  /// with a response.
  private nonisolated static func restrict(_ raw: Int32, to socket: FilePath) throws(ConnectionError) {
    var json = JSONWriter()
    json.beginObject()
    json.member("jsonrpc", "2.0")
    json.member("method", RPCRestrictRequest.method.name)
    json.key("params")
    RPCRestrictRequest(role: .own).encode(into: &json)
    json.endObject()
    json.endLine()
    let bytes = json.bytes
    guard write(raw, bytes, bytes.count) == bytes.count else {
      throw .unreachable(socket, SystemError("write", socket.description))
    }
  }
}

/// The gateway wishes a connection.
private struct ConnectionWish: LinkMessage {
  func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.endObject()
  }
}

/// The answer to it: a connection as a descriptor, or the number of an error.
private struct ConnectionAnswer: LinkMessage {
  let error: Int32?

  func encode(into json: inout JSONWriter) {
    json.beginObject()
    if let error { json.member("error", Int(error)) }
    json.endObject()
  }
}
