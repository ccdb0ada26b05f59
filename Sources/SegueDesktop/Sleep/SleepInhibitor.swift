// Thread: the loop. logind waits for us, as long as it waits for anybody (InhibitDelayMaxSec, five seconds); we wait for
// nobody.

public import SegueLoop
public import SeguePlayer
public import SegueSystem

/// When the machine sleeps, as logind tells on the system bus (org.freedesktop.login1(5), "Inhibitor Locks"): music stops
/// before, and its place is saved; it goes on after.
///
/// The lock that delays a sleep is held from the start: that costs nothing, and one that was taken only when music begins
/// would come late if both happen at once.
@MainActor
public final class SleepInhibitor {
  private let player: Player
  private var bus: MessageBus?
  /// The lock; nil where there is no logind, or while the machine sleeps.
  private var lock: BusDescriptor?
  /// One that is let go of once everything is saved.
  private var lastLock: BusDescriptor?
  private var isAsleep = false

  private static let name = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  private static let manager = "org.freedesktop.login1.Manager"

  public init(loop: EventLoop, player: Player) throws(SystemError) {
    self.player = player
    bus = try MessageBus(on: loop, at: { .system }, takesFiles: true, onEvent: { [weak self] in self?.hear($0) })
  }

  private func hear(_ news: MessageBus.News) {
    switch news {
    case .connected: begin()
    case .lost:
      lock = nil
      // Nobody would tell that it has woken up.
      wake()
    }
  }

  private func begin() {
    guard let connection = bus?.live else { return }
    connection.listen(to: "PrepareForSleep", of: Self.manager, at: Self.path, from: Self.name, "b") { [weak self] in
      if case .boolean(let isBeginning)? = $0.first { self?.hearSleep(isBeginning) }
    }
    // A logind that comes late, or another one, knows nothing of our lock.
    let driver = "org.freedesktop.DBus"
    connection.listen(
      to: "NameOwnerChanged", of: driver, at: "/org/freedesktop/DBus", from: driver, first: Self.name, "sss"
    ) { [weak self] values in
      guard let self else { return }
      // Nor does it know of a sleep that was told of, and would not tell of its end.
      wake()
      if case .string(let owner)? = values.last, !owner.isEmpty { takeLock() }
    }
    takeLock()
  }

  private func takeLock() {
    let why: [BusValue] = [
      .string("sleep"), .string("Segue"), .string("Music is paused and its place saved"), .string("delay"),
    ]
    // Where nobody runs a logind, none is to be started for us.
    bus?.live?.call("Inhibit", of: Self.manager, at: Self.path, on: Self.name, why, answering: "h", starting: false) {
      [weak self] result in
      guard let self, case .success((_, let values)) = result, case .descriptor(let lock)? = values.first else {
        return
      }
      // One that comes too late would hold up a sleep that we are ready for.
      self.lock = isAsleep ? nil : lock
    }
  }

  private func hearSleep(_ isBeginning: Bool) {
    guard isBeginning else {
      wake()
      return takeLock()
    }
    isAsleep = true
    (lastLock, lock) = (lock, nil)
    // Not held by what waits: a sleep that comes before that is over must not wait for it.
    player.prepareForSleep { [weak self, weak last = lastLock] in
      if let self, lastLock === last { lastLock = nil }
    }
  }

  private func wake() {
    guard isAsleep else { return }
    isAsleep = false
    lastLock = nil
    player.wake()
  }
}
