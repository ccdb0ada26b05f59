internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueWire

/// The chapter of the current track that plays.
struct CurrentChapter {
  let index: Int
  let count: Int
  let title: String

  /// Creates the chapter of a track with chapters; nil for any other track, and if none of them plays.
  init?(_ list: ChapterList, of track: QueueEntry) {
    guard list.uri == track.uri, let index = list.current, list.chapters.indices.contains(index) else { return nil }
    (self.index, count, title) = (index, list.chapters.count, list.chapters[index].title)
  }

  /// The number and the title, such as `Chapter 3 of 12: The Storm`.
  var description: String {
    title.isEmpty
      ? tr("Chapter %1$d of %2$d", index.oneBased, count)
      : tr("Chapter %1$d of %2$d: %3$s", index.oneBased, count, title.visible)
  }
}

extension VerbContext {
  /// The time for which `status` waits for the chapters of a file that the library does not have.
  private static let chapterTimeout = MediaTime.milliseconds(300)

  /// Returns the chapter that plays; nil if there is none, or if the daemon does not know it soon.
  func currentChapter(of status: Status) throws(ClientError) -> CurrentChapter? {
    // Without a position, no chapter plays, and the daemon would have to read the file.
    guard status.state != .stopped, let track = status.track, track.uri.hasPrefix("file:") else { return nil }
    let list = try answer(to: ChaptersRequest(), within: Self.chapterTimeout)
    return list.flatMap { CurrentChapter($0, of: track) }
  }
}
