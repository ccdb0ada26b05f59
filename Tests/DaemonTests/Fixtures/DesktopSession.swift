import Glibc
import SegueSystem
import SegueTestKit
import SegueWire

/// A daemon with a session bus and tools of the desktop.
final class DesktopSession {
  let daemon: DaemonProcess
  let bus: SessionBus

  static let name = "org.mpris.MediaPlayer2.segue"
  static let path = "/org/mpris/MediaPlayer2"
  static let player = "org.mpris.MediaPlayer2.Player"
  static let trackList = "org.mpris.MediaPlayer2.TrackList"

  /// Starts a bus at the default path and waits until the daemon is connected.
  init(_ daemon: DaemonProcess) throws {
    self.daemon = daemon
    bus = try SessionBus(at: daemon.runtimeFolder.appending("bus"))
    try waitForName()
  }

  // MARK: Names

  func names() throws -> [String] {
    let text = try bus.run(["busctl", "--user", "--acquired", "--no-legend", "list"]).text
    return text.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
  }

  func waitForName(_ name: String = DesktopSession.name) throws {
    try waitUntil("\(name) is on the bus", every: .milliseconds(20)) { try names().contains(name) }
  }

  // MARK: playerctl

  /// Returns the output without the newline. Throws if playerctl fails.
  @discardableResult
  func playerctl(_ arguments: String...) throws -> String {
    let outcome = try bus.run(["playerctl"] + arguments)
    guard outcome.code == 0 else { throw Unexpected("playerctl \(arguments): \(outcome.text)") }
    return outcome.text.hasSuffix("\n") ? String(outcome.text.dropLast()) : outcome.text
  }

  /// Waits until playerctl prints `expected`. Earlier changes may be pending.
  func wait(until expected: String, _ arguments: String...) throws {
    var last = ""
    let found = try waitForValue(every: .milliseconds(20), within: .seconds(30)) {
      last = try bus.run(["playerctl"] + arguments).text
      return last == expected + "\n" ? true : nil
    }
    if found == nil { throw Unexpected("playerctl \(arguments) printed \(last) instead of \(expected)") }
  }

  // MARK: busctl

  /// Calls a method of the object and returns the output of busctl or its error.
  func call(_ interface: String, _ member: String, _ arguments: String...) throws -> SessionBus.Outcome {
    try bus.run(
      ["busctl", "--user", "--json=short", "--", "call", Self.name, Self.path, interface, member] + arguments)
  }

  /// Returns the value of a property as JSON and checks its type.
  func property(_ name: String, _ type: String, of interface: String = DesktopSession.player) throws -> JSON {
    let outcome = try call("org.freedesktop.DBus.Properties", "Get", "ss", interface, name)
    guard outcome.code == 0 else { throw Unexpected("\(name): \(outcome.text)") }
    let value = try JSON(parsing: outcome.text)["data"]?.elements?.first
    guard let data = value?["data"], value?["type"]?.string == type else {
      throw Unexpected("\(name) has the type \(value?["type"]?.string ?? "none")")
    }
    return data
  }

  /// Sets a property of the player and returns the error, or an empty text.
  func set(_ name: String, _ type: String, _ value: String) throws -> String {
    try bus.run(["busctl", "--user", "--", "set-property", Self.name, Self.path, Self.player, name, type, value]).text
  }

  /// Starts to monitor the signals of the daemon.
  func monitorSignals() throws -> SignalReader {
    let lines = try bus.follow(["busctl", "--user", "--json=short", "monitor", Self.name])
    // Some versions of busctl do not report when they start, but show a call that is sent then.
    try waitUntil("busctl shows the call", every: .milliseconds(20)) {
      _ = try call("org.freedesktop.DBus.Peer", "Ping")
      return lines.hasMore
    }
    return SignalReader(lines)
  }
}

/// The signals of the daemon in the output of `busctl monitor`.
final class SignalReader {
  struct Signal {
    let member: String
    let arguments: [JSON]

    /// The new values of `PropertiesChanged` by name, each with `type` and `data`.
    var changes: JSON? { member == "PropertiesChanged" && arguments.count > 1 ? arguments[1] : nil }
  }

  private let lines: LineReader

  init(_ lines: LineReader) { self.lines = lines }

  /// Skips signals until one satisfies `condition` and returns the skipped ones.
  func signals(until condition: (Signal) throws -> Bool) throws -> [Signal] {
    var signals: [Signal] = []
    while true {
      guard let signal = try Self.signal(lines.line()) else { continue }
      signals.append(signal)
      if try condition(signal) { return signals }
    }
  }

  func signal(where condition: (Signal) throws -> Bool) throws -> Signal {
    guard let signal = try signals(until: condition).last else { throw Unexpected("no signal arrived") }
    return signal
  }

  /// Returns nil for lines that are not signals.
  private static func signal(_ line: String) throws -> Signal? {
    guard line.hasPrefix("{") else { return nil }
    let message = try JSON(parsing: line)
    guard message["type"]?.string == "signal", message["path"]?.string == DesktopSession.path,
      let member = message["member"]?.string
    else { return nil }
    return Signal(member: member, arguments: message["payload"]?["data"]?.elements ?? [])
  }
}
