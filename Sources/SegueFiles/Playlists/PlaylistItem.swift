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
  public var duration: MediaTime?
  public var range: CueRange?
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

  /// Returns the file that a location without a scheme names, relative to the folder of the playlist. If there is no
  /// file of exactly that name, tries the forms in which other systems and charsets may have written it. Returns the
  /// location as it is written if none exists, and nil if it is empty.
  public func file(of playlist: FilePath, _ format: PlaylistFormat) -> FilePath? {
    let written = isURI ? FileURI.percentDecoded(location) : location
    guard !written.trimmed.isEmpty, !written.contains(0) else { return nil }
    var spellings = Self.spellings(of: written)
    let decoded = decodedLocation.map { $0.contains(0) || $0.trimmed.isEmpty ? [] : Self.spellings(of: $0) } ?? []
    spellings += decoded
    if String(validating: written, as: UTF8.self) == nil, let text = written.text { spellings.append(Array(text.utf8)) }
    let paths = spellings.map { playlist.parent.appending($0) }
    for path in paths {
      if (try? FileKind(path)) != nil { return Self.plain(path) }
    }
    // A cue sheet often names a WAV file that has been compressed since.
    if format == .cue, let renamed = paths.lazy.compactMap({ Self.sibling(of: $0) }).first { return renamed }
    return decoded.first.map { playlist.parent.appending($0) } ?? paths[0]
  }

  /// Returns the forms that `location` may have as a path: as written, without spaces at its ends, and with slashes in
  /// the place of backslashes.
  private static func spellings(of location: [UInt8]) -> [[UInt8]] {
    let trimmed = Array(location.trimmed)
    return [location, trimmed, trimmed.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }]
  }

  /// Returns `path` without ".." if it is the same file, so that a file has one URI however a playlist names it.
  private static func plain(_ path: FilePath) -> FilePath {
    let plain = path.normalized
    guard plain != path, let other = try? FileIdentity(of: plain), other == (try? FileIdentity(of: path)) else {
      return path
    }
    return plain
  }

  /// The URI of the item, whether there is such a file or not. One that is longer than any that can be played is
  /// truncated: a line may have megabytes.
  func namedURI(of playlist: FilePath) -> String {
    let maximum = MediaURI.maximumURLLength
    if let absoluteURI { return absoluteURI.middleTruncated(to: maximum) }
    let path = playlist.parent.appending(isURI ? FileURI.percentDecoded(location) : location)
    return FileURI.encode(path).middleTruncated(to: maximum)
  }

  public func track(at path: FilePath) -> FoundTrack { track(uri: MediaURI.file(path, range: range).uri) }

  public func track(uri: String) -> FoundTrack {
    FoundTrack(
      uri: uri, metadata: metadata.bounded, duration: duration,
      durationKind: duration == nil ? nil : range == nil ? .estimated : .exact)
  }

  /// Returns an audio file of the same name with another extension.
  private static func sibling(of path: FilePath) -> FilePath? {
    let name = path.lastComponent
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    for suffix in ["flac", "wv", "ape", "tta", "tak", "m4a", "wav", "mp3", "ogg", "opus"] {
      let other = path.parent.appending(name[...dot] + Array(suffix.utf8))
      if case .file = try? FileKind(other) { return other }
    }
    return nil
  }
}
