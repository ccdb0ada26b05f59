internal import SegueSystem

extension Chapter {
  /// The maximum number of chapters of a file.
  public static let maximumCount = 512
  /// The maximum size of a title, in bytes of UTF-8.
  private static let maximumTitleSize = 256
  /// The maximum size of all titles of a file together, in bytes of UTF-8.
  private static let maximumTotalTitleSize = 16 * 1024

  /// Returns `chapters` within these limits, ordered by time.
  public static func bounded(_ chapters: [Chapter]) -> [Chapter] {
    var remaining = maximumTotalTitleSize
    return chapters.map { Chapter(title: $0.title, start: $0.start.clamped(to: .zero ... .maximum)) }
      .sorted { $0.start < $1.start }.prefix(maximumCount).map { chapter in
        let title = chapter.title.truncated(to: min(maximumTitleSize, remaining))
        remaining -= title.utf8.count
        return Chapter(title: title, start: chapter.start)
      }
  }
}
