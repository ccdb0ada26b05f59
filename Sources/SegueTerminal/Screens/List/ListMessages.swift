internal import SegueWire

/// The messages of the list screen. Each is a whole sentence or several, so that it can be translated.
enum ListMessages {
  static let title = "Queue"
  static let loading = "Loading…"
  static let empty = "The queue is empty."
  static let emptyHint = "To add music, run: segue add ~/Music"
  static let noMatch = "No track contains this text."
  static let noEntry = "There is no track here."
  static let nothingToCancel = "There is neither a filter nor a selection to end. The key q quits."
  static let moveInFilter = "Tracks cannot be moved while a filter is active. The key Esc ends the filter."
  static let moveOfDistantEntries = "Tracks can be moved together only if they are near each other in the queue."
  static let alreadyFirst = "This is already the start of the queue."
  static let alreadyLast = "This is already the end of the queue."
  static let cleared = "The queue is cleared. The key u undoes that."
  static let number = "#"
  static let track = "Title"
  static let artist = "Artist"
  static let album = "Album"
  static let time = "Time"

  static func tracks(_ count: Int) -> String { count == 1 ? "1 track" : "\(count) tracks" }

  static func selected(_ selected: Int, of count: Int) -> String { "\(selected) of \(count) tracks are selected" }

  static func selected(_ count: Int) -> String { "\(count) selected" }

  static func matches(_ matches: Int, of count: Int) -> String { "\(matches) of \(count) tracks" }

  static func firstMatches(_ matches: Int) -> String { "the first \(matches) matches" }

  static func reading(_ read: Int, of count: Int) -> String { "searching: \(read) of \(count) tracks" }

  static func removed(_ count: Int) -> String {
    count == 1
      ? "One track is removed from the queue. The key u undoes that."
      : "\(count) tracks are removed from the queue. The key u undoes that."
  }

  /// Returns the message about a change that was undone; nil stands for an unknown one.
  static func undone(_ step: QueueStep?) -> String {
    guard let step else { return "The last change of the queue is undone." }
    let isOne = step.tracks == 1
    return switch step.action {
    case .add:
      isOne ? "The addition of one track is undone." : "The addition of \(step.tracks) tracks is undone."
    case .remove:
      isOne ? "The removal of one track is undone." : "The removal of \(step.tracks) tracks is undone."
    case .move: isOne ? "The move of one track is undone." : "The move of \(step.tracks) tracks is undone."
    case .clear: "The removal of all tracks is undone."
    case .replace: "The replacement of the queue is undone."
    }
  }

  /// Returns the message about a change that was redone; nil stands for an unknown one.
  static func redone(_ step: QueueStep?) -> String {
    guard let step else { return "The change of the queue is redone." }
    let isOne = step.tracks == 1
    return switch step.action {
    case .add:
      isOne ? "The addition of one track is redone." : "The addition of \(step.tracks) tracks is redone."
    case .remove:
      isOne ? "The removal of one track is redone." : "The removal of \(step.tracks) tracks is redone."
    case .move: isOne ? "The move of one track is redone." : "The move of \(step.tracks) tracks is redone."
    case .clear: "All tracks are removed from the queue again."
    case .replace: "The queue is replaced again."
    }
  }

  static func confirmClear(_ count: Int) -> String {
    count == 1
      ? "Press the key again to remove the only track from the queue."
      : "Press the key again to remove all \(count) tracks from the queue."
  }
}
