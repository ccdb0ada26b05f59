import Glibc
import SegueSystem
import SegueTestKit
import SegueWire

/// A daemon with its worker, a sound server, a recording of its output, and files to play.
final class DaemonFixture {
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
    for path in ["files", "home/.config", "home/.config/segue"] {
      daemon.directory.appending(path).withCString { _ = mkdir($0, 0o700) }
    }
    try AudioFile.write(
      Array(configuration.utf8), to: daemon.directory.appending("home/.config/segue/segue.conf"))
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

  // MARK: Files

  /// Writes a file into `folder` and returns its path.
  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> FilePath {
    let path = folder.appending(name)
    var parents: [FilePath] = []
    var parent = path.parent
    while parent != folder {
      parents.append(parent)
      parent = parent.parent
    }
    for parent in parents.reversed() { parent.withCString { _ = mkdir($0, 0o700) } }
    try AudioFile.write(bytes, to: path)
    return path
  }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> FilePath { try write(name, Array(text.utf8)) }

  /// Writes a WAVE file of numbered frames.
  @discardableResult
  func track(_ name: String, _ frames: Range<Int>) throws -> FilePath {
    try write(name + ".wav", AudioFile.wave(Signal.pcm(frames)))
  }

  /// Writes tracks with consecutive frame numbers from 0. `lengths` are in frames.
  func album(_ lengths: [Int]) throws -> [FilePath] {
    var start = 0
    return try lengths.enumerated().map { index, length in
      defer { start += length }
      return try track("\(index + 1)", start..<(start + length))
    }
  }

  // MARK: Requests

  /// Adds files, plays the first if `play` is true, and returns the ids.
  @discardableResult
  func add(_ paths: [FilePath], at place: String = #""end""#, play: Bool = false) throws -> [Int] {
    try add(uris: paths.map(FileURI.encode), at: place, play: play)
  }

  @discardableResult
  func add(uris: [String], at place: String = #""end""#, play: Bool = false) throws -> [Int] {
    let response = try client.call("queue.add", #"{"uris":\#(list(uris)),"at":\#(place),"play":\#(play)}"#)
    if let failed = response["failed"]?.elements, !failed.isEmpty {
      throw Unexpected("not added: \(failed.compactMap { $0["message"]?.string })")
    }
    return response["added"]?.elements?.compactMap(\.int) ?? []
  }

  func status() throws -> Status { Status(try client.call("status")) }

  /// Calls a method whose result is the status, and returns the status.
  @discardableResult
  func call(_ method: String, _ params: String? = nil) throws -> Status { Status(try client.call(method, params)) }

  /// The errors of the tracks in the queue.
  func errors() throws -> [String?] {
    try client.call("list")["tracks"]?.elements?.map { $0["error"]?.string } ?? []
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

  /// The ids of the queue entries.
  func ids() throws -> [Int] { try client.call("list")["tracks"]?.elements?.compactMap { $0["id"]?.int } ?? [] }

  /// Waits until `status` satisfies `condition`. It requests the status now and after every event.
  @discardableResult
  func wait(until condition: (Status) -> Bool) throws -> Status {
    while true {
      let now = try status()
      if condition(now) { return now }
      _ = try watcher.event()
    }
  }

  /// Waits until playback has stopped at the end.
  @discardableResult
  func waitForStop() throws -> Status { try wait { $0.state == .stopped } }

  /// Returns a JSON array of strings.
  func list(_ strings: [String]) -> String { "[" + strings.map(quoted).joined(separator: ",") + "]" }
}

/// Returns `text` as a JSON string. Only the characters that occur in these tests are escaped.
func quoted(_ text: String) -> String {
  "\"" + text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] } + "\""
}
