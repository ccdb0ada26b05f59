public import SegueSystem
public import SegueWire

/// An entry of a playlist as it is written in the file.
public struct PlaylistItem: Sendable {
  /// The location: a path, absolute or relative to the folder of the playlist, or a URI. File names need not be valid
  /// text, so it is bytes.
  public var location: [UInt8]
  /// The location in UTF-8, if the playlist is in another charset.
  var decodedLocation: [UInt8]?
  /// Whether the format allows only URIs, so that relative ones are percent-encoded too.
  var isURI = false
  /// The number of the line, from 1.
  public var line: Int
  public var metadata = Metadata()
  /// The gain in a cue sheet.
  public var gain = ReplayGain()
  public var duration: MediaTime?
  public var range: CueRange?
  /// The reason why the entry cannot be played, whatever its file is; nil if there is none.
  public var fault: LocalizableMessage?
}

/// The contents of a playlist file.
public enum PlaylistContent {
  case items([PlaylistItem])
  /// An HLS manifest, which is a stream for the demuxer and not a list of tracks.
  case manifest
}

/// The limits of playlists in every format.
enum PlaylistLimits {
  /// The maximum size of a file in bytes.
  static let bytes = 16 * 1024 * 1024
  /// The maximum number of entries of a playlist, and of all playlists in one addition together: playlists that contain
  /// each other could otherwise have billions.
  static let entries = 200_000
  /// The maximum depth of playlists that contain playlists.
  static let depth = 8
}

extension PlaylistItem {
  /// The location if it is an absolute URI. A scheme of one letter is a Windows drive.
  var absoluteURI: String? {
    let text = String(decoding: location.trimmed, as: UTF8.self)
    guard let scheme = MediaURI.scheme(of: text), scheme.utf8.count > 1,
      text.utf8.dropFirst(scheme.utf8.count + 1).starts(with: "/".utf8)
    else { return nil }
    return text
  }

  /// The URI of the item, whether there is such a file or not. One that is longer than any that can be played is
  /// truncated: a line may have megabytes.
  func namedURI(of playlist: FilePath) -> String {
    let maximum = MediaURI.maximumURLLength
    if let absoluteURI { return absoluteURI.middleTruncated(to: maximum) }
    let path = playlist.parent.appending(isURI ? FileURI.percentDecoded(location) : location)
    return FileURI.encode(path.normalized).middleTruncated(to: maximum)
  }

  public func track(at path: FilePath) -> FoundTrack { track(uri: MediaURI.file(path, range: range).uri) }

  public func track(uri: String) -> FoundTrack {
    FoundTrack(
      uri: uri, metadata: metadata.bounded, duration: duration,
      durationKind: duration == nil ? nil : range == nil ? .estimated : .exact)
  }
}
