import Glibc
import SegueSystem
import SegueTestKit
import SegueWire

/// A daemon with its worker, a sound server, a recording of its output, and files to play.
final class DaemonFixture: PlaybackFixture {
  let server: PulseServer
  let recording: OutputRecording
  let daemon: DaemonProcess
  /// The client for requests.
  private(set) var client: SocketClient
  /// A subscribed client.
  private(set) var watcher: SocketClient
  let folder: FilePath

  /// Starts everything. Repeat is off unless a test sets it.
  /// - Parameters:
  ///   - readAhead: How far a null sink reads ahead, at most.
  ///   - configuration: The text of segue.conf.
  init(
    _ sink: PulseServer.Sink = .pipe("test"), readAhead: MediaTime = .milliseconds(5), configuration: String = "",
    sampleBytes: Int = 2
  ) throws {
    server = try PulseServer([sink])
    switch sink {
    case .pipe(let name, _, _, _), .pacedPipe(let name):
      recording = OutputRecording(try server.readFIFO(name), sampleBytes: sampleBytes)
    case .null(let name, _, _, _):
      recording = OutputRecording(
        try server.record("\(name).monitor", latency: readAhead), sampleBytes: sampleBytes)
    }
    daemon = try DaemonProcess(pulse: server, running: false)
    folder = daemon.directory.appending("files")
    folder.withCString { _ = mkdir($0, 0o700) }
    try daemon.configure(configuration)
    try daemon.start()
    client = try daemon.connect()
    watcher = try daemon.connect()
    try watcher.call("subscribe")
    try client.call("repeat", #"{"mode":"off"}"#)
  }

  /// Connects to a restarted daemon.
  func reconnect() throws {
    client = try daemon.connect()
    watcher = try daemon.connect()
    try watcher.call("subscribe")
  }

  /// Restarts the daemon with a relay between it and the sound server.
  func restartBehindRelay() throws -> PulseRelay {
    let relay = try PulseRelay(to: server)
    daemon.kill()
    daemon.environment["PULSE_SERVER"] = relay.address
    try daemon.start()
    try reconnect()
    return relay
  }

  /// The process id of the decoding worker.
  func decoder() throws -> Int32 {
    let children = Processes.children(of: daemon.pid ?? 0)
    guard let decoder = children.first(where: Processes.hasRing) else {
      throw Unexpected("no worker has a ring buffer")
    }
    return decoder
  }

  /// The process that reads from the network; nil if there is none.
  var fetchProcess: Int32? {
    Processes.children(of: daemon.pid ?? 0).first { Processes.program(of: $0).hasSuffix("/segue-fetch") }
  }
}
