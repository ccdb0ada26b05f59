// Thread: the loop.

internal import SegueLibrary
public import SegueWire

/// The versions of the lists of the user, which grow with every change. Subscribers are notified of each.
@MainActor
public final class UserListVersions {
  public private(set) var favorites = ListVersion(version: 0)
  public private(set) var playlists = ListVersion(version: 0)
  public private(set) var ratings = ListVersion(version: 0)
  public private(set) var history = ListVersion(version: 0)

  private let notifier: ChangeNotifier

  init(notifier: ChangeNotifier) { self.notifier = notifier }

  /// Handles a change of the library, except of the favorites.
  func handle(_ changes: LibraryChanges) {
    if changes.contains(.ratings) { advance(&ratings, of: .ratings) }
    if changes.contains(.history) { advance(&history, of: .history) }
  }

  /// Handles a change of the favorites, which have been read again.
  func handleFavoritesChange() { advance(&favorites, of: .favorites) }

  /// Handles a change of the files of playlists.
  func handlePlaylistChange() { advance(&playlists, of: .playlists) }

  private func advance(_ list: inout ListVersion, of topic: Topic) {
    list.version += 1
    notifier.notify(topic)
  }
}
