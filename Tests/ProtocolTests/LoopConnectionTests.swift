import SegueLoop
import SegueRPC
import SegueRPCLoop
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the connection of a gateway. The gateway and the daemon run on the same event loop, so that neither may
/// ever wait for the other.
@Suite struct LoopConnectionTests {
  private let daemon: TestDaemon
  private let loop: TestLoop
  private let gateway: Gateway

  init() throws {
    daemon = try TestDaemon(hasSoundServer: true, running: false)
    loop = try TestLoop.enter()
    let path = daemon.socket
    gateway = try loop.perform { [loop] event in
      let gateway = try Gateway(on: event, path: path)
      loop.keep(gateway)
      return gateway
    }
  }

  @Test func aGatewaySurvivesRestartsOfTheDaemon() throws {
    defer { loop.leave() }
    var next = try wait(for: "disconnected")
    try call(StatusRequest())
    next = try wait(for: "closed", from: next)
    for _ in 0..<3 {
      try daemon.start()
      next = try wait(for: "subscribed", from: next)
      try call(VolumeRequest(.level(40)))
      next = try wait(for: "result", from: next)
      try daemon.connect().call("volume", #"{"level":30}"#)
      next = try wait(for: "volume 30", from: next)
      daemon.stop()
      next = try wait(for: "disconnected", from: next)
    }
  }

  @Test func aRequestThatIsLargerThanTheSocketBufferIsAnswered() throws {
    defer { loop.leave() }
    try daemon.start()
    let next = try wait(for: "subscribed")
    let name = String(repeating: "a", count: 900)
    try call(QueueAddRequest(uris: (0..<1_000).map { "http://127.0.0.1:9/\($0)\(name)" }))
    _ = try wait(for: "result", from: next)
    #expect(try daemon.connect().call("status")["length"]?.int == 1_000)
    daemon.stop()
  }

  private func call<Value>(_ request: some ProtocolRequest<Value> & Sendable) throws {
    try loop.perform { [gateway] _ in gateway.call(request) }
  }

  /// Waits for the entry of the log, and returns the index after it.
  private func wait(for entry: String, from index: Int = 0) throws -> Int {
    try #require(
      gateway.log.wait(from: index) { $0 == entry ? () : nil }, "\(entry) is missing in \(gateway.log.all)"
    ).next
  }
}

/// A gateway that writes down what it receives.
@MainActor
private final class Gateway {
  nonisolated let log = EventLog<String>()
  private var connection: LoopConnection?

  init(on loop: EventLoop, path: FilePath) throws {
    connection = try LoopConnection(on: loop, path: path) { [unowned self] in handle($0) }
  }

  func call<Value>(_ request: some ProtocolRequest<Value>, as name: String = "result") {
    connection?.call(request) { [log] result in
      switch result {
      case .success: log.append(name)
      case .failure(.closed): log.append("closed")
      case .failure(let error): log.append("\(error)")
      }
    }
  }

  private func handle(_ event: LoopConnection.Event) {
    switch event {
    case .connected: call(SubscribeRequest(topics: [.player]), as: "subscribed")
    case .disconnected: log.append("disconnected")
    case .changed(let parameters):
      if case .player(let status)? = ProtocolEvent(parameters) { log.append("volume \(status.volume)") }
    case .changeNotSaved: break
    }
  }
}
