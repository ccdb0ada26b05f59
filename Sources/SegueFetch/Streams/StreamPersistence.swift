internal import SegueWire

/// How often a resource is requested again.
enum StreamPersistence {
  /// The stream is not open yet: its first failure is reported, because the user waits for the reason.
  case none
  /// Several times, because the stream plays already, and cannot go on without the resource.
  case high
  /// A few times, because a live stream can go on without the resource.
  case low
  /// The stream is live: attempts go on for as long as it is played.
  case unlimited

  /// The number of consecutive failures after which the resource is given up.
  var maximumFailures: Int {
    switch self {
    case .none, .high: 8
    case .low: 4
    case .unlimited: .max
    }
  }

  /// Returns whether a resource that is not open may be requested again after `failures` consecutive failures, of which
  /// `error` is the last one.
  func allowsRetry(of kind: StreamResource.Kind, after error: TransferError, failures: Int) -> Bool {
    switch (self, kind) {
    case (.none, _): false
    // A server that answers with an error can be reached.
    case (_, .stream): [.offline, .timeout].contains(error.failure.kind) && failures < maximumFailures
    // A station that is not there at the moment is an error of any kind, and one that has ended may be, too.
    case (.unlimited, .manifest):
      !error.isRefusal && failures < (error.isTransient ? maximumFailures : Self.high.maximumFailures)
    case (_, .manifest), (_, .part): error.isTransient && failures < maximumFailures
    }
  }
}
