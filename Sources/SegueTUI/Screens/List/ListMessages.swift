internal import SegueClientKit
internal import SegueWire

/// The messages of the list screen. Each is a whole sentence or several, so that it can be translated.
enum ListMessages {
  static var title: String { tr("Queue") }
  static var empty: String { tr("The queue is empty.") }

  /// Returns what fills the queue: the library, or what fills the library.
  static func emptyHints(_ state: SharedState) -> [String] {
    if state.library?.tracks == 0 { return LibraryMessages.emptyHints(state) }
    return [
      tr("%1$s shows the library, and %2$s searches for music.", state.named(.showLibrary), state.named(.showSearch)),
      tr("%1$s adds what is focused there to the queue.", state.named(.add)),
    ]
  }

  static var noMatch: String { tr("No track contains this text.") }
  static func moveInFilter(_ state: SharedState) -> String {
    tr("Tracks cannot be moved while a filter is active. %1$s ends the filter.", state.named(.cancel))
  }
  static var moveOfDistantEntries: String {
    tr("Tracks can be moved together only if they are near each other in the queue.")
  }
  static var alreadyFirst: String { tr("This is already the start of the queue.") }
  static func cleared(_ state: SharedState) -> String {
    tr("The queue is cleared. %1$s takes that back.", state.named(.undo))
  }

  static func removed(_ count: Int, _ state: SharedState) -> String {
    trn(
      "One track is removed from the queue. %2$s takes that back.",
      "%1$d tracks are removed from the queue. %2$s takes that back.", count, state.named(.undo))
  }

  static func selected(_ selected: Int, of count: Int) -> String {
    tr("%1$d of %2$d tracks are selected", selected, count)
  }

  static func selected(_ count: Int) -> String { tr("%1$d selected", count) }

  /// Returns the message about a change that was undone; nil stands for an unknown one.
  static func undone(_ step: QueueStep?) -> String {
    guard let step else { return tr("The last change of the queue is undone.") }
    return switch step.action {
    case .add:
      trn("The addition of one track is undone.", "The addition of %1$d tracks is undone.", step.tracks)
    case .remove:
      trn("The removal of one track is undone.", "The removal of %1$d tracks is undone.", step.tracks)
    case .move: trn("The move of one track is undone.", "The move of %1$d tracks is undone.", step.tracks)
    case .clear: tr("The removal of all tracks is undone.")
    case .replace: tr("The replacement of the queue is undone.")
    }
  }

  /// Returns the message about a change that was redone; nil stands for an unknown one.
  static func redone(_ step: QueueStep?) -> String {
    guard let step else { return tr("The change of the queue is redone.") }
    return switch step.action {
    case .add:
      trn("The addition of one track is redone.", "The addition of %1$d tracks is redone.", step.tracks)
    case .remove:
      trn("The removal of one track is redone.", "The removal of %1$d tracks is redone.", step.tracks)
    case .move: trn("The move of one track is redone.", "The move of %1$d tracks is redone.", step.tracks)
    case .clear: tr("All tracks are removed from the queue again.")
    case .replace: tr("The queue is replaced again.")
    }
  }
}
