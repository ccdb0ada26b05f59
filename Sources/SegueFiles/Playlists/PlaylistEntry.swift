public import SegueSystem
public import SegueWire

/// An entry of a stored playlist.
public struct PlaylistEntry: Sendable {
  /// The index of the entry, from 0.
  public var index: Int
  /// The track with the metadata in the playlist.
  public var track: FoundTrack
  /// The reason why the track is not available; nil if it is.
  public var failure: Failure?

  /// Creates an entry, and checks whether its file exists.
  init(index: Int, _ item: PlaylistItem, of playlist: FilePath, _ files: PlaylistFiles) {
    self.index = index
    track = item.track(uri: item.namedURI(of: playlist))
    do throws(Failure) {
      if let uri = item.absoluteURI {
        switch try MediaURI(uri) {
        case .file(let named, let range):
          let path = files.file(at: named)
          track = item.track(uri: MediaURI.file(path, range: range).uri)
          failure = Self.failure(of: path)
        case let media: track = item.track(uri: media.uri)
        }
      } else if let path = files.file(of: item) {
        track = item.track(at: path)
        failure = Self.failure(of: path)
      } else {
        throw Failure(.notFound, "the entry does not name a file")
      }
    } catch {
      failure = error
    }
    // A line may have megabytes. It is not a valid URI then, and is not repeated in full.
    if failure != nil { track.uri = track.uri.middleTruncated(to: MediaURI.maximumURLLength) }
  }

  private static func failure(of path: FilePath) -> Failure? {
    do {
      _ = try FileKind(path)
      return nil
    } catch {
      return Failure(error, path)
    }
  }
}

/// An entry to add to a stored playlist.
public struct NewPlaylistEntry: Sendable {
  /// The URI in the form of `MediaURI.uri`.
  public var uri: String
  public var metadata: Metadata
  public var duration: MediaTime?

  public init(uri: String, metadata: Metadata, duration: MediaTime?) {
    self.uri = uri
    self.metadata = metadata
    self.duration = duration
  }
}
