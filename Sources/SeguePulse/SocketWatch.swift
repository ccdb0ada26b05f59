// Pulse thread only.
internal import Glibc
internal import SegueSystem

/// Tells when the socket of a sound server appears: inotify on the folder it comes in, or on the nearest folder above it
/// that is there. No timer runs for it.
final class SocketWatch {
  private let descriptor: Descriptor
  private let path: [String]
  private let appeared: () -> Void
  private var watch: ReadWatch?
  private var folder: Int32 = -1
  /// The name that is waited for in the folder.
  private var awaited = ""

  /// Nil if the server is none on this machine, or inotify is not to be had.
  /// `server`: as in `PULSE_SERVER`; nil for what libpulse finds by itself.
  init?(_ loop: PulseLoop, server: String?, appeared: @escaping () -> Void) {
    guard let socket = ServerAddress.localSocket(server ?? variable("PULSE_SERVER")) else { return nil }
    let raw = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard raw >= 0 else { return nil }
    descriptor = Descriptor(owning: raw)
    path = socket.split(separator: "/").map(String.init)
    self.appeared = appeared
    watchNearest()
    guard folder >= 0 else { return nil }
    let watch = ReadWatch(loop, descriptor: raw) { [unowned self] in read() }
    watch.isEnabled = true
    self.watch = watch
  }

  /// Watches the deepest folder of the path that is there.
  private func watchNearest() {
    if folder >= 0 { inotify_rm_watch(descriptor.raw, folder) }
    for depth in stride(from: path.count - 1, through: 0, by: -1) {
      let name = "/" + path[..<depth].joined(separator: "/")
      let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
      folder = inotify_add_watch(descriptor.raw, name, events)
      awaited = path[depth]
      if folder >= 0 { return }
    }
  }

  private func read() {
    var isNews = false
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
      while case let count = Glibc.read(descriptor.raw, buffer.baseAddress, buffer.count), count > 0 {
        var events = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        while let event = InotifyEvent(takenFrom: &events) {
          // That of a watch that was taken back says nothing any more.
          if event.watch == folder { isNews = isNews || event.name == nil || event.name == awaited }
        }
      }
    }
    guard isNews else { return }
    let wasSocket = awaited == path.last
    watchNearest()
    // The folder may have come with the socket in it.
    if wasSocket || awaited == path.last { appeared() }
  }
}

/// One event as the kernel writes it (inotify(7)).
private struct InotifyEvent {
  let watch: Int32
  /// nil for one about the folder itself.
  let name: String?

  /// Takes the first event off `bytes`; nil if there is none.
  init?(takenFrom bytes: inout UnsafeRawBufferPointer) {
    let header = MemoryLayout<inotify_event>.size
    guard bytes.count >= header else { return nil }
    let event = bytes.loadUnaligned(as: inotify_event.self)
    let text = bytes[header...].prefix(Int(event.len)).prefix { $0 != 0 }
    watch = event.wd
    name = event.len == 0 ? nil : String(decoding: text, as: UTF8.self)
    bytes = UnsafeRawBufferPointer(rebasing: bytes[min(header + Int(event.len), bytes.count)...])
  }
}

/// Where a sound server listens.
enum ServerAddress {
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
