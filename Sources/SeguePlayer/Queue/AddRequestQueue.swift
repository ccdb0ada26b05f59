// Thread: the loop.

internal import SegueSystem
internal import SegueWire

/// A queue of requests to add tracks, which run one after another so that their tracks are added in the order of the
/// requests. Those that wait for online catalogues delay no others: they enter the queue when the catalogues have
/// answered.
@MainActor
final class AddRequestQueue {
  /// The requests that wait for online catalogues.
  private var prepared: [Item] = []
  /// The request in progress, until all of its tracks are in the queue.
  private var running: Item?
  private var waiting = Deque<Item>()
  private let queue: QueueController

  /// A request and its handlers.
  private struct Item {
    let request: AddRequest
    let deliver: AddRequest.Deliver
    let finish: @MainActor () -> Void
    /// Called instead of `finish` if the request is cancelled; nil for one that does not change the queue.
    let onCancel: (@MainActor (Failure) -> Void)?
  }

  init(queue: QueueController) { self.queue = queue }

  /// Runs `request` after the others that wait for no online catalogue. `onCancel`: called by `cancelAll` instead of
  /// `finish`; a request without it is not cancelled.
  func enqueue(
    _ request: AddRequest, deliver: @escaping AddRequest.Deliver, finish: @escaping @MainActor () -> Void,
    onCancel: (@MainActor (Failure) -> Void)?
  ) {
    let item = Item(request: request, deliver: deliver, finish: finish, onCancel: onCancel)
    prepared.append(item)
    request.prepare { [weak self] in
      self?.prepared.removeAll { $0.request === request }
      self?.waiting.append(item)
      self?.startNext()
    }
  }

  /// Cancels all requests that change the queue.
  func cancelAll(because reason: LocalizableMessage) {
    let failure = Failure(.cancelled, "\(reason) before all tracks were added")
    var others = Deque<Item>()
    var cancelled = prepared.filter { $0.onCancel != nil }
    prepared.removeAll { $0.onCancel != nil }
    for item in cancelled { item.request.cancel() }
    if let running, running.onCancel != nil {
      running.request.cancel()
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

  /// Cancels the request in progress, if it changes the queue.
  func cancelRunning(because reason: LocalizableMessage) {
    guard let item = running, let onCancel = item.onCancel else { return }
    item.request.cancel()
    running = nil
    onCancel(Failure(.cancelled, "\(reason) before all tracks were added"))
    startNext()
  }

  private func startNext() {
    guard running == nil, let next = waiting.popFirst() else { return }
    running = next
    next.request.start(deliver: next.deliver) { [weak self] in
      // The last tracks may wait for a long change of the queue. The request can be cancelled until it has ended.
      self?.queue.whenIdle {
        guard let self, self.running?.request === next.request else { return }
        next.finish()
        self.running = nil
        self.startNext()
      }
    }
  }
}
