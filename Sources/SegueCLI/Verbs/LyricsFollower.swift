internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueWire

/// The loop of `segue lyrics --follow`, which prints each line of the lyrics when it is sung, until the daemon ends the
/// connection or the reader closes standard output.
final class LyricsFollower {
  private let context: VerbContext
  private var status: Status
  /// The track whose lyrics are followed, by its id in the queue.
  private var track: UInt64?
  private var lines: [Lyrics.Line] = []
  /// The index of the line that was printed last; nil before the first one.
  private var printed: Int?

  init(context: VerbContext) throws(ClientError) {
    self.context = context
    status = try context.call(SubscribeRequest(topics: [.player])).value.status
  }

  func run() throws(ClientError) {
    let connection = try context.connection()
    while true {
      if status.track?.id != track { try beginTrack() }
      printLine()
      guard try context.flush() else { return }
      switch connection.wait(until: nextLine) {
      case .outputClosed: return
      case .deadline: continue
      case .readable:
        if case .player(let changed)? = ProtocolEvent(try context.nextEvent()) { status = changed }
      }
    }
  }

  /// Reads the lyrics of the current track. Lyrics without timestamps are printed at once.
  private func beginTrack() throws(ClientError) {
    track = status.track?.id
    (lines, printed) = ([], nil)
    guard let current = status.track else { return }
    let style = context.style
    if style.isTerminal { context.console.printLine(style.paint(style.fitted(current.heading(style)), .bold)) }
    _ = try context.flush()
    do throws(ClientError) {
      let lyrics = try context.call(LyricsRequest(uri: current.uri)).value
      if let timed = lyrics.lines {
        lines = timed.sorted { $0.time < $1.time }
      } else {
        context.printNotice(tr("these lyrics have no timestamps; all lines follow"))
        for line in lyrics.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
          context.console.printLine(String(line).visible)
        }
      }
    } catch {
      if error.exit == .noDaemon { throw error }
      context.printNotice(error.message)
    }
    // Events that arrived before the lyrics are not kept.
    status = try context.call(StatusRequest()).value
  }

  /// Prints the line of the current position if it is another one than the last. After a seek, that is the line at the
  /// new position.
  private func printLine() {
    guard status.track?.id == track, let position = status.position(at: .now) else { return }
    let current = lines.indexOfLine(at: position)
    guard current != printed else { return }
    printed = current
    guard let current else { return }
    if context.printsJSON {
      context.print(encoded: lines[current])
    } else {
      context.console.printLine(lines[current].text.visible)
    }
  }

  /// The time at which the next line begins; nil if none does while nothing changes.
  private var nextLine: MonotonicTime? {
    let now = MonotonicTime.now
    guard status.rate > 0, status.track?.id == track, let position = status.position(at: now),
      let next = lines.first(where: { $0.time > position })
    else { return nil }
    return now + MediaTime(seconds: (next.time - position).seconds / status.rate)
  }
}
