public import SegueFiles
public import SegueSystem
public import SegueWire
public import SegueWorkerProtocol

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
    /// The range; nil if the track is the whole file.
    public var range: CueRange?
    /// The tags of the cue sheet. The tags of the file replace those that are missing; if the track is the whole file,
    /// they take precedence.
    public var metadata: Metadata
    /// The gain in the cue sheet. That of the file replaces values that are missing; if the track is the whole file, it
    /// takes precedence.
    public var gain: ReplayGain
    /// The sort keys of the texts of the cue sheet. If a key is empty, `SortKeys.provisionalKey` replaces it.
    public var sortKeys: SortKeys

    public init(
      range: CueRange?, metadata: Metadata, gain: ReplayGain = ReplayGain(), sortKeys: SortKeys = SortKeys()
    ) {
      self.range = range
      self.metadata = metadata
      self.gain = gain
      self.sortKeys = sortKeys
    }
  }
}
