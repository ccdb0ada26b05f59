import SegueSystem
import SegueTestKit
import SegueWire

/// A daemon that plays without a sound server, two clients, and files to play.
final class DaemonFixture: PlaybackFixture {
  let daemon: TestDaemon
  private(set) var client: SocketClient
  private(set) var watcher: SocketClient
  var folder: FilePath { files.path }
  private let files: TemporaryFolder

  /// Starts the daemon. Repeat is off unless a test sets it. `configuration` is the text of segue.conf, and `latency`
  /// the time from the first PCM of a sound until it is audible.
  init(configuration: String = "", latency: MediaTime = FakeOutput.usualLatency) throws {
    daemon = try TestDaemon(hasSoundServer: true, latency: latency, running: false)
    files = try TemporaryFolder()
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
}
