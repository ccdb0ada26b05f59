// Thread: the loop.

internal import Glibc
internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// An acceptor of client connections.
///
/// It keeps one descriptor in reserve, so that it can still refuse a client with a reason when the process has no other
/// descriptor left. If the socket is removed from the file system, the acceptor creates it again.
@MainActor
final class ConnectionAcceptor {
  private let loop: EventLoop
  /// The listening socket; nil if it was removed and could not be created again.
  private var listener: Listener?
  private let onAccept: @MainActor (consuming Descriptor) -> Void
  private var source: IOSource?
  private var watch: PathWatcher?
  private var retryTimer: Timer?
  private var reserve: Descriptor?

  init(
    _ listener: Listener, on loop: EventLoop, onAccept: @escaping @MainActor (consuming Descriptor) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.onAccept = onAccept
    reserve = Self.openReserve()
    retryTimer = try Timer(on: loop) { [unowned self] in source?.interest = .readable }
    try startListening(on: listener)
  }

  private func startListening(on listener: Listener) throws(SystemError) {
    source = try IOSource(on: loop, descriptor: listener.raw, of: listener, for: .readable) { [unowned self] _ in
      acceptPending()
    }
    self.listener = listener
    guard let path = listener.path else { return }
    do throws(SystemError) {
      watch = try PathWatcher(on: loop, path: path, for: .place) { [unowned self] _ in recreateIfUnlinked() }
    } catch {
      Log.notice("cannot watch the socket \(path) for removal: \(error)")
    }
  }

  /// Creates the socket again if its path no longer leads to it.
  private func recreateIfUnlinked() {
    guard let old = listener, let path = old.path, !old.isInPlace else { return }
    // The old socket stays open until the new one exists: otherwise the new socket could get the same inode number, and
    // sd-event identifies watched files by inode. The lock is released first because its file may be gone too.
    defer { withExtendedLifetime(old) {} }
    acceptPending()
    old.releasePath()
    do {
      try startListening(on: Listener(at: path))
      Log.warning("the socket \(path) was removed; recreated it")
    } catch {
      (source, watch, listener) = (nil, nil, nil)
      Log.error("the socket \(path) was removed and cannot be recreated: \(error)")
    }
  }

  private func acceptPending() {
    guard let listener = listener?.raw else { return }
    for _ in 0..<Self.maximumAcceptsPerTurn {
      do throws(SystemError) {
        onAccept(try UnixSocket.accept(from: listener))
      } catch {
        switch error.code {
        case EAGAIN: return
        // The client closed its connection before it was accepted.
        case ECONNABORTED, EPROTO: continue
        case EMFILE, ENFILE: refuseWithReserve(from: listener)
        default: return pauseAccepting(after: error)
        }
      }
    }
  }

  /// Refuses one client with a reason, for which the reserved descriptor is used.
  private func refuseWithReserve(from listener: Int32) {
    reserve = nil
    do throws(SystemError) {
      Self.refuse(
        try UnixSocket.accept(from: listener), because: LocalizableMessage("the daemon has no descriptor left"))
    } catch {
      if error.code != EAGAIN { pauseAccepting(after: error) }
    }
    reserve = Self.openReserve()
  }

  /// Stops accepting for a moment: otherwise the loop would spin, because the listener stays readable.
  private func pauseAccepting(after error: SystemError) {
    Log.warning("cannot accept clients at the moment: \(error.reason)")
    source?.interest = []
    retryTimer?.arm(after: Self.retryInterval)
  }

  /// Sends the client an error response with `reason`. The caller closes the connection.
  static func refuse(_ client: borrowing Descriptor, because reason: LocalizableMessage) {
    var json = JSONWriter()
    json.response(to: .null, failure: Failure(.tooManyClients, reason))
    json.endLine()
    // The send buffer of a new connection has room for one line; if it has none, the client gets no reason.
    _ = json.withBytes { line in Result { () throws(SystemError) in try sendAtOnce(line, to: client.raw) } }
  }

  private static func openReserve() -> Descriptor? {
    let raw = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
    return raw < 0 ? nil : Descriptor(owning: raw)
  }

  private static let maximumAcceptsPerTurn = 16
  private static let retryInterval = MediaTime.milliseconds(200)
}
