internal import SegueClientKit

/// The messages about playlists. Each is a whole sentence or a label of its own, so that it can be translated.
enum PlaylistMessages {
  static var title: String { tr("Playlists") }
  static var name: String { tr("Name of the playlist:") }

  /// Returns the title of the prompt for a name.
  static func title(_ purpose: PlaylistNameScreen.Purpose) -> String {
    switch purpose {
    case .queue: tr("Save the queue")
    case .search: tr("Save what the search finds")
    case .addition: tr("Add to a playlist")
    case .newName: tr("Rename the playlist")
    }
  }

  /// Returns what Enter does with the name.
  static func usage(_ purpose: PlaylistNameScreen.Purpose) -> String {
    switch purpose {
    case .queue: tr("Enter saves the queue as this playlist. Esc cancels.")
    case .search: tr("Enter saves what the search finds as this playlist. Esc cancels.")
    case .addition: tr("Enter adds to this playlist or creates it. Down chooses one. Esc cancels.")
    case .newName: tr("Enter renames the playlist. Esc cancels.")
    }
  }

  static var pending: String { tr("The daemon has not finished yet. Esc returns without waiting.") }
  static var nameNeeded: String { tr("Type a name for the playlist. Esc cancels.") }
  static var empty: String { tr("There are no playlists.") }
  static func emptyHint(_ state: SharedState) -> String {
    tr("%1$s makes a playlist of the queue.", state.named(.savePlaylist))
  }

  static func added(_ name: String, _ count: Int) -> String {
    trn("The playlist “%2$s” has one track now.", "The playlist “%2$s” has %1$d tracks now.", count, name)
  }

  static func partlyAdded(_ count: Int, _ reason: String) -> String {
    trn(
      "One item cannot be added to the playlist: %2$s.", "%1$d items cannot be added to the playlist: %2$s.", count,
      reason)
  }

  static func confirmDeletion(_ names: [String]) -> String {
    if names.count == 1 {
      return tr("Press the key again to delete the playlist “%1$s”. Its tracks are kept.", names[0].visible)
    }
    return trn(
      "Press the key again to delete one playlist. Its tracks are kept.",
      "Press the key again to delete %1$d playlists. Their tracks are kept.", names.count)
  }
}
