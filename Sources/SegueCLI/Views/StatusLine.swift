internal import SegueClientKit
internal import SegueSystem
internal import SegueUnicode
internal import SegueWire

/// The line that transport verbs print: `▶ Title — Artist  0:00 / 3:21`.
enum StatusLine {
  /// Returns the line. `isStarting` is true if the client has waited for the start of playback and it is still pending.
  static func of(
    _ status: Status, _ style: Style, isStarting: Bool = false, at now: MonotonicTime = .now
  ) -> String {
    guard let track = status.track else { return status.length == 0 ? tr("the queue is empty") : tr("stopped") }
    let mark = style.isTerminal ? status.state.symbol(style) : status.state.rawValue
    let tail =
      ["", clock(status, at: now)].joined(separator: "  ")
      + (remark(status) ?? (isStarting ? "  " + tr("(no sound yet)") : ""))
    var heading = track.heading(style)
    if style.isTerminal {
      let available = style.columns - DisplayWidth.of(mark) - 1 - DisplayWidth.of(tail)
      heading = heading.truncated(to: max(8, available), ellipsis: style.ellipsis)
    }
    return style.paint(mark, status.state.paint) + " " + style.paint(heading, .bold) + tail
  }

  /// Returns position and duration, such as `1:23 / 4:56`, or `12:30 (live)` if the duration is unbounded.
  static func clock(_ status: Status, at now: MonotonicTime) -> String {
    let position = status.position(at: now)?.clock ?? "0:00"
    if status.durationKind == .unbounded { return tr("%1$s (live)", position) }
    let duration = durationText(status.duration, status.durationKind)
    return duration.isEmpty ? position : "\(position) / \(duration)"
  }

  private static func remark(_ status: Status) -> String? {
    if status.output.state == .lost { return "  (\(status.output.lossKind.summary))" }
    if let waiting = status.stream?.state?.waiting { return "  (\(waiting))" }
    return status.muted && status.state == .playing ? "  " + tr("(muted)") : nil
  }
}

extension PlayState {
  func symbol(_ style: Style) -> String {
    switch self {
    case .playing: style.unicode ? "▶" : ">"
    case .paused: style.unicode ? "⏸" : "||"
    case .stopped: style.unicode ? "■" : "[]"
    }
  }

  var paint: Style.Paint {
    switch self {
    case .playing: .green
    case .paused: .yellow
    case .stopped: .dim
    }
  }
}
