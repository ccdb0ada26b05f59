public import SegueWire

/// All that a worker tells the library of one file.
public struct FileFacts: Equatable, Sendable {
  /// The version of what is read of files. The library reads files again of which it has an older version. Raise it when
  /// the same file gives other tags or another length than before; a step of `LibrarySchema` that forgets the folders
  /// that were seen goes with it.
  public static let version: Int64 = 1

  /// As playing it would show it, but for a length that only decoding could tell: that is `estimated` here. Its
  /// chapters stand below.
  public var info: MediaInfo
  public var details: TagDetails
  public var sortKeys: SortKeys
  /// A picture is embedded, which `WorkerCommand.cover` gets.
  public var hasCover: Bool
  /// Lyrics are embedded, which `WorkerCommand.lyrics` gets.
  public var hasLyrics: Bool
  /// In order of time; empty unless there are two at least.
  public var chapters: [Chapter]

  public init(
    info: MediaInfo, details: TagDetails, sortKeys: SortKeys, hasCover: Bool, hasLyrics: Bool, chapters: [Chapter]
  ) {
    self.info = info
    self.info.chapters = []
    self.details = details
    self.sortKeys = sortKeys
    self.hasCover = hasCover
    self.hasLyrics = hasLyrics
    self.chapters = chapters
  }

  /// What a worker told, kept to what a file can have.
  var bounded: FileFacts {
    var bounded = self
    bounded.info = info.bounded
    bounded.details = details.bounded
    bounded.sortKeys = sortKeys.bounded
    bounded.chapters = Chapter.bounded(chapters)
    return bounded
  }
}
