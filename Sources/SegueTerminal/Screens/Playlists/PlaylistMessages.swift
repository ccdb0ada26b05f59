internal import SegueFrontend

/// The messages about playlists. Each is a whole sentence or a label of its own, so that it can be translated.
enum PlaylistMessages {
  static var title: String { tr("Playlists") }
  static var name: String { tr("Name of the playlist:") }
  static var nameNeeded: String { tr("Type a name for the playlist. Esc cancels.") }
  static var empty: String { tr("There are no playlists.") }
  static var emptyHint: String { tr("“%1$s” makes a playlist of the queue.", Command.savePlaylist.label) }
  static var noEntries: String { tr("The playlist is empty.") }

  static func playlists(_ count: Int) -> String { trn("1 playlist", "%1$d playlists", count) }

  static func saved(_ name: String) -> String { tr("The queue is saved as the playlist “%1$s”.", name) }

  static func deleted(_ name: String) -> String { tr("The playlist “%1$s” is deleted.", name) }

  static func removed(_ count: Int) -> String {
    trn("One track is removed from the playlist.", "%1$d tracks are removed from the playlist.", count)
  }

  static func confirmDeletion(_ names: [String]) -> String {
    if names.count == 1 {
      return tr("Press the key again to delete the playlist “%1$s”. Its tracks are kept.", names[0].visible)
    }
    return trn(
      "Press the key again to delete one playlist. Its tracks are kept.",
      "Press the key again to delete %1$d playlists. Their tracks are kept.", names.count)
  }

  static func confirmRemoval(_ count: Int) -> String {
    trn(
      "Press the key again to remove one track from the playlist.",
      "Press the key again to remove %1$d tracks from the playlist.", count)
  }

  static func confirmReplacement(_ name: String) -> String {
    tr("There is already a playlist “%1$s”. Press Enter again to replace it.", name)
  }
}
