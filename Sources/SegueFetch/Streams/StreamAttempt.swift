internal import SegueSystem
internal import SegueWire

/// A single request for a resource. It decides when its response is read: as soon as bytes arrive, in batches if a
/// station is ahead of playback, or as soon as the worker has room for them.
final class StreamAttempt {
  private let client: HTTPClient
  private let transfer: Transfer
  private var state = State.reading
  private var pace = ArrivalPace()
  private let start = MonotonicTime.now
  /// The number of bytes of the resource that the attempt has brought.
  private(set) var count: Int64 = 0

  private enum State {
    case reading
    /// The worker has no room.
    case blocked
    /// The station is ahead of playback.
    case paused(until: MonotonicTime)
  }

  init(_ request: HTTPRequest, by client: HTTPClient, delegate: any TransferDelegate) throws(Failure) {
    self.client = client
    transfer = try client.start(request, delegate: delegate)
  }

  /// Whether the calls of `transfer` concern this attempt.
  func uses(_ transfer: Transfer) -> Bool { self.transfer === transfer }

  var duration: MediaTime { .now - start }

  /// The time at which `resumeIfDue` has something to do.
  var deadline: MonotonicTime? { if case .paused(let end) = state { end } else { nil } }

  /// Ends the request.
  func cancel() { client.cancel(transfer) }

  /// Records bytes of the resource.
  func received(_ count: Int) {
    self.count += Int64(count)
    pace.received(count, at: .now)
  }

  /// Records that the worker has no room, so that the delegate has refused bytes.
  func block() {
    state = .blocked
    pace.wasBlocked()
  }

  /// Continues if the worker had no room.
  func unblock() { if case .blocked = state { read() } }

  /// Reads nothing for a while if the station is ahead of playback.
  func pauseIfAhead(at now: MonotonicTime) {
    guard case .reading = state, let pause = pace.pause(at: now) else { return }
    state = .paused(until: now + pause)
    client.pause(transfer)
  }

  /// Reads the next batch of the station if it is time.
  func resumeIfDue(at now: MonotonicTime) { if let deadline, now >= deadline { read() } }

  private func read() {
    state = .reading
    client.resume(transfer)
  }

  /// Returns whether the server alone has determined the pace for at least `time`, as that of a live stream does.
  func isPacedByServer(for time: MediaTime) -> Bool { pace.timeOfServer >= time }
}
