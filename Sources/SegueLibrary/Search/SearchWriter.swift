// On the thread of its connection only.

/// Keeps the tables of the search in step with the tables of the index. Every call belongs into the transaction that
/// changes the row it is about.
struct SearchWriter {
  private unowned let connection: SQLiteConnection

  /// Teaches `connection` the words: before anything on it touches the tables of the search, and before they are made.
  init(_ connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
  }

  /// `old`: what was written last under this number, nil if nothing was; `new`: nil to take it away, and its regard.
  func replace(track id: Int64, _ old: SearchText?, with new: SearchText?) throws(StoreError) {}

  /// What the user thinks of the track `id`, whose text is `text`: after `replace` wrote that. nil takes it away.
  func regard(track id: Int64, _ text: SearchText, _ regard: SearchRegard?) throws(StoreError) {}

  func replace(album id: Int64, _ old: AlbumText?, with new: AlbumText?) throws(StoreError) {}

  func replace(artist id: Int64, _ old: String?, with new: String?) throws(StoreError) {}

  /// At the end of a scan, in a transaction of its own: gathers what many small transactions left apart, and learns new
  /// words for what is mistyped. `changes` is how many texts were written since the last time.
  func settle(changes: Int) throws(StoreError) {}

  /// What of an album is searched.
  struct AlbumText: Equatable {
    var title: String
    /// nil for a compilation.
    var artist: String?
  }
}
