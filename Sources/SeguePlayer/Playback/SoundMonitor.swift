// Thread: the loop. The samples come through the memory of a tap, which the output fills.

internal import SegueLoop
internal import SegueOutput
internal import SegueSystem
public import SegueWire

/// A monitor of the sound: while it is wanted and sound plays, it copies what was audible, 30 times a second.
///
/// Otherwise nothing is copied, and there is no timer. The clock of the output says what is audible, so the samples are
/// those at the loudspeaker, however far ahead the output reads.
@MainActor
public final class SoundMonitor {
  /// What was audible last.
  public private(set) var sound = Sound()
  /// Called when `sound` has changed.
  public var onSound: (@MainActor () -> Void)?

  private let sink: SinkController
  private var timer: Timer?
  /// The tap of the output while the sound is wanted.
  private var tap: SoundTap?
  /// The number of the sample after the last one that was copied.
  private var next: Int64 = 0

  /// The minimum time between two copies.
  private static let interval = MediaTime(nanoseconds: 1_000_000_000 / 30)
  /// The time between two attempts while playback waits for PCM, or the tap has nothing of what is audible.
  private static let retryInterval = MediaTime.milliseconds(100)
  /// The maximum number of samples that are copied: more than are audible in `interval`. If the loop was late, earlier
  /// samples are left out.
  private static let maximumSamples: Int64 = 2_048

  init(loop: EventLoop, sink: SinkController) throws(SystemError) {
    self.sink = sink
    timer = try Timer(on: loop) { [weak self] in self?.copyAudible() }
    sink.monitor = self
  }

  /// Whether anybody wants the sound.
  public var isWanted: Bool {
    get { tap != nil }
    set {
      guard newValue != isWanted else { return }
      tap = newValue ? SoundTap() : nil
      next = 0
      sink.send(.tap(tap))
      if newValue { update() } else { timer?.disarm() }
    }
  }

  /// Starts the timer if the sound is wanted and plays. The sink calls this after each of its events.
  func update() {
    guard isWanted, timer?.isArmed == false, case let clock = sink.clock, clock.isRunning, let anchor = clock.anchor
    else { return }
    timer?.arm(at: max(.now + Self.interval, anchor.time))
  }

  /// Copies what was audible since the last copy. The timer is not started again if playback is paused or has ended.
  private func copyAudible() {
    let (clock, now) = (sink.clock, MonotonicTime.now)
    guard let tap, clock.isRunning else { return }
    guard let (frame, isAdvancing) = clock.streamFrame(at: now), isAdvancing, let start = clock.tapStart, start < frame,
      let position = clock.position(at: now)
    else {
      timer?.arm(after: Self.retryInterval)
      return
    }
    timer?.arm(after: Self.interval)
    let framesPerSample = SoundTap.framesPerSample(at: clock.rate)
    let end = frame.count / framesPerSample
    var first = max((start.count + framesPerSample - 1) / framesPerSample, end - Self.maximumSamples)
    // After a jump, samples are counted from zero again.
    if next <= end { first = max(first, next) }
    guard first < end else { return }
    next = end
    sound = Sound(
      position: position.rate.time(of: position.frame), monotonic: now,
      sampleRate: Int(Int64(clock.rate.hertz) / framesPerSample), first: UInt64(first), left: "", right: "")
    (sound.left, sound.right) = Self.encoded(tap, first..<end)
    onSound?()
  }

  /// Returns samples of both channels in Base64.
  private static func encoded(_ tap: SoundTap, _ numbers: Range<Int64>) -> (left: String, right: String) {
    var left: [UInt8] = []
    var right: [UInt8] = []
    left.reserveCapacity(2 * numbers.count)
    right.reserveCapacity(2 * numbers.count)
    func append(_ sample: Int16, to bytes: inout [UInt8]) {
      bytes.append(UInt8(truncatingIfNeeded: sample))
      bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
    }
    tap.read(numbers) {
      append($0, to: &left)
      append($1, to: &right)
    }
    func text(_ bytes: [UInt8]) -> String { String(decoding: Base64.standard.encoded(bytes), as: UTF8.self) }
    return (text(left), text(right))
  }
}
