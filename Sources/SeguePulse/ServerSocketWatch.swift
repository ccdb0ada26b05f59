// Pulse thread only.
internal import Glibc
internal import SegueSystem

/// Tells when the socket of a sound server appears.
final class ServerSocketWatch {
  private var watch: ReadWatch?

  /// Nil if the server is none on this machine, or inotify is not to be had.
  /// `server`: as in `PULSE_SERVER`; nil for what libpulse finds by itself.
  init?(_ loop: PulseLoop, server: String?, appeared: @escaping () -> Void) {
    guard let path = ServerSocketPath.localSocket(server ?? variable("PULSE_SERVER")),
      let socket = try? SocketWatcher(path: FilePath(path))
    else { return nil }
    let watch = ReadWatch(loop, descriptor: socket.raw) { if socket.processEvents() { appeared() } }
    watch.isEnabled = true
    self.watch = watch
  }
}

/// Where a sound server listens.
enum ServerSocketPath {
  /// The socket that this server's clients connect to; nil if that is none on this machine. `server`: a list as
  /// `PULSE_SERVER` takes it, of which the first local one counts: `unix:/path`, `/path`, either behind `{machine-id}`.
  /// nil: the socket in the user's runtime folder.
  static func localSocket(_ server: String?) -> String? {
    guard let server, !server.isEmpty else {
      if let folder = variable("PULSE_RUNTIME_PATH") { return folder + "/native" }
      return variable("XDG_RUNTIME_DIR").map { $0 + "/pulse/native" }
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

private func variable(_ name: String) -> String? {
  guard let value = getenv(name), value.pointee != 0 else { return nil }
  return String(cString: value)
}
