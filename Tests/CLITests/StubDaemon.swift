// Thread: the test's. Each stub has a thread that accepts one client after the other and responds according to a
// script. The received requests and the current connection are shared with the thread of the test under a mutex. The
// thread must not outlive the stub: `deinit` joins it.
import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Synchronization

/// A scripted daemon. It listens on its own socket, records requests and sends the responses of a script.
final class StubDaemon {
  /// A step of a response.
  enum Step: Sendable {
    case result(String)
    /// `data` has further members of the error's data, such as `,"retryAfter":1`.
    case error(code: Int, kind: String, message: String, data: String = "")
    /// A literal line.
    case line(String)
    case bytes([UInt8])
    /// Bytes without a line feed until the client closes the connection.
    case endless
    /// A pause until `release` is called.
    case hold
    case close
  }

  typealias Script = @Sendable (_ method: String, _ parameters: String) -> [Step]

  let path: FilePath
  private let folder: TemporaryFolder
  private let shared: Shared
  private var thread = pthread_t()

  /// The state that both threads use.
  final class Shared: Sendable {
    let listener: Int32
    let script: Script
    /// The requests as `method parameters`, in order.
    let requests = Mutex<[String]>([])
    let held = Semaphore()
    /// The descriptor of the current connection, or -1.
    let client = Mutex<Int32>(-1)

    init(listener: Int32, script: @escaping Script) {
      self.listener = listener
      self.script = script
    }
  }

  init(_ script: @escaping Script) throws {
    folder = try TemporaryFolder()
    let path = folder.path.appending("socket")
    self.path = path
    let listener = try checked("socket") { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0) }
    try checked("bind", path.description) { withUnixAddress(path.bytes) { bind(listener, $0, $1) } }
    _ = try checked("listen") { listen(listener, 8) }
    shared = Shared(listener: listener, script: script)
    // Proof: the thread releases the reference when it ends.
    pthread_create(&thread, nil, serveStub, Unmanaged.passRetained(shared).toOpaque())
  }

  deinit {
    release()
    shutdown(shared.listener, Int32(SHUT_RDWR))
    disconnect()
    pthread_join(thread, nil)
    close(shared.listener)
  }

  /// The environment of a client that connects to this daemon.
  var environment: [String: String] { ["SEGUE_SOCKET": path.description] }

  /// The requests received so far.
  var requests: [String] { shared.requests.withLock { $0 } }

  /// Sends a line to the current client.
  func send(_ line: String) {
    shared.client.withLock { client in
      let bytes = Array((line + "\n").utf8)
      _ = Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
  }

  /// Ends the pause of a `hold` step.
  func release() { shared.held.signal() }

  /// Closes the current connection.
  func disconnect() {
    shared.client.withLock { client in
      if client >= 0 { _ = shutdown(client, Int32(SHUT_RDWR)) }
    }
  }
}

private func serveStub(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  let shared = Unmanaged<StubDaemon.Shared>.fromOpaque(context).takeRetainedValue()
  while true {
    let client = accept(shared.listener, nil, nil)
    guard client >= 0 else { return nil }
    shared.client.withLock { $0 = client }
    var pending: [UInt8] = []
    while let line = nextLine(client, &pending), respond(to: line, client, shared) {}
    shared.client.withLock { $0 = -1 }
    close(client)
  }
}

private func nextLine(_ client: Int32, _ pending: inout [UInt8]) -> [UInt8]? {
  while true {
    if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
      defer { pending.removeSubrange(...end) }
      return Array(pending[..<end])
    }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(client, &chunk, chunk.count)
    guard count > 0 else { return nil }
    pending += chunk[..<count]
  }
}

/// Executes the steps of the script for a request. Returns false if the connection must be closed.
private func respond(to line: [UInt8], _ client: Int32, _ shared: StubDaemon.Shared) -> Bool {
  guard let request = try? JSON(parsing: line), let method = request["method"]?.string else { return false }
  var parameters = JSONWriter()
  if let params = request["params"] { parameters.value(params) }
  let parameterText = String(decoding: parameters.bytes, as: UTF8.self)
  shared.requests.withLock { $0.append(parameterText.isEmpty ? method : "\(method) \(parameterText)") }
  let id = request["id"]?.integer ?? 0
  for step in shared.script(method, parameterText) {
    switch step {
    case .result(let result): write(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"# + "\n", client)
    case .error(let code, let kind, let message, let data):
      let data = #"{"kind":"\#(kind)"\#(data)}"#
      write(
        #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":\#(code),"message":"\#(message)","data":\#(data)}}"# + "\n",
        client)
    case .line(let text): write(text + "\n", client)
    case .bytes(let bytes): write(bytes, client)
    case .endless:
      let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
      while write(chunk, client) {}
      return false
    case .hold: shared.held.wait()
    case .close: return false
    }
  }
  return true
}

@discardableResult
private func write(_ text: String, _ client: Int32) -> Bool { write(Array(text.utf8), client) }

@discardableResult
private func write(_ bytes: [UInt8], _ client: Int32) -> Bool {
  var sent = 0
  while sent < bytes.count {
    let count = bytes.withUnsafeBytes {
      Glibc.send(client, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
    }
    guard count > 0 else { return false }
    sent += count
  }
  return true
}
