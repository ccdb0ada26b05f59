internal import SegueSystem
internal import SegueWire

/// An entry of a playlist as it is written there.
struct PlaylistItem {
  /// A path, absolute or against the playlist's folder, or a URI. Bytes: file names need not be text.
  var location: [UInt8]
  /// The location in UTF-8, if the playlist is in another charset.
  var decodedLocation: [UInt8]?
  /// True where the format knows URIs only, so that a relative one is percent-encoded too.
  var isURI = false
  /// Where it stands, from 1.
  var line: Int
  var metadata = Metadata()
  var duration: MediaTime?
  var range: CueRange?
}

/// What a playlist file holds.
enum PlaylistContent {
  case items([PlaylistItem])
  /// An HLS manifest: a stream for the demuxer, not a list of tracks.
  case manifest
}

/// What every format is held to.
enum PlaylistLimits {
  static let bytes = 16 * 1024 * 1024
  /// Of one playlist, and of all together that one addition comes to: some that name each other have billions.
  static let entries = 200_000
  /// Of playlists that name playlists.
  static let depth = 8
}
