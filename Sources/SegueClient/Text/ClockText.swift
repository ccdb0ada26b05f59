internal import SegueSystem
internal import SegueWire

extension MediaTime {
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
