// The names of MPRIS for states and tracks, on the session bus and in templates in the syntax of playerctl.

extension PlayState {
  /// The name in MPRIS ("Playback_Status").
  public var mprisName: String {
    switch self {
    case .playing: "Playing"
    case .paused: "Paused"
    case .stopped: "Stopped"
    }
  }
}

extension RepeatMode {
  /// The name in MPRIS ("Loop_Status").
  public var mprisName: String {
    switch self {
    case .off: "None"
    case .one: "Track"
    case .all: "Playlist"
    }
  }
}

/// The D-Bus paths of queue entries (MPRIS, "Track_Id").
public enum MPRISTrack {
  private static let folder = "/org/segue/Track/"

  public static func path(of id: UInt64) -> String { folder + String(id) }

  /// Returns the id of the entry; nil if `path` is not the path of an entry.
  public static func id(of path: String) -> UInt64? {
    path.hasPrefix(folder) ? UInt64(path.dropFirst(folder.count)) : nil
  }
}
