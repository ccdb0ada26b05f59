public import SegueFiles
public import SegueLink
public import SegueSystem
public import SegueWire

/// A file as a scan has found it.
public struct ScannedFile: Sendable {
  /// The path, absolute and normalized.
  public var path: FilePath
  public var stamp: FileStamp
  /// The facts that a worker has found in the file, or why it could not be read.
  public var result: Result<FileFacts, Failure>
  /// The tracks that a cue sheet defines, in its order. It is empty if the file is one track.
  public var cueTracks: [CueTrack]

  public init(path: FilePath, stamp: FileStamp, result: Result<FileFacts, Failure>, cueTracks: [CueTrack] = []) {
    self.path = path
    self.stamp = stamp
    self.result = result
    self.cueTracks = cueTracks
  }

  /// A track of a cue sheet.
  public struct CueTrack: Equatable, Sendable {
    public var range: CueRange
    /// The tags of the cue sheet. The tags of the file replace those that are missing.
    public var metadata: Metadata
    /// The sort keys of the texts of the cue sheet. If a key is empty, `SortKeys.provisionalKey` replaces it.
    public var sortKeys: SortKeys

    public init(range: CueRange, metadata: Metadata, sortKeys: SortKeys = SortKeys()) {
      self.range = range
      self.metadata = metadata
      self.sortKeys = sortKeys
    }
  }
}
