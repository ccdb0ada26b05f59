public import SegueSystem
public import SegueWire

/// What stands at a place of a playlist.
public struct PlaylistEntry: Sendable {
  /// From 0.
  public var index: Int
  /// What the playlist says of it.
  public var track: FoundTrack
  /// Why it cannot be had.
  public var failure: Failure?

  /// Asks the file system whether the file is there.
  init(index: Int, _ item: PlaylistItem, of playlist: FilePath) {
    self.index = index
    track = item.track(uri: item.namedURI(of: playlist))
    do throws(Failure) {
      if let uri = item.absoluteURI {
        let media = try MediaURI(uri)
        track = item.track(uri: media.uri)
        if case .file(let path, _) = media { failure = Self.failure(of: path) }
      } else if let path = item.file(of: playlist, .m3u8) {
        track = item.track(at: path)
        failure = Self.failure(of: path)
      } else {
        throw Failure(.notFound, "the entry names no file")
      }
    } catch {
      failure = error
    }
    // A line of megabytes names nothing, and is not repeated.
    if failure != nil { track.uri = track.uri.middleTruncated(to: MediaURI.longestURL) }
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

/// What is to be put into a playlist.
public struct NewPlaylistEntry: Sendable {
  /// As `MediaURI` writes it.
  public var uri: String
  public var metadata: Metadata
  public var duration: MediaTime?

  public init(uri: String, metadata: Metadata, duration: MediaTime?) {
    self.uri = uri
    self.metadata = metadata
    self.duration = duration
  }
}
