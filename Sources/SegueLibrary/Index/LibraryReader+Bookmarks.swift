// On the thread of its connection only.

public import SegueSystem

extension LibraryReader {
  /// Returns the positions at which playback of tracks was left, by URI.
  public func bookmarks() throws(StoreError) -> [String: MediaTime] {
    let rows = try connection.statement("SELECT uri, position FROM bookmark")
    defer { rows.reset() }
    var bookmarks: [String: MediaTime] = [:]
    while try rows.step() {
      bookmarks[rows.text(0) ?? ""] = MediaTime(nanoseconds: rows.integer(1) ?? 0).clamped(to: .zero ... .maximum)
    }
    return bookmarks
  }
}
