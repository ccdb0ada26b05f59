internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The repetition of requests that have failed, at growing intervals.
struct RequestRetry {
  private var backoff = Backoff(.seconds(1)...(.seconds(60)))
  /// The time at which the requests are repeated; nil if none has failed, or if a repetition does not help.
  private(set) var time: MonotonicTime?

  /// Handles a failure. Other failures before the repetition do not delay it.
  mutating func fail(_ error: ClientError, at now: MonotonicTime) {
    guard time == nil, error.isTemporary else { return }
    time = now + backoff.next()
  }

  /// Begins the repetition. The next interval is longer.
  mutating func begin() { time = nil }

  /// Begins again with the shortest interval, because a request has succeeded or is another one now.
  mutating func reset() { self = RequestRetry() }
}

extension ClientError {
  /// Whether the error says that the item of the request does not exist.
  var isNotFound: Bool { kind == Failure.Kind.notFound.rawValue }

  /// Whether the same request may succeed later.
  fileprivate var isTemporary: Bool {
    switch kind.flatMap(Failure.Kind.init) {
    case .busy, .timeout, .unavailable, .rateLimited, .offline: true
    default: false
    }
  }
}
