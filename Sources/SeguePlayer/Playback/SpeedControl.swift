// Thread: the loop.

internal import SegueState
internal import SegueSystem

/// The speed of playback: the one that the user has chosen, and those of long tracks, which continue at the speed at
/// which they were left.
@MainActor
final class SpeedControl {
  /// The speed of all tracks without a bookmark that states another one.
  private(set) var chosen: PlaybackSpeed

  private let bookmarks: Bookmarks
  private let persistence: StatePersistence

  init(_ saved: PlaybackSpeed, bookmarks: Bookmarks, persistence: StatePersistence) {
    chosen = saved
    self.bookmarks = bookmarks
    self.persistence = persistence
  }

  /// Returns the speed at which `entry` is played.
  func speed(of entry: PlayQueue.Entry?) -> PlaybackSpeed { entry.flatMap(bookmarks.speed) ?? chosen }

  /// Chooses a speed, which is also that of `current`, the current entry. `then` is called when it is on disk.
  func choose(_ speed: PlaybackSpeed, current: PlayQueue.Entry?, then: @escaping @MainActor @Sendable () -> Void) {
    chosen = speed
    if let current { bookmarks.setSpeed(speed, of: current) }
    persistence.save([.speed(speed)], then: then)
  }
}
