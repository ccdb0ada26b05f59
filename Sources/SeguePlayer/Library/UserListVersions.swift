// Thread: the loop.

internal import SegueLibrary
internal import SegueSystem
public import SegueWire

/// The versions of the lists of the user, which grow with every change. Subscribers are notified of each.
@MainActor
public final class UserListVersions {
  public private(set) var favorites = ListVersion.first
  public private(set) var playlists = ListVersion.first
  public private(set) var ratings = ListVersion.first
  public private(set) var history = ListVersion.first

  private let notifier: ChangeNotifier

  init(notifier: ChangeNotifier) { self.notifier = notifier }

  /// A list that has a version.
  enum List {
    case favorites, playlists, ratings, history
  }

  /// Handles a change of a list, of which the next responses contain the new state.
  func handleChange(of list: List) {
    switch list {
    case .favorites: advance(&favorites, of: .favorites)
    case .playlists: advance(&playlists, of: .playlists)
    case .ratings: advance(&ratings, of: .ratings)
    case .history: advance(&history, of: .history)
    }
  }

  private func advance(_ list: inout ListVersion, of topic: Topic) {
    list.version += 1
    notifier.notify(topic)
  }
}

extension ListVersion {
  /// The first version of a list, in milliseconds since 1970: it is newer than all that clients know from a daemon
  /// before, unless the list has changed a thousand times a second or the clock was set back.
  static var first: ListVersion { ListVersion(version: UInt64(max(0, UnixTime.now.nanoseconds) / 1_000_000)) }
}
