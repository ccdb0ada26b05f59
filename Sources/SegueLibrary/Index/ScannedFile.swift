public import SegueLink
public import SegueSystem
public import SegueWire

/// One file as the scan found it.
public struct ScannedFile: Sendable {
  /// Absolute and normalized.
  public var path: FilePath
  public var stamp: FileStamp
  /// What a worker found in it, or why none could.
  public var result: Result<FileFacts, Failure>
  /// The tracks of it that a cue sheet names, in its order; empty for a file that is one track.
  public var ranges: [CueTrack]

  public init(path: FilePath, stamp: FileStamp, result: Result<FileFacts, Failure>, ranges: [CueTrack] = []) {
    self.path = path
    self.stamp = stamp
    self.result = result
    self.ranges = ranges
  }

  /// A track of a cue sheet.
  public struct CueTrack: Equatable, Sendable {
    public var range: CueRange
    /// The sheet's word; what it does not say the file says.
    public var metadata: Metadata
    /// Of the sheet's texts; where a key is empty the text is sorted by its letters.
    public var sortKeys: SortKeys

    public init(range: CueRange, metadata: Metadata, sortKeys: SortKeys = SortKeys()) {
      self.range = range
      self.metadata = metadata
      self.sortKeys = sortKeys
    }
  }
}
