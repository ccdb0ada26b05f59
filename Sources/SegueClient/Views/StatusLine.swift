internal import SegueSystem
internal import SegueWire

/// What a transport verb says afterwards: `▶ Title — Artist  0:00 / 3:21`, in one line.
enum StatusLine {
  /// `isAwaited`: the first sound was waited for, and has not come yet.
  static func of(
    _ status: Status, _ style: Style, isAwaited: Bool = false, at now: MonotonicTime = .now
  ) -> String {
    guard let track = status.track else { return status.length == 0 ? "the queue is empty" : "stopped" }
    let mark = style.isTerminal ? status.state.symbol(style) : status.state.rawValue
    let tail = ["", clock(status, at: now)].joined(separator: "  ") + (isAwaited ? "  (no sound yet)" : remark(status))
    var heading = track.heading(style)
    if style.isTerminal {
      let room = style.columns - Columns.of(mark) - 1 - Columns.of(tail)
      heading = heading.cut(to: max(8, room), mark: style.ellipsis)
    }
    return style.paint(mark, status.state.paint) + " " + style.paint(heading, .bold) + tail
  }

  /// `1:23 / 4:56`; `12:30 (live)` without an end.
  static func clock(_ status: Status, at now: MonotonicTime) -> String {
    let position = status.position(at: now)?.clock ?? "0:00"
    if status.durationKind == .unbounded { return "\(position) (live)" }
    let duration = durationText(status.duration, status.durationKind)
    return duration.isEmpty ? position : "\(position) / \(duration)"
  }

  private static func remark(_ status: Status) -> String {
    if status.output.state == .lost {
      return "  (\(status.output.missing.summary))"
    }
    return status.muted && status.state == .playing ? "  (muted)" : ""
  }
}

extension Output {
  /// The kind of error while the state is `lost`. A daemon that names none lacks a sound server.
  var missing: ErrorKind { errorKind ?? .noServer }
}

extension Output.ErrorKind {
  /// A short statement of what is missing.
  var summary: String {
    switch self {
    case .noServer: "no sound server"
    case .noAnswer: "the sound server does not answer"
    case .noSink: "no output device"
    case .noStream: "the sound server opens no stream"
    }
  }

  /// The condition on which there is sound again. It is nil for kinds whose error message is complete by itself.
  var remedy: String? {
    switch self {
    case .noServer: "when there is one"
    case .noStream: "when it does"
    case .noAnswer, .noSink: nil
    }
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
