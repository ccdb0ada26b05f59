// Thread: the loop.

internal import SegueLoop
internal import SegueRing
internal import SegueSystem

/// Notices a decoding worker that hangs: one that owes something, says nothing, and lets the ring run dry.
///
/// A worker that sleeps beside a full ring owes as well, but leaves something to hear; so does one whose sink is paused.
@MainActor
final class WorkerWatch {
  private var timer: Timer?
  private let hangs: @MainActor () -> Void
  private weak var ring: SharedRing?
  /// What was ordered and has not ended.
  private var owed: [(generation: Generation, patience: MediaTime)] = []
  private var lastSign = MonotonicTime.now
  private var bytesSeen: UInt64 = 0

  private static let period = MediaTime(seconds: 5)
  /// Longer than a disk needs to spin up.
  private static let patienceWithFiles = MediaTime(seconds: 12)
  /// Longer than the network's own limits, after which the worker gives up by itself.
  private static let patienceWithStreams = MediaTime(seconds: 60)

  /// `hangs` is called once for a worker that does.
  init(loop: EventLoop, hangs: @escaping @MainActor () -> Void) throws(SystemError) {
    self.hangs = hangs
    timer = try Timer(on: loop, slack: MediaTime(seconds: 1)) { [weak self] in self?.look() }
  }

  func ordered(_ generation: Generation, isFile: Bool, into ring: SharedRing) {
    self.ring = ring
    owed.append((generation, isFile ? Self.patienceWithFiles : Self.patienceWithStreams))
    lastSign = .now
    if timer?.isArmed == false { timer?.arm(after: Self.period) }
  }

  /// The worker said something; with `generation`, that this is over.
  func heard(endOf generation: Generation? = nil) {
    lastSign = .now
    // Generations are decoded in their order: those before it were cut off.
    if let generation { owed.removeAll { $0.generation.number <= generation.number } }
  }

  func owes(_ generation: Generation) -> Bool { owed.contains { $0.generation == generation } }

  /// Nothing is owed any more.
  func forget() {
    owed = []
    timer?.disarm()
  }

  private func look() {
    guard let patience = owed.map(\.patience).max(), let ring else { return }
    let now = MonotonicTime.now
    if !ring.isDry || ring.bytesWritten != bytesSeen { lastSign = now }
    bytesSeen = ring.bytesWritten
    if now - lastSign >= patience {
      owed = []
      hangs()
    } else {
      timer?.arm(after: Self.period)
    }
  }
}
