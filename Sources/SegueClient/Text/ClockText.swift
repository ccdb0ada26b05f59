internal import SegueSystem
internal import SegueWire

extension MediaTime {
  /// Whole seconds begun: `0:07`, `4:56`, `1:02:03`.
  var clock: String {
    let total = max(0, nanoseconds / 1_000_000_000)
    let (hours, minutes, seconds) = (total / 3600, total / 60 % 60, total % 60)
    let tail = (seconds < 10 ? ":0" : ":") + String(seconds)
    if hours == 0 { return String(minutes) + tail }
    return "\(hours)" + (minutes < 10 ? ":0" : ":") + String(minutes) + tail
  }

  /// Seconds to the millisecond, always with three digits behind the point, for programs: `83.250`.
  var decimal: String {
    let milliseconds = max(0, nanoseconds / 1_000_000)
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}

/// A length with how far it can be trusted: `4:56`, `~4:56` for an estimate, `live` without end, empty if unknown.
func durationText(_ duration: MediaTime?, _ kind: DurationKind?) -> String {
  if kind == .unbounded { return "live" }
  return duration.map { (kind == .estimated ? "~" : "") + $0.clock } ?? ""
}
