// Thread: the loop.

internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// A notifier of changes. It calls its observer in the next iteration of the loop, once for all changes of a topic.
@MainActor
final class ChangeNotifier {
  var onChange: (@MainActor (Topic) -> Void)?
  /// Called before the observer, so that the observer sees the latest state.
  var willNotify: @MainActor () -> Void = {}
  /// A number that grows with every change.
  private(set) var revision: UInt64 = 0

  private let mailbox: Mailbox
  private var changed: Set<Topic> = []

  init(mailbox: Mailbox) { self.mailbox = mailbox }

  /// Records that the state of `topics` has changed.
  func notify(_ topics: Topic...) {
    revision += 1
    if changed.isEmpty {
      mailbox.post { [weak self] in self?.notifyObserver() }
    }
    changed.formUnion(topics)
  }

  private func notifyObserver() {
    let topics = changed
    changed = []
    willNotify()
    for topic in Topic.allCases where topics.contains(topic) { onChange?(topic) }
  }
}
