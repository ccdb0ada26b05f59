// Thread: the loop.

internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// A notifier of changes. It calls its observer in the next iteration of the loop, once for all changes of a topic.
@MainActor
final class ChangeNotifier {
  /// A number that grows with every change.
  private(set) var revision: UInt64 = 0

  private let mailbox: Mailbox
  private var changed: Set<Topic> = []
  /// The observer; nil before the start.
  private var observer: (@MainActor (Set<Topic>) -> Void)?

  init(mailbox: Mailbox) { self.mailbox = mailbox }

  /// Begins to call the observer, for what has changed before, too.
  func start(_ observer: @escaping @MainActor (Set<Topic>) -> Void) {
    self.observer = observer
    if !changed.isEmpty { schedule() }
  }

  /// Records that the state of `topics` has changed.
  func notify(_ topics: Topic...) {
    revision += 1
    if changed.isEmpty, observer != nil { schedule() }
    changed.formUnion(topics)
  }

  private func schedule() {
    mailbox.post { [weak self] in
      guard let self else { return }
      let topics = self.changed
      self.changed = []
      self.observer?(topics)
    }
  }
}
