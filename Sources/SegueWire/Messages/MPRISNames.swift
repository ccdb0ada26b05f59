// What MPRIS calls what we have: on the session bus, and in templates as playerctl has them.

extension PlayState {
  /// MPRIS, "Playback_Status".
  public var mprisName: String {
    switch self {
    case .playing: "Playing"
    case .paused: "Paused"
    case .stopped: "Stopped"
    }
  }
}

extension RepeatMode {
  /// MPRIS, "Loop_Status".
  public var mprisName: String {
    switch self {
    case .off: "None"
    case .one: "Track"
    case .all: "Playlist"
    }
  }
}

/// The D-Bus paths that stand for entries of the queue (MPRIS, "Track_Id").
public enum MPRISTrack {
  private static let folder = "/org/segue/Track/"

  public static func path(of id: UInt64) -> String { folder + String(id) }

  /// nil for a path that is none of ours.
  public static func id(of path: String) -> UInt64? {
    path.hasPrefix(folder) ? UInt64(path.dropFirst(folder.count)) : nil
  }
}
