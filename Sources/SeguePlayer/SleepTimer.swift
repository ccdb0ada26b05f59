// Thread: the loop.

internal import SegueLibrary
internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// Stops the music later: after a time, or where a track, an album or the queue ends.
@MainActor
final class SleepTimer {
  /// Called when the time is up.
  var onEnd: (@MainActor () -> Void)?

  /// By the clock that runs on while the machine sleeps: who falls asleep at eleven wants no music at seven.
  private var deadline: BootTime?
  private var end: SleepEnd?
  private var timer: Timer?

  init(loop: EventLoop) throws(SystemError) {
    timer = try Timer(on: loop, clock: .boot) { [weak self] in
      self?.deadline = nil
      self?.onEnd?()
    }
  }

  /// As `Status` shows it: what is left of the time, from now on.
  var setting: Sleep? {
    if let deadline { return .seconds(max(.zero, deadline - .now)) }
    return end.map(Sleep.after)
  }

  /// As it is kept across a restart.
  var saved: SavedSleep? {
    if let deadline { return .at(.now + (deadline - .now)) }
    return end.flatMap { SavedSleep.End(rawValue: $0.rawValue) }.map(SavedSleep.after)
  }

  /// As it was kept. A time that has passed meanwhile is over.
  func restore(_ saved: SavedSleep?) {
    switch saved {
    case nil: set(nil)
    case .at(let time): set(time > .now ? .seconds(time - .now) : nil)
    case .after(let mark): set(SleepEnd(rawValue: mark.rawValue).map(Sleep.after))
    }
  }

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

  /// Whether `next` may still be played after `last`. `wraps`: the queue, or a round of it, ends with `last`.
  func allows(_ next: QueueEntry?, after last: QueueEntry?, wraps: Bool) -> Bool {
    switch end {
    case nil: true
    case .track: false
    case .queue: !wraps
    case .album: next?.album == last?.album
    }
  }

  /// Whether the end of what was last to be played is the end it waits for.
  var endsHere: Bool { end != nil }

  /// It has done its work.
  func finish() { set(nil) }
}
