// Thread: the loop.

internal import SegueLoop
internal import SegueState
internal import SegueSystem
internal import SegueWire

/// A sleep timer: it stops playback after a time, or at the end of a track, an album or the queue.
@MainActor
final class SleepTimer {
  /// The time at which playback stops, by the clock that runs on while the machine sleeps: a timer that was set in the
  /// evening must not stop playback in the morning.
  private var deadline: BootTime?
  private var end: SleepEnd?
  private var timer: Timer?
  /// Called when the time has elapsed; nil before the setting was restored.
  private var onElapsed: (@MainActor () -> Void)?

  init(loop: EventLoop) throws(SystemError) {
    timer = try Timer(on: loop, clock: .boot) { [weak self] in
      self?.deadline = nil
      self?.onElapsed?()
    }
  }

  /// The setting as `Status` has it: the time that is left, from now on.
  var setting: Sleep? {
    if let deadline { return .seconds(max(.zero, deadline - .now)) }
    return end.map(Sleep.after)
  }

  /// The setting as it is saved.
  var saved: SavedSleep? {
    if let deadline { return .at(.now + (deadline - .now)) }
    return end.flatMap { SavedSleep.End(rawValue: $0.rawValue) }.map(SavedSleep.after)
  }

  /// Restores a setting that was saved. A time that has elapsed meanwhile is dropped. `onElapsed`: called when the time
  /// of this or of a later setting has elapsed.
  func restore(_ saved: SavedSleep?, onElapsed: @escaping @MainActor () -> Void) {
    self.onElapsed = onElapsed
    switch saved {
    case nil: set(nil)
    case .at(let time): set(time > .now ? .seconds(time - .now) : nil)
    case .after(let mark): set(SleepEnd(rawValue: mark.rawValue).map(Sleep.after))
    }
  }

  /// Sets the timer; nil turns it off.
  func set(_ sleep: Sleep?) {
    timer?.disarm()
    deadline = nil
    end = nil
    switch sleep {
    case nil: break
    case .after(let end): self.end = end
    case .seconds(let time):
      let deadline = BootTime.now + time
      self.deadline = deadline
      timer?.arm(at: deadline)
    }
  }

  /// Returns whether `next` may be played after `last`. `wraps`: whether the queue, or a round of it, ends with `last`.
  func allows(_ next: PlayQueue.Entry?, after last: PlayQueue.Entry?, wraps: Bool) -> Bool {
    switch end {
    case nil: true
    case .track: false
    case .queue: !wraps
    case .album: next?.album == last?.album
    }
  }

  /// Whether the timer waits for the end of a track, an album or the queue.
  var waitsForEnd: Bool { end != nil }
}
