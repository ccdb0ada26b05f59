// Thread: the loop.

internal import SegueLoop
internal import SegueRing
internal import SegueSystem

/// What the decoding worker owes, and whether it is about to pay: it notices one that hangs, by what this process knows
/// itself. The shared memory would say what a worker that a file has taken over wants it to.
@MainActor
final class DecoderWatchdog {
  private var timer: Timer?
  private let awaitsPCM: @MainActor () -> Bool
  private let hangs: @MainActor () -> Void
  private weak var ring: SharedRing?
  /// What was ordered and has not ended, in the order it is decoded.
  private var owed: [(generation: Generation, patience: MediaTime)] = []
  private var lastSign = MonotonicTime.now
  private var bytesSeen: UInt64 = 0

  private static let period = MediaTime.seconds(5)
  /// Longer than a disk needs to spin up.
  private static let patienceWithFiles = MediaTime.seconds(12)
  /// Longer than the network's own limits, after which the worker gives up by itself.
  private static let patienceWithStreams = MediaTime.seconds(60)

  /// `awaitsPCM`: whether the sink has nothing to play but what comes from the worker. `hangs` is called once for a
  /// worker that does not give it.
  init(
    loop: EventLoop, awaitsPCM: @escaping @MainActor () -> Bool, hangs: @escaping @MainActor () -> Void
  ) throws(SystemError) {
    self.awaitsPCM = awaitsPCM
    self.hangs = hangs
    timer = try Timer(on: loop, slack: .seconds(1)) { [weak self] in self?.look() }
  }

  /// What was ordered behind `after`, and everything else if that is nil, is not owed any more.
  func ordered(_ generation: Generation, after: Generation?, isFile: Bool, into ring: SharedRing) {
    self.ring = ring
    cut(after: after)
    owed.append((generation, isFile ? Self.patienceWithFiles : Self.patienceWithStreams))
    lastSign = .now
    if timer?.isArmed == false { timer?.arm(after: Self.period) }
  }

  /// What was ordered behind `after`, and everything if that is nil, is waited for no more: what is still said of it is
  /// old, though the order that takes its place is not given yet.
  func cut(after: Generation?) {
    owed.removeSubrange((owed.firstIndex { $0.generation == after }.map { $0 + 1 } ?? 0)...)
  }

  enum Standing {
    /// It is the turn of this one.
    case due
    /// It was cut off, or has ended: what is said of it is old.
    case old
    /// Another one comes before it: no honest worker speaks of this one yet.
    case early
  }

  /// The worker said something of `generation`.
  func hear(of generation: Generation) -> Standing {
    guard let index = owed.firstIndex(where: { $0.generation == generation }) else { return .old }
    guard index == 0 else { return .early }
    lastSign = .now
    return .due
  }

  /// It was decoded to its end.
  func paid(_ generation: Generation) { owed.removeAll { $0.generation == generation } }

  var owesNothing: Bool { owed.isEmpty }

  func owes(_ generation: Generation) -> Bool { owed.contains { $0.generation == generation } }

  /// Nothing is owed any more.
  func forget() {
    owed = []
    timer?.disarm()
  }

  private func look() {
    guard let patience = owed.map(\.patience).max(), let ring else { return }
    let now = MonotonicTime.now
    // One that sleeps beside a full ring owes as well, but it has given; so has one whose sink waits for its server.
    if !awaitsPCM() || ring.bytesRead != bytesSeen { lastSign = now }
    bytesSeen = ring.bytesRead
    if now - lastSign >= patience {
      hangs()
    } else {
      timer?.arm(after: Self.period)
    }
  }
}
