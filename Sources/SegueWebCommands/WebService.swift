internal import Glibc
internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem

/// The units of the gateway in the service manager of the user. Commands are those of systemctl(1).
enum WebService {
  /// Which machines can connect.
  enum Reach: String {
    /// Only the machine itself.
    case machine
    /// Every machine in the network.
    case network
  }

  /// Where the gateway listens.
  struct Listening: Equatable {
    var reach: Reach
    var port: UInt16
  }

  /// What the service manager says.
  struct State {
    /// Whether the units are installed.
    var isInstalled: Bool
    /// Where the socket listens; nil if it does not.
    var listening: Listening?
  }

  static let defaultPort: UInt16 = 7348

  private static let socket = "segue-web.socket"
  private static let service = "segue-web.service"
  private static let daemonSocket = "segued.socket"
  /// The time within which the service manager answers.
  private static let limit = MediaTime.seconds(30)

  /// The file that says where the socket listens, instead of its unit.
  private static var dropIn: FilePath {
    Directories.config.appending("systemd/user/\(socket).d/listen.conf")
  }

  // MARK: Reading

  static func state() throws(ClientError) -> State {
    let text = try output(["show", socket, "--property=LoadState,ActiveState,Listen"])
    var values: [String: [Substring]] = [:]
    for line in text.split(separator: "\n") {
      guard let equals = line.firstIndex(of: "=") else { continue }
      values[String(line[..<equals]), default: []].append(line[line.index(after: equals)...])
    }
    let isActive = values["ActiveState"]?.first == "active"
    return State(
      isInstalled: values["LoadState"]?.first == "loaded",
      listening: isActive ? listening(values["Listen"] ?? []) : nil)
  }

  /// Returns where a socket listens. The texts are such as `127.0.0.1:7348 (Stream)`.
  private static func listening(_ texts: [Substring]) -> Listening? {
    let addresses = texts.compactMap { $0.split(separator: " ").first }
    guard let port = addresses.first.flatMap({ $0.split(separator: ":").last }).flatMap({ UInt16($0) }) else {
      return nil
    }
    let isLocal = addresses.allSatisfy { $0.hasPrefix("127.") || $0.hasPrefix("[::1]") }
    return Listening(reach: isLocal ? .machine : .network, port: port)
  }

  // MARK: Changing

  /// Listens there from now on, also after the next login.
  static func enable(_ listening: Listening) throws(ClientError) {
    let before = try state()
    guard before.isInstalled else {
      throw ClientError(
        .failed, tr("%1$s is not installed", socket),
        hints: [
          tr("contrib/install   installs it"), serveHint(listening.port),
        ])
    }
    withdraw(before)
    try write(listening)
    try run(["daemon-reload"])
    // A service that runs has the former sockets.
    try run(["stop", service])
    try run(["enable", socket])
    do throws(ClientError) {
      try run(["restart", socket])
    } catch {
      throw error.with(hints: [
        tr("systemctl --user status %1$s   says why", socket),
        tr("segue web on --port %1$d   takes another port", Int(listening.port) + 1),
      ])
    }
    if listening.reach == .network { try? run(["enable", "--now", announcement(listening.port)]) }
    // Without a daemon, the page has nothing to show.
    if !isDaemonReachable { try run(["enable", "--now", daemonSocket]) }
  }

  /// Whether a daemon runs, or is started by a connection.
  private static var isDaemonReachable: Bool {
    (try? Connection.connectedSocket(to: Directories.socket, blocking: false)) != nil
  }

  /// Does not listen any more, and ends the gateway.
  static func disable() throws(ClientError) {
    let before = try state()
    guard before.isInstalled else { return }
    withdraw(before)
    try run(["disable", "--now", socket])
    try run(["stop", service])
    dropIn.withCString { _ = unlink($0) }
    try run(["daemon-reload"])
  }

  /// Ends the announcement in the network.
  private static func withdraw(_ state: State) {
    guard let port = state.listening?.port else { return }
    try? run(["disable", "--now", announcement(port)])
  }

  /// The unit that announces the gateway with Avahi.
  private static func announcement(_ port: UInt16) -> String { "segue-web-announce@\(port).service" }

  private static func write(_ listening: Listening) throws(ClientError) {
    let addresses =
      switch listening.reach {
      case .machine: ["127.0.0.1:\(listening.port)", "[::1]:\(listening.port)"]
      // A port alone stands for all addresses of both versions of IP (systemd.socket(5)).
      case .network: ["\(listening.port)"]
      }
    // The empty value removes the addresses of the unit.
    let lines = ["# segue web on", "[Socket]", "ListenStream="] + addresses.map { "ListenStream=\($0)" }
    do throws(SystemError) {
      try Folder.create(dropIn.parent)
      try SmallFile.replace(dropIn, with: Array((lines.joined(separator: "\n") + "\n").utf8))
    } catch {
      throw ClientError(.failed, tr("%1$s cannot be written: %2$s", dropIn, error.reason))
    }
  }

  // MARK: systemctl

  private static func serveHint(_ port: UInt16) -> String {
    tr("segue-web serve --listen %1$d   serves this machine without systemd, until it is ended", Int(port))
  }

  private static func run(_ arguments: [String]) throws(ClientError) { _ = try output(arguments + ["--quiet"]) }

  private static func output(_ arguments: [String]) throws(ClientError) -> String {
    let hints = [serveHint(defaultPort)]
    let command = "systemctl --user " + arguments.joined(separator: " ")
    var bytes: [UInt8]?
    do throws(SystemError) {
      bytes = try Spawn.output(of: "systemctl", ["--user"] + arguments, upTo: 64 << 10, within: limit)
    } catch {
      throw ClientError(.failed, error.translated, hints: hints)
    }
    guard let bytes else { throw ClientError(.failed, tr("%1$s has failed", command), hints: hints) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
