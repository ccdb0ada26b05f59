public import SegueSystem
public import SegueWire

/// Something to play that was found: a file, a part of one, or a stream.
public struct FoundTrack: Equatable, Sendable {
  /// As `MediaURI` writes it.
  public var uri: String
  /// What a playlist said, provisional until the file is looked into. For a track of a cue sheet the sheet's word.
  public var metadata: Metadata
  public var duration: MediaTime?
  public var durationKind: DurationKind?

  public init(
    uri: String, metadata: Metadata = Metadata(), duration: MediaTime? = nil, durationKind: DurationKind? = nil
  ) {
    self.uri = uri
    self.metadata = metadata
    self.duration = duration
    self.durationKind = durationKind
  }
}

/// A part of what `FileService.resolve` finds: the files of one folder, a playlist, or a few single files.
public struct FoundBatch: Sendable {
  public enum Source: Equatable, Sendable {
    /// In natural order; may be sorted by `albumOrder` once it was probed.
    case folder(FilePath)
    /// In the playlist's order, which is to be kept.
    case playlist(FilePath)
    /// Named one by one, in the order they were named.
    case single
  }

  public var source: Source
  public var tracks: [FoundTrack]
  public var failures: [URIFailure]
  /// Of the tracks' files, in their order, once the batch is handed on; nil for what is no file.
  public var stamps: [FileStamp?] = []

  public init(source: Source, tracks: [FoundTrack], failures: [URIFailure]) {
    self.source = source
    self.tracks = tracks
    self.failures = failures
  }

  /// Asks the file system for the stamps.
  mutating func stamp() { stamps = tracks.map { FileStamp(uri: $0.uri) } }
}
