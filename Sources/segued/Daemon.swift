// Thread: the loop, which is the main thread.

internal import Glibc
internal import SegueDesktop
internal import SegueLoop
internal import SeguePlayer
internal import SeguePulse
internal import SegueServer
internal import SegueState
internal import SegueSystem
internal import SegueWire

/// The daemon: it creates its parts in order, runs the loop, and closes them in order.
@MainActor
final class Daemon {
  private let arguments: Arguments
  private let loop: EventLoop
  private var signals: [SignalSource] = []
  private var player: Player?
  private var server: Server?
  private var mpris: MPRIS?
  private var notifier: Notifier?
  private var sleepInhibitor: SleepInhibitor?
  private var watchdog: Watchdog?
  private var statusLine = ""

  init(_ arguments: Arguments) throws(SystemError) {
    self.arguments = arguments
    loop = try EventLoop()
  }

  /// Runs the daemon until it is stopped, and returns the exit code.
  func run() throws -> Int32 {
    // This comes before any thread is started: threads inherit the blocked signals.
    signals = [
      try SignalSource(on: loop, signal: SIGTERM) { [unowned self] in stop() },
      try SignalSource(on: loop, signal: SIGINT) { [unowned self] in stop() },
      try SignalSource(on: loop, signal: SIGHUP) { [unowned self] in reloadConfiguration() },
    ]
    // The socket comes next: a second daemon must not touch the state of the first one.
    let listener = try listen()
    FileDistrust.warnAbout(Configuration.defaultPath.parent)
    let (configuration, warnings) = Configuration.read(Configuration.defaultPath)
    for warning in warnings { Log.warning(warning.description) }
    let player = try Player(
      loop: loop, configuration: configuration, isConfigurationComplete: warnings.isEmpty,
      worker: try WorkerProgram.find(),
      folders: DaemonFolders(ofUserWithSocketIn: (arguments.socket ?? Directories.socket).parent),
      makeOutput: { PulseSink(applicationName: "Segue", deliver: $0) })
    let server = try Server(loop: loop, player: player, listener: listener, version: Version.program) {
      [unowned self] in stop()
    }
    self.player = player
    self.server = server
    watchdog = try Watchdog(on: loop)
    ServiceManager.notify(.ready)
    notifyServiceManager()
    player.observe { [unowned self] topic in if topic == .player { notifyServiceManager() } }
    player.start(onCoverSearchEnd: { [unowned self] in mpris?.handleCoverSearchEnd() })
    player.populate(from: arguments.sources)
    mpris = try MPRIS(loop: loop, player: player) { [unowned self] in stop() }
    notifier = Notifier(loop: loop, player: player)
    sleepInhibitor = try SleepInhibitor(loop: loop, player: player)
    return try loop.run()
  }

  private func listen() throws -> Listener {
    if let inherited = try ServiceManager.inheritedSocket() { return Listener(inheriting: inherited) }
    return try Listener(at: arguments.socket ?? Directories.socket)
  }

  /// Reloads the configuration; one with errors is ignored as a whole.
  private func reloadConfiguration() {
    ServiceManager.notify(.reloading)
    let (configuration, warnings) = Configuration.read(Configuration.defaultPath)
    if warnings.isEmpty {
      player?.reconfigure(configuration)
    } else {
      for warning in warnings { Log.error("\(warning); the configuration was not reloaded") }
    }
    ServiceManager.notify(.ready)
  }

  /// Stops accepting clients, saves the state, and exits the loop. Further calls only exit the loop.
  private func stop() {
    guard let server, let player else { return loop.exit(0) }
    self.server = nil
    mpris = nil
    notifier = nil
    sleepInhibitor = nil
    ServiceManager.notify(.stopping)
    server.stopListening()
    player.shutdown()
    server.close()
    loop.exit(0)
  }

  /// Updates the line that `systemctl status` shows, and turns the watchdog on or off.
  private func notifyServiceManager() {
    guard let status = player?.status else { return }
    watchdog?.isOn = status.state == .playing
    let title = status.track.map { [$0.metadata.artist, $0.metadata.title ?? $0.uri].compactMap(\.self) } ?? []
    let line = ([status.state.rawValue] + [title.joined(separator: " – ")]).filter { !$0.isEmpty }.joined(
      separator: ": ")
    guard line != statusLine else { return }
    statusLine = line
    ServiceManager.notify(.status(line))
  }
}

/// The location of `segue-worker`: beside the daemon in a build folder, in libexec or lib in an installation.
private enum WorkerProgram {
  static func find() throws(SystemError) -> FilePath {
    guard let folder = CurrentProcess.programFolder else { throw SystemError("readlink", "/proc/self/exe") }
    let places = ["segue-worker", "../libexec/segue/segue-worker", "../lib/segue/segue-worker"]
    for place in places {
      let path = folder.appending(place).normalized
      if path.withCString({ access($0, X_OK) }) == 0 { return path }
    }
    throw SystemError(
      "access", "segue-worker (searched beside segued in \(folder), in libexec/segue and in lib/segue)", code: ENOENT)
  }
}
