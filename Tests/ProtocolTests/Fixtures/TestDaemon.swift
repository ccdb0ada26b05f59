// Thread: the test's. Everything of the daemon itself runs on the main actor, in `TestLoop`.
import Glibc
import SegueLoop
import SegueOutput
import SeguePlayer
import SegueServer
import SegueState
import SegueSystem
import SegueTestKit
import SegueWire
import Synchronization

/// A daemon in the process of the tests: the real player, server, library and workers, with folders and a socket of its
/// own, and an output without a sound server. It can be stopped and started again on the same folders.
final class TestDaemon: TestedDaemon {
  var directory: FilePath { folder.path }
  let socket: FilePath
  private let folder: TemporaryFolder
  private let hasSoundServer: Bool
  private let latency: MediaTime
  private let folders: DaemonFolders
  private var loop: TestLoop?
  private var running: RunningDaemon?

  /// - Parameters:
  ///   - hasSoundServer: Whether the output plays. Otherwise it behaves as without a sound server.
  ///   - latency: The time from the first PCM of a sound until it is audible.
  ///   - running: Whether the daemon is started. If false, the test starts it.
  init(hasSoundServer: Bool = false, latency: MediaTime = FakeOutput.usualLatency, running: Bool = true) throws {
    // Databases wait for the disk at every change, unless they are in memory.
    folder = try (try? TemporaryFolder(in: "/dev/shm")) ?? TemporaryFolder()
    self.hasSoundServer = hasSoundServer
    self.latency = latency
    socket = folder.path.appending("run/segue/socket")
    for name in ["home", "music", "run"] { try folder.makeFolder(name) }
    let home = folder.path.appending("home")
    var folders = DaemonFolders(ofUserWithSocketIn: socket.parent)
    folders.configuration = home.appending(".config/segue")
    folders.state = home.appending(".local/state/segue")
    folders.playlists = home.appending(".local/share/segue/playlists")
    folders.cache = home.appending(".cache/segue")
    self.folders = folders
    if running { try start([]) }
  }

  deinit { stop() }

  func start(_ sources: [String]) throws {
    precondition(running == nil, "the daemon is already running")
    let loop = try TestLoop.enter()
    self.loop = loop
    let (socket, folders, music) = (socket, folders, directory.appending("music"))
    let makeOutput: AudioOutputMaker = { [hasSoundServer, latency] deliver in
      FakeOutput(hasServer: hasSoundServer, latency: latency, deliver: deliver)
    }
    do {
      running = try loop.perform { event in
        let daemon = try RunningDaemon(
          on: event, socket: socket, folders: folders, music: music, sources: sources, makeOutput: makeOutput)
        loop.keep(daemon)
        return daemon
      }
    } catch {
      leave()
      throw error
    }
  }

  /// Stops the daemon as the service manager does, unless a client has stopped it.
  func stop() {
    guard let loop, let running else { return }
    try? loop.perform { _ in running.stop() }
    self.running = nil
    leave()
  }

  /// Makes the daemon read its configuration again.
  func reload() throws { try loop?.perform { [running] _ in running?.reload() } }

  /// Calls `body`, which must not wait for the daemon, on the thread of the daemon's loop.
  func whileItHandlesNothing<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
    guard let loop else { preconditionFailure("the daemon does not run") }
    return try loop.perform { _ in try body() }
  }

  private func leave() {
    loop?.leave()
    loop = nil
  }
}

/// The parts of a running daemon, as `segued` connects them.
@MainActor
private final class RunningDaemon {
  private let folders: DaemonFolders
  private let music: FilePath
  private let player: Player
  private var server: Server?
  private var isStopped = false

  init(
    on loop: EventLoop, socket: FilePath, folders: DaemonFolders, music: FilePath, sources: [String],
    makeOutput: AudioOutputMaker
  ) throws {
    self.folders = folders
    self.music = music
    let listener = try Listener(at: socket)
    let (configuration, isComplete) = Self.configuration(folders, music)
    player = try Player(
      loop: loop, configuration: configuration, isConfigurationComplete: isComplete,
      worker: WorkerProcess.product("segue-worker"), folders: folders,
      makeOutput: makeOutput)
    let server = try Server(loop: loop, player: player, listener: listener, version: Version.program) {
      [unowned self] in stop()
    }
    self.server = server
    player.start(onCoverSearchEnd: {})
    player.populate(from: sources)
  }

  /// Reads segue.conf. Without a music folder in it, the folder of the test is scanned and not that of the user.
  private static func configuration(_ folders: DaemonFolders, _ music: FilePath) -> (Configuration, isComplete: Bool) {
    var (configuration, warnings) = Configuration.read(folders.configuration.appending("segue.conf"))
    if configuration.musicFolders.isEmpty { configuration.musicFolders = [music] }
    return (configuration, warnings.isEmpty)
  }

  func reload() {
    let (configuration, isComplete) = Self.configuration(folders, music)
    if isComplete { player.reconfigure(configuration) }
  }

  func stop() {
    guard let server, !isStopped else { return }
    isStopped = true
    server.stopListening()
    player.shutdown()
    server.close()
  }
}
