// Thread: the loop.

internal import Glibc
internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// Takes connections, even when the process has no descriptor left: one is kept in reserve to say so with. And stays to be
/// found: a socket that somebody removed is made again.
@MainActor
final class Door {
  private let loop: EventLoop
  /// nil if no socket could be made where the last one was.
  private var listener: Listener?
  private let welcome: @MainActor (consuming Descriptor) -> Void
  private var source: IOSource?
  private var watch: PathWatcher?
  private var retry: Timer?
  private var reserve: Descriptor?

  init(
    _ listener: Listener, on loop: EventLoop, welcome: @escaping @MainActor (consuming Descriptor) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.welcome = welcome
    reserve = Self.openReserve()
    retry = try Timer(on: loop) { [unowned self] in source?.interest = .readable }
    try serve(listener)
  }

  private func serve(_ listener: Listener) throws(SystemError) {
    source = try IOSource(on: loop, descriptor: listener.raw, of: listener, for: .readable) { [unowned self] _ in open()
    }
    self.listener = listener
    guard let path = listener.path else { return }
    do throws(SystemError) {
      watch = try PathWatcher(on: loop, path: path) { [unowned self] in stayFound() }
    } catch {
      Log.notice("if somebody removes \(path), nobody will notice: \(error)")
    }
  }

  /// Makes the socket anew if there is none of ours at its path any more.
  private func stayFound() {
    guard let old = listener, let path = old.path, !old.isInPlace else { return }
    // As long as the old one is there, the new one is no namesake of it, with the same inode: sd-event tells what it
    // watches by that. But its lock must go, for the file of that may be gone too.
    defer { withExtendedLifetime(old) {} }
    open()
    old.leave()
    do {
      try serve(Listener(at: path))
      Log.warning("the socket \(path) was gone; it was made anew")
    } catch {
      (source, watch, listener) = (nil, nil, nil)
      Log.error("the socket \(path) is gone, and nobody can reach this daemon any more: \(error)")
    }
  }

  private func open() {
    guard let listener = listener?.raw else { return }
    for _ in 0..<Self.clientsPerTurn {
      do throws(SystemError) {
        welcome(try UnixSocket.accept(from: listener))
      } catch {
        switch error.code {
        case EAGAIN: return
        // The client gave up while it waited.
        case ECONNABORTED, EPROTO: continue
        case EMFILE, ENFILE: turnAway(from: listener)
        default: return pause(error)
        }
      }
    }
  }

  /// Spends the reserve on telling one client that there is no descriptor for it.
  private func turnAway(from listener: Int32) {
    reserve = nil
    do throws(SystemError) {
      Self.refuse(try UnixSocket.accept(from: listener), because: "the daemon has no descriptor left")
    } catch {
      if error.code != EAGAIN { pause(error) }
    }
    reserve = Self.openReserve()
  }

  /// Lets those who wait, wait: without this the loop would spin on a listener it cannot serve.
  private func pause(_ error: SystemError) {
    Log.warning("no client can be taken in for a moment: \(error.reason)")
    source?.interest = []
    retry?.arm(after: Self.pauseLength)
  }

  /// Says why, and closes.
  static func refuse(_ client: borrowing Descriptor, because reason: String) {
    var json = JSONWriter()
    json.response(to: .null, failure: Failure(.tooManyClients, reason))
    json.endLine()
    // A new connection has room for a line; one that has none gets none.
    _ = json.withBytes { line in Result { () throws(SystemError) in try sendAtOnce(line, to: client.raw) } }
  }

  private static func openReserve() -> Descriptor? {
    let raw = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
    return raw < 0 ? nil : Descriptor(owning: raw)
  }

  private static let clientsPerTurn = 16
  private static let pauseLength = MediaTime.milliseconds(200)
}
