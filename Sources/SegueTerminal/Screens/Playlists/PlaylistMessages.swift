/// The messages about playlists. Each is a whole sentence or a label of its own, so that it can be translated.
enum PlaylistMessages {
  static let title = "Playlists"
  static let name = "Name of the playlist:"
  static let nameNeeded = "Type a name for the playlist. Esc cancels."
  static let empty = "There are no playlists."
  static let emptyHint = "The key w saves the queue as a playlist."
  static let noEntries = "The playlist is empty."

  static func playlists(_ count: Int) -> String { count == 1 ? "1 playlist" : "\(count) playlists" }

  static func saved(_ name: String) -> String { "The queue is saved as the playlist “\(name)”." }

  static func deleted(_ name: String) -> String { "The playlist “\(name)” is deleted." }

  static func removed(_ count: Int) -> String {
    count == 1 ? "One track is removed from the playlist." : "\(count) tracks are removed from the playlist."
  }

  static func confirmDeletion(_ name: String) -> String {
    "Press the key again to delete the playlist “\(name)”. Its tracks are kept."
  }

  static func confirmRemoval(_ count: Int) -> String {
    count == 1
      ? "Press the key again to remove one track from the playlist."
      : "Press the key again to remove \(count) tracks from the playlist."
  }

  static func confirmReplacement(_ name: String) -> String {
    "There is already a playlist “\(name)”. Press Enter again to replace it."
  }
}
