// Thread: the loop.

internal import Glibc
internal import SegueLoop
internal import SegueSystem

/// The session's bus or the system's, which may be there, come late, go and come back, or never be. While there is none,
/// its socket's place is watched, and nothing runs.
@MainActor
final class MessageBus {
  /// What it is to us.
  enum News {
    /// It is there. Whoever wants to can call us by this name, if we wanted one.
    case connected(name: String?)
    case lost
  }

  private let loop: EventLoop
  private let find: @MainActor () -> BusAddress?
  private let names: [String]
  private let path: String
  private let takesFiles: Bool
  private let onCall: (@MainActor (BusCall) -> Void)?
  private let onEvent: @MainActor (News) -> Void
  private var connection: BusConnection?
  /// Has its name.
  private var isReady = false
  /// Of its socket's place.
  private var watch: IOSource?
  /// For a bus that is there and does not take us: one that is just starting or ending, or has too much to do.
  private var retry: Timer?
  private var failures = 0
  /// Something has happened at its socket's place, and was no bus yet; at our start, who knows.
  private var hasCome = true

  /// After so many it waits until something happens to the socket: ¼ s, ½ s, … 32 s.
  private static let mostRetries = 8

  /// Looks for it. `find`: where it should be. `names`: those to have on it, the first that nobody has. `path`: where the
  /// object lies whose methods come to `onCall`. `takesFiles`: whether answers may hand us any.
  init(
    on loop: EventLoop, at find: @escaping @MainActor () -> BusAddress?, names: [String] = [], path: String = "/",
    takesFiles: Bool = false, onCall: (@MainActor (BusCall) -> Void)? = nil,
    onEvent: @escaping @MainActor (News) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.find = find
    self.takesFiles = takesFiles
    self.names = names
    self.path = path
    self.onCall = onCall
    self.onEvent = onEvent
    retry = try Timer(on: loop, slack: .milliseconds(250)) { [unowned self] in connect() }
    connect()
  }

  /// Sends a signal of the object, if anybody can hear it.
  func emit(_ member: String, of interface: String, _ values: [BusValue]) {
    if isReady { connection?.emit(member, of: interface, at: path, values) }
  }

  /// While it is there.
  var live: BusConnection? { isReady ? connection : nil }

  /// Whether somebody is there to be told, and has not left too much unread. If that is so, `then` is called when it has
  /// read all of it.
  func isReadyToEmit(then: @escaping @MainActor () -> Void) -> Bool {
    guard isReady, let connection else { return false }
    return !connection.isBehind(then: then)
  }

  private func connect() {
    guard connection == nil, let address = find() else { return }
    // Watched first, then tried: what comes in between is noticed.
    watch = address.socket.flatMap(watchForArrival)
    do throws(SystemError) {
      connection = try BusConnection(
        on: loop, address: address.text, names: names, path: path, takesFiles: takesFiles, onCall: onCall,
        onEvent: { [unowned self] in hear($0) })
    } catch {
      // None is there: the watch tells when one comes. A socket that has just come will listen in a moment, and nothing
      // tells of that.
      if error.code != ENOENT, error.code != ECONNREFUSED || hasCome { fail() }
    }
  }

  /// nil where nothing can be watched.
  private func watchForArrival(at path: FilePath) -> IOSource? {
    guard let socket = try? SocketWatcher(path: path) else { return nil }
    return try? IOSource(on: loop, descriptor: socket.raw, of: socket, for: .readable) { [unowned self] _ in
      guard socket.processEvents() else { return }
      failures = 0
      retry?.disarm()
      hasCome = true
      connect()
    }
  }

  private func hear(_ news: BusConnection.News) {
    switch news {
    case .ready(let name):
      isReady = true
      failures = 0
      watch = nil
      if let name, name != names.first {
        Log.notice("another player is \(names[0]) on the session bus; this one is \(name)")
      }
      onEvent(.connected(name: name))
    case .ended:
      let wasReady = isReady
      isReady = false
      hasCome = false
      connection = nil
      guard wasReady else { return fail() }
      onEvent(.lost)
      connect()
    }
  }

  private func fail() {
    failures += 1
    if failures <= Self.mostRetries { retry?.arm(after: MediaTime(seconds: Double(1 << failures) / 8)) }
  }
}
