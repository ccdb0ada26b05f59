// Thread: the pulse thread.
internal import Glibc
internal import SegueSystem

/// A watch that calls back when the socket of a sound server appears.
final class ServerSocketWatch {
  private var watch: ReadWatch?

  /// Returns nil if the server is not on this machine, or inotify is not available.
  /// - Parameter server: as in `PULSE_SERVER`; nil for the server that libpulse finds.
  init?(_ loop: PulseLoop, server: String?, appeared: @escaping () -> Void) {
    guard let path = ServerSocketPath.local(server ?? environment("PULSE_SERVER")),
      let socket = try? SocketWatcher(path: FilePath(path))
    else { return nil }
    let watch = ReadWatch(loop, descriptor: socket.raw) { if socket.processEvents() { appeared() } }
    watch.enable()
    self.watch = watch
  }
}

/// The path of a sound server's socket.
enum ServerSocketPath {
  /// Returns the socket to which the clients of `server` connect; nil if it is not on this machine.
  /// - Parameter server: a list as in `PULSE_SERVER`, of which the first local server counts: `unix:/path` or `/path`,
  ///   with or without a leading `{machine-id}`. nil: the socket in the user's runtime folder.
  static func local(_ server: String?) -> String? {
    guard let server, !server.isEmpty else {
      if let folder = environment("PULSE_RUNTIME_PATH") { return folder + "/native" }
      return environment("XDG_RUNTIME_DIR").map { $0 + "/pulse/native" }
    }
    for word in server.split(separator: " ") {
      var word = word
      if word.first == "{", let end = word.firstIndex(of: "}") { word = word[word.index(after: end)...] }
      if word.hasPrefix("unix:") { word = word.dropFirst("unix:".count) }
      if word.hasPrefix("/") { return String(word) }
    }
    return nil
  }
}

private func environment(_ name: String) -> String? {
  guard let value = getenv(name), value.pointee != 0 else { return nil }
  return String(cString: value)
}
