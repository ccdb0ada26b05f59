// Thread: the loop. logind waits for this process for at most InhibitDelayMaxSec, five seconds; this process does not
// wait for logind.

public import SegueLoop
public import SeguePlayer
public import SegueSystem

/// An inhibitor that delays the sleep of the machine until playback is suspended and its position saved, and resumes
/// playback afterwards. logind announces sleep on the system bus (org.freedesktop.login1(5), "Inhibitor Locks").
///
/// The inhibitor lock is held from the start, which costs nothing. A lock that is taken when playback begins would be
/// too late if the machine goes to sleep at the same moment.
@MainActor
public final class SleepInhibitor {
  private let player: Player
  private var bus: MessageBus?
  private var state = State.awake(lock: nil)

  private enum State {
    /// The machine is awake. The inhibitor lock is nil if there is no logind.
    case awake(lock: BusDescriptor?)
    /// The machine sleeps or is about to. The lock is released when everything is saved.
    case asleep(lockUntilSaved: BusDescriptor?)
  }

  private static let name = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  private static let manager = "org.freedesktop.login1.Manager"

  public init(loop: EventLoop, player: Player) throws(SystemError) {
    self.player = player
    bus = try MessageBus(
      on: loop, at: { .system }, acceptsDescriptors: true, onEvent: { [weak self] in self?.handle($0) })
  }

  private func handle(_ event: MessageBus.Event) {
    switch event {
    case .connected: subscribe()
    case .lost:
      // Without a connection, the end of the sleep is not announced.
      wake()
      state = .awake(lock: nil)
    }
  }

  private func subscribe() {
    guard let connection = bus?.readyConnection else { return }
    connection.subscribe(to: "PrepareForSleep", of: Self.manager, at: Self.path, from: Self.name, "b") {
      [weak self] in
      if case .boolean(let isBeginning)? = $0.first { self?.handleSleep(isBeginning: isBeginning) }
    }
    // A logind that has just started has no lock of this process.
    let driver = "org.freedesktop.DBus"
    connection.subscribe(
      to: "NameOwnerChanged", of: driver, at: "/org/freedesktop/DBus", from: driver, firstArgument: Self.name, "sss"
    ) { [weak self] values in
      guard let self else { return }
      // The new logind does not announce the end of a sleep that its predecessor has announced.
      wake()
      if case .string(let owner)? = values.last, !owner.isEmpty { takeLock() }
    }
    takeLock()
  }

  private func takeLock() {
    let arguments: [BusValue] = [
      .string("sleep"), .string("Segue"), .string("Pauses playback and saves the position"), .string("delay"),
    ]
    // The call does not start a logind on a machine without one.
    bus?.readyConnection?.call(
      "Inhibit", of: Self.manager, at: Self.path, on: Self.name, arguments, replyTypes: "h", activating: false
    ) { [weak self] result in
      guard let self, case .success((_, let values)) = result, case .descriptor(let lock)? = values.first else {
        return
      }
      // A lock that arrives too late would delay a sleep for which playback is already suspended.
      if case .awake = state { state = .awake(lock: lock) }
    }
  }

  private func handleSleep(isBeginning: Bool) {
    guard isBeginning else {
      wake()
      return takeLock()
    }
    var lock: BusDescriptor?
    if case .awake(let held) = state { lock = held }
    state = .asleep(lockUntilSaved: lock)
    // The handler does not keep the lock alive: a second sleep must not wait for the saving of the first.
    player.prepareForSleep { [weak self, weak lock] in
      if let self, case .asleep(let held) = state, held === lock { state = .asleep(lockUntilSaved: nil) }
    }
  }

  private func wake() {
    guard case .asleep = state else { return }
    state = .awake(lock: nil)
    player.wake()
  }
}
