public import SegueSystem

/// What an entry's URI names: a file, a part of one, or a stream.
public enum MediaURI: Hashable, Sendable {
  /// `range` is set for a track of a cue sheet.
  case file(FilePath, range: CueRange?)
  /// A URL that libavformat opens, as it was given.
  case stream(String)

  /// nil for what is neither.
  public init?(_ uri: String) { return nil }

  public var uri: String { "" }
}
