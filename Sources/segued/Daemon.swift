// Thread: main, which is the loop.

internal import Glibc
internal import SegueDesktop
internal import SegueLibrary
internal import SegueLoop
internal import SeguePlayer
internal import SegueServer
internal import SegueSystem
internal import SegueWire

/// The daemon's parts and their lives: made in order, ended in order.
@MainActor
final class Daemon {
  private let arguments: Arguments
  private let loop: EventLoop
  private var signals: [SignalSource] = []
  private var player: Player?
  private var server: Server?
  private var mpris: MPRIS?
  private var notifier: Notifier?
  private var machineSleep: SleepInhibitor?
  private var watchdog: Watchdog?
  private var headline = ""

  init(_ arguments: Arguments) throws(SystemError) {
    self.arguments = arguments
    loop = try EventLoop()
  }

  /// Listens, plays, and returns the exit code when it was told to stop.
  func run() throws -> Int32 {
    // Before anything starts a thread: threads inherit what is blocked.
    signals = [
      try SignalSource(on: loop, signal: SIGTERM) { [unowned self] in stop() },
      try SignalSource(on: loop, signal: SIGINT) { [unowned self] in stop() },
      try SignalSource(on: loop, signal: SIGHUP) { [unowned self] in readConfigurationAgain() },
    ]
    // First of all the socket: a second daemon must not touch the first one's state.
    let listener = try listen()
    let (configuration, warnings) = Configuration.read(Configuration.standardPath)
    for warning in warnings { Log.warning(warning.description) }
    let player = try Player(
      loop: loop, configuration: configuration, isConfigurationComplete: warnings.isEmpty,
      worker: try WorkerProgram.find(), runtimeFolder: (arguments.socket ?? Directories.socket).parent)
    let server = try Server(loop: loop, player: player, listener: listener, version: Version.program) {
      [unowned self] in stop()
    }
    self.player = player
    self.server = server
    player.onChange = { [unowned self] topic in
      server.publish(topic)
      mpris?.handleChange(of: topic)
      notifier?.handleChange(of: topic)
      if topic == .player { notifyServiceManager() }
    }
    watchdog = try Watchdog(on: loop)
    ServiceManager.notify(.ready)
    notifyServiceManager()
    player.startLibrary()
    player.populate(from: arguments.sources)
    mpris = try MPRIS(loop: loop, player: player) { [unowned self] in stop() }
    notifier = Notifier(loop: loop, player: player)
    machineSleep = try SleepInhibitor(loop: loop, player: player)
    return try loop.run()
  }

  private func listen() throws -> Listener {
    if let inherited = try ServiceManager.inheritedSocket() { return Listener(inheriting: inherited) }
    return try Listener(at: arguments.socket ?? Directories.socket)
  }

  /// All of it or nothing: half a configuration is nobody's wish.
  private func readConfigurationAgain() {
    ServiceManager.notify(.reloading)
    let (configuration, warnings) = Configuration.read(Configuration.standardPath)
    if warnings.isEmpty {
      player?.reconfigure(configuration)
    } else {
      for warning in warnings { Log.error("\(warning); the configuration stays as it was") }
    }
    ServiceManager.notify(.ready)
  }

  /// Takes no more clients, saves, and leaves the loop. A second request changes nothing.
  private func stop() {
    guard let server, let player else { return loop.exit(0) }
    self.server = nil
    mpris = nil
    notifier = nil
    machineSleep = nil
    ServiceManager.notify(.stopping)
    server.stopListening()
    player.shutdown()
    server.close()
    loop.exit(0)
  }

  /// What `systemctl status` shows, and whether it is to watch over us.
  private func notifyServiceManager() {
    guard let status = player?.status else { return }
    watchdog?.isOn = status.state == .playing
    let title = status.track.map { [$0.metadata.artist, $0.metadata.title ?? $0.uri].compactMap(\.self) } ?? []
    let line = ([status.state.rawValue] + [title.joined(separator: " – ")]).filter { !$0.isEmpty }.joined(
      separator: ": ")
    guard line != headline else { return }
    headline = line
    ServiceManager.notify(.status(line))
  }
}
