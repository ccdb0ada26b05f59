public import SegueSystem
public import SegueWire

/// The header `Retry-After` (RFC 9110, 10.2.3): a number of seconds, or a date.
public enum RetryAfter {
  /// The time to wait if a server limits the rate of requests and does not say for how long.
  public static let standard = MediaTime.seconds(60)
  /// The longest time that is returned: an hour. A server that states a longer time is asked again after this one,
  /// because the number may be a mistake.
  private static let maximumSeconds = 3600

  /// Returns the time to wait, at least a second and at most an hour; nil if the value is malformed.
  /// - Parameter now: The time at which the response was received, from which a date is counted.
  public static func time(_ value: String, now: UnixTime) -> MediaTime? {
    let text = value.trimmed
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return .seconds((Int(text) ?? Int.max).clamped(to: 1...maximumSeconds))
    }
    guard let date = UnixTime(httpDate: text) else { return nil }
    return (date - now).clamped(to: .seconds(1) ... .seconds(maximumSeconds))
  }
}

extension Failure {
  /// Returns the failure of a request that a server refuses, or would refuse, for a time.
  public static func rateLimit(of server: String, for wait: MediaTime) -> Failure {
    // The time is rounded up, so that an attempt after it succeeds.
    let seconds = Int(wait.seconds.rounded(.up))
    return Failure(
      .rateLimited,
      seconds < 120
        ? "\(server) limits the rate of requests; try again in \(seconds) s"
        : "\(server) limits the rate of requests; try again in \((seconds + 59) / 60) min", retryAfter: wait)
  }
}

/// The header `Cache-Control` (RFC 9111, 5.2).
public enum CacheControl {
  /// Returns the time for which a response is fresh; nil if the value states none, or a malformed one. Other directives
  /// than `max-age` are ignored.
  public static func maximumAge(_ value: String) -> MediaTime? {
    for directive in value.split(separator: ",") {
      let parts = directive.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
      guard parts.count == 2, parts[0].lowercased() == "max-age" else { continue }
      // A recipient accepts the value with quotation marks, too.
      let digits = parts[1].filter { $0 != "\"" }
      guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return MediaTime(seconds: Double(digits) ?? 0)
    }
    return nil
  }
}
