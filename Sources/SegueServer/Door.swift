// Thread: the loop.

internal import Glibc
internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// Takes connections, even when the process has no descriptor left: one is kept in reserve to say so with.
@MainActor
final class Door {
  private let listener: Listener
  private let welcome: @MainActor (consuming Descriptor) -> Void
  private var source: IOSource?
  private var retry: Timer?
  private var reserve: Descriptor?

  init(
    _ listener: Listener, on loop: EventLoop, welcome: @escaping @MainActor (consuming Descriptor) -> Void
  ) throws(SystemError) {
    self.listener = listener
    self.welcome = welcome
    reserve = Self.openReserve()
    retry = try Timer(on: loop) { [unowned self] in source?.interest = .readable }
    source = try IOSource(on: loop, descriptor: listener.raw, for: .readable) { [unowned self] _ in open() }
  }

  private func open() {
    for _ in 0..<Self.clientsPerTurn {
      do throws(SystemError) {
        welcome(try UnixSocket.accept(from: listener.raw))
      } catch {
        switch error.code {
        case EAGAIN: return
        // The client gave up while it waited.
        case ECONNABORTED, EPROTO: continue
        case EMFILE, ENFILE: turnAway()
        default: return pause(error)
        }
      }
    }
  }

  /// Spends the reserve on telling one client that there is no descriptor for it.
  private func turnAway() {
    reserve = nil
    do throws(SystemError) {
      Self.refuse(try UnixSocket.accept(from: listener.raw), because: "the daemon has no descriptor left")
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
  private static let pauseLength = MediaTime(nanoseconds: 200_000_000)
}
