public import SegueSystem
public import SegueWire

/// A track that was found: a file, a part of a file, or a stream.
public struct FoundTrack: Equatable, Sendable {
  /// The URI in the form of `MediaURI.uri`.
  public var uri: String
  /// The metadata in the playlist, until the file is probed. For a track of a cue sheet, the metadata in the sheet.
  public var metadata = Metadata()
  public var duration: MediaTime?
  public var durationKind: DurationKind?
}

/// A batch of tracks that `FileService.resolve` has found: from one folder, from a playlist, or named one by one.
public struct FoundBatch: Sendable {
  public enum Source: Equatable, Sendable {
    /// A folder, in natural order. The tracks may be sorted by `albumOrder` after probing.
    case folder(FilePath)
    /// A playlist, in its order, which must not be changed.
    case playlist(FilePath)
    /// Tracks that were named one by one, in that order.
    case single
  }

  public var source: Source
  public var tracks: [FoundTrack]
  public var failures: [URIFailure]
  /// The stamps of the tracks' files, in their order; nil for streams and missing files. They are empty before
  /// `readStamps`.
  public var stamps: [FileStamp?] = []

  /// Reads the stamps from the file system.
  public mutating func readStamps() { stamps = tracks.map { FileStamp(uri: $0.uri) } }
}

/// Returns the indices of `tracks` in the order of an album: by disc, then by track number, then by name. A track
/// without a number comes after those of its disc that have one. A track without a disc is on the first.
public func albumOrder(_ tracks: [(metadata: Metadata, uri: String)]) -> [Int] {
  let keys = tracks.map { track in
    let name = FileURI.decode(track.uri).map { Array($0.lastComponent) } ?? Array(track.uri.utf8)
    return (track.metadata.disc ?? 1, track.metadata.track ?? .max, NaturalName(name))
  }
  // The tracks of a cue sheet without numbers have the same name. They keep their order.
  return tracks.indices.sorted { a, b in
    keys[a] < keys[b] || (keys[a] == keys[b] && a < b)
  }
}
