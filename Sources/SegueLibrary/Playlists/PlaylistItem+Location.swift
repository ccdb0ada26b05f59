internal import SegueSystem
internal import SegueWire

extension PlaylistItem {
  /// The location, if it begins with a scheme ("c:" is a drive of Windows).
  var absoluteURI: String? {
    let text = String(decoding: location.trimmed, as: UTF8.self)
    guard let scheme = MediaURI.scheme(of: text), scheme.utf8.count > 1,
      text.utf8.dropFirst(scheme.utf8.count + 1).starts(with: "/".utf8)
    else { return nil }
    return text
  }

  /// The file that a location without scheme means, seen from the playlist's folder. As it is written, if there is such
  /// a file; else with what other systems and old encodings do to names undone; else as it is written. nil where it
  /// names nothing.
  func file(of playlist: FilePath, _ format: PlaylistFormat) -> FilePath? {
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
    // A cue sheet often names the WAV that was since compressed.
    if format == .cue, let renamed = paths.lazy.compactMap({ Self.sibling(of: $0) }).first { return renamed }
    return decoded.first.map { playlist.parent.appending($0) } ?? paths[0]
  }

  /// Returns the forms that `location` may have as a path: as written, without spaces at its ends, and with slashes in the
  /// place of backslashes.
  private static func spellings(of location: [UInt8]) -> [[UInt8]] {
    let trimmed = Array(location.trimmed)
    return [location, trimmed, trimmed.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }]
  }

  /// `path` without "..", where that leads to the same: a file has one URI, however a playlist names it.
  private static func plain(_ path: FilePath) -> FilePath {
    let plain = path.normalized
    guard plain != path, let other = try? FileIdentity(of: plain), other == (try? FileIdentity(of: path)) else {
      return path
    }
    return plain
  }

  /// The URI of the item, whether there is such a file or not. One that is longer than any that can be played is
  /// abridged: a line may have megabytes.
  func namedURI(of playlist: FilePath) -> String {
    let longest = MediaURI.longestURL
    if let absoluteURI { return absoluteURI.middleTruncated(to: longest) }
    let path = playlist.parent.appending(isURI ? FileURI.percentDecoded(location) : location)
    return FileURI.encode(path).middleTruncated(to: longest)
  }

  func track(at path: FilePath) -> FoundTrack { track(uri: MediaURI.file(path, range: range).uri) }

  func track(uri: String) -> FoundTrack {
    FoundTrack(
      uri: uri, metadata: metadata.bounded, duration: duration,
      durationKind: duration == nil ? nil : range == nil ? .estimated : .exact)
  }

  /// A lossless file of the same name with another extension.
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
