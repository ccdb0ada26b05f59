// Thread: the loop.

internal import SegueSystem
internal import SegueWire

/// A queue of additions, which run one after another so that their tracks are added in the order of the requests. Additions
/// that wait for online catalogues delay no others: they enter the queue when the catalogues have answered.
@MainActor
final class AdditionQueue {
  /// The additions that wait for online catalogues.
  private var prepared: [Item] = []
  /// The addition in progress, until all of its tracks are in the queue.
  private var running: Item?
  private var waiting = FIFO<Item>()
  private let queue: QueueController

  /// An addition and its handlers.
  private struct Item {
    let addition: QueueAddition
    let deliver: QueueAddition.Deliver
    let finish: @MainActor () -> Void
    /// Called instead of `finish` if the addition is cancelled; nil for an addition that does not change the queue.
    let onCancel: (@MainActor (Failure) -> Void)?
  }

  init(queue: QueueController) { self.queue = queue }

  /// Runs `addition` after the others that wait for no online catalogue. `onCancel`: called by `cancelAll` instead of
  /// `finish`; an addition without it is not cancelled.
  func enqueue(
    _ addition: QueueAddition, deliver: @escaping QueueAddition.Deliver, finish: @escaping @MainActor () -> Void,
    onCancel: (@MainActor (Failure) -> Void)?
  ) {
    let item = Item(addition: addition, deliver: deliver, finish: finish, onCancel: onCancel)
    prepared.append(item)
    addition.prepare { [weak self] in
      self?.prepared.removeAll { $0.addition === addition }
      self?.waiting.append(item)
      self?.startNext()
    }
  }

  /// Cancels all additions that change the queue.
  func cancelAll(because reason: LocalizableMessage) {
    let failure = Failure(.cancelled, "\(reason) before all tracks were added")
    var others = FIFO<Item>()
    var cancelled = prepared.filter { $0.onCancel != nil }
    prepared.removeAll { $0.onCancel != nil }
    for item in cancelled { item.addition.cancel() }
    if let running, running.onCancel != nil {
      running.addition.cancel()
      cancelled.append(running)
      self.running = nil
    }
    while let next = waiting.popFirst() {
      if next.onCancel == nil { others.append(next) } else { cancelled.append(next) }
    }
    waiting = others
    for item in cancelled { item.onCancel?(failure) }
    startNext()
  }

  /// Cancels the addition in progress, if it changes the queue.
  func cancelRunning(because reason: LocalizableMessage) {
    guard let item = running, let onCancel = item.onCancel else { return }
    item.addition.cancel()
    running = nil
    onCancel(Failure(.cancelled, "\(reason) before all tracks were added"))
    startNext()
  }

  private func startNext() {
    guard running == nil, let next = waiting.popFirst() else { return }
    running = next
    next.addition.start(deliver: next.deliver) { [weak self] in
      // The last tracks may wait for a long change of the queue. The addition can be cancelled until it has ended.
      self?.queue.whenIdle {
        guard let self, self.running?.addition === next.addition else { return }
        next.finish()
        self.running = nil
        self.startNext()
      }
    }
  }
}
