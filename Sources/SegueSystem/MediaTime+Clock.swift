extension MediaTime {
  /// The time in whole seconds, rounded down, as a clock shows it: `0:07`, `4:56`, `1:02:03`.
  public var clock: String {
    let total = max(0, nanoseconds / 1_000_000_000)
    let (hours, minutes, seconds) = (total / 3600, total / 60 % 60, total % 60)
    let tail = (seconds < 10 ? ":0" : ":") + String(seconds)
    if hours == 0 { return String(minutes) + tail }
    return "\(hours)" + (minutes < 10 ? ":0" : ":") + String(minutes) + tail
  }
}
