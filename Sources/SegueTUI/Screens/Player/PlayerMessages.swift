internal import SegueClientKit
internal import SegueWire

/// The messages of the player screen. Each is a whole sentence or a label of its own, so that it can be translated.
enum PlayerMessages {
  static var title: String { tr("Player") }
  static var noLyrics: String { tr("There are no lyrics of this track.") }
  static var lyricsHint: String {
    tr("There are no lyrics in the file, and none beside it in a file with the same name and the ending .lrc.")
  }

  static func place(_ index: Int, of count: Int) -> String { tr("track %1$d of %2$d", index + 1, count) }

  static func state(_ state: PlayState) -> String {
    switch state {
    case .playing: tr("playing")
    case .paused: tr("paused")
    case .stopped: tr("stopped")
    }
  }

  static func volume(_ status: Status) -> String {
    status.muted ? tr("Volume %1$d%% (muted)", status.volume) : tr("Volume %1$d%%", status.volume)
  }

  static func toggle(_ state: PlayState) -> String {
    switch state {
    case .playing: tr("Pause")
    case .paused, .stopped: tr("Play")
    }
  }

  /// Returns the line about the next track.
  static func next(_ track: QueueEntry, _ state: SharedState) -> String {
    let label = track.artist.isEmpty ? track.title : "\(track.title) \(state.appearance.dash) \(track.artist)"
    return tr("Next: %1$s", label)
  }
}
