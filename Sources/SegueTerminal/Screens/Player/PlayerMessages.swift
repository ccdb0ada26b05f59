internal import SegueWire

/// The messages of the player screen. Each is a whole sentence or a label of its own, so that it can be translated.
enum PlayerMessages {
  static let title = "Player"
  static let nothing = "Nothing is playing."
  static let noLyrics = "There are no lyrics of this track."
  static let timedLyrics = "These lyrics follow the music and cannot be scrolled."
  static let shuffled = "The next track is chosen by shuffle."
  static let last = "This is the last track."

  static func place(_ index: Int, of count: Int) -> String { "track \(index + 1) of \(count)" }

  static func next(_ heading: String) -> String { "Next: \(heading)" }

  static func state(_ state: PlayState) -> String {
    switch state {
    case .playing: "playing"
    case .paused: "paused"
    case .stopped: "stopped"
    }
  }

  static func volume(_ status: Status) -> String {
    status.muted ? "Volume \(status.volume)% (muted)" : "Volume \(status.volume)%"
  }

  static func toggle(_ state: PlayState) -> String {
    switch state {
    case .playing: "Pause"
    case .paused, .stopped: "Play"
    }
  }
}
