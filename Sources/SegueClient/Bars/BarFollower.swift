internal import Glibc
internal import SegueSystem
internal import SegueWire

/// `segue status --follow`: a line for the state, and one whenever that line would be another, for as long as somebody
/// reads. The daemon may go and come.
final class BarFollower {
  /// Why it is over; nil: nobody reads any more.
  private struct End: Error {
    let failure: ClientError?
  }

  private let session: Session
  private let output: BarOutput
  private let template: Template
  private var printed: [UInt8] = []
  private var complaint = ""
  /// How often the daemon was looked for in vain since it was last there.
  private var attempts = 0

  init(session: Session, output: BarOutput, template: Template) {
    self.session = session
    self.output = output
    self.template = template
  }

  func run() throws(ClientError) {
    // Before the first look for the socket: what comes after it is told of.
    let watch = try? SocketWatcher(path: session.socket)
    do throws(End) {
      while true {
        let isAbsent = try followWhileThere()
        try show(BarStatus())
        try waitForDaemon(watch, isAbsent: isAbsent)
      }
    } catch {
      if let failure = error.failure { throw failure }
    }
  }

  /// The line for a state.
  static func line(_ status: BarStatus, _ output: BarOutput, _ template: Template, _ style: Style) -> [UInt8] {
    let moment = TemplateContext(status: status, now: .now, style: style, isMarkup: output.isMarkup)
    return output.line(template.filled(in: moment, escape: output.escape), status)
  }

  /// Shows what the daemon says until it goes; true if nobody listened.
  private func followWhileThere() throws(End) -> Bool {
    let connection: Connection
    do throws(ClientError) {
      connection = try Connection(path: session.socket)
    } catch {
      if error.exit == .usage { throw End(failure: error) }
      return true
    }
    let subscription = connection.send(Request("subscribe") { $0.member("topics", ["player"]) })
    try waitForLine(on: connection, until: nil)
    guard var status = try heard({ () throws(ClientError) in try connection.answer(to: subscription)["status"] })
    else { return false }
    attempts = 0
    while true {
      try show(BarStatus(status))
      guard try waitForLine(on: connection, until: nextTick(of: Status(status))) else { continue }
      // What is known to be old by now is not shown.
      repeat {
        guard let next = try heard({ () throws(ClientError) in try connection.event()["data"] }) else { return false }
        status = next
      } while connection.hasBufferedLine
    }
  }

  /// What `listen` hears; nil if the daemon goes, or refuses, which is said once.
  private func heard(_ listen: () throws(ClientError) -> JSON?) throws(End) -> JSON? {
    do throws(ClientError) {
      return try listen()
    } catch {
      if error.exit != .noDaemon, error.message != complaint {
        complaint = error.message
        session.console.complain(error.message, hints: error.hints)
      }
      return nil
    }
  }

  private func show(_ status: BarStatus) throws(End) {
    let line = Self.line(status, output, template, session.style)
    if line == printed { return }
    printed = line
    session.console.part(bytes: line)
    do throws(ClientError) {
      if try session.flush() { return }
    } catch {
      throw End(failure: error)
    }
    throw End(failure: nil)
  }

  /// When the next second of the position begins; nil if the line has no use for it.
  private func nextTick(of player: Status) -> MonotonicTime? {
    let now = MonotonicTime.now
    guard template.usesPosition, player.rate > 0, let position = player.position(at: now) else { return nil }
    if player.durationKind == .exact, position == player.duration { return nil }
    return now + MediaTime(nanoseconds: 1_000_000_000 - position.nanoseconds % 1_000_000_000)
  }

  /// False when it is `deadline` first.
  @discardableResult
  private func waitForLine(on connection: Connection, until deadline: MonotonicTime?) throws(End) -> Bool {
    connection.hasBufferedLine ? true : try wait(for: connection.raw, until: deadline)
  }

  /// Waits until it is worth looking again. That somebody made a socket does not say that he listens already, and one who
  /// listens may send everybody away: so it is looked again by and by. Where nobody listens at all, that ends after a few
  /// seconds, and the next thing to happen is a new socket.
  private func waitForDaemon(_ watch: SocketWatcher?, isAbsent: Bool) throws(End) {
    let milliseconds = min(5000, 10 << min(attempts, 9))
    let isHopeless = isAbsent && attempts >= 8 && watch != nil
    attempts += 1
    let deadline = isHopeless ? nil : MonotonicTime.now + MediaTime(nanoseconds: Int64(milliseconds) * 1_000_000)
    while true {
      guard try wait(for: watch?.raw ?? -1, until: deadline) else { return }
      if watch?.processEvents() == true {
        if isAbsent { attempts = 0 }
        return
      }
    }
  }

  /// Waits until `descriptor` can be read; false when it is `deadline` first.
  private func wait(for descriptor: Int32, until deadline: MonotonicTime?) throws(End) -> Bool {
    switch WakeReason(waitingFor: descriptor, until: deadline) {
    case .readable: return true
    case .deadline: return false
    case .readerGone: throw End(failure: nil)
    }
  }
}
