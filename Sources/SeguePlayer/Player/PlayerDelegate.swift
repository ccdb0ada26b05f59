// Thread: the loop.

internal import SegueState
internal import SegueSystem

/// What the queue and the saved state need of the player, whose other parts are created after them.
@MainActor
protocol PlayerDelegate: AnyObject {
  /// Lets playback carry out the steps that are due.
  func synchronize()

  /// The position in the current entry; nil while playback is stopped.
  var playbackPosition: MediaTime? { get }

  /// The current playhead.
  var playhead: SavedPlayhead { get }

  /// Returns a function that creates the change of the order under shuffle that is not saved yet; nil if there is none.
  /// The caller saves it.
  func takeOrderChange() -> (@Sendable () -> [StateChange])?

  /// Returns a function that creates the whole saved state, for a database that has lost it.
  func makeState() -> @Sendable () -> [StateChange]
}

/// A reference to the player, which its parts get before it is complete, and use after that.
@MainActor
final class PlayerReference {
  private weak var player: (any PlayerDelegate)?
  private var isComplete = false

  /// Sets the player, after all of its parts were created.
  func complete(with player: any PlayerDelegate) {
    self.player = player
    isComplete = true
  }

  /// The player; nil after its end.
  var value: (any PlayerDelegate)? {
    precondition(isComplete, "a part used the player before it was complete")
    return player
  }
}
