/// The messages of all lists of items. Each is a whole sentence or a label of its own, so that it can be translated.
enum ItemMessages {
  static let number = "#"
  static let title = "Title"
  static let name = "Name"
  static let artist = "Artist"
  static let album = "Album"
  static let year = "Year"
  static let albums = "Albums"
  static let tracks = "Tracks"
  static let time = "Time"
  static let date = "Date"
  static let rating = "Rating"
  static let format = "Format"
  static let loading = "Loading…"
  static let noMatch = "Nothing in this list contains this text."
  static let nothingFocused = "There is nothing in this list to which the key applies."
  static let noFavorite = "Only tracks, albums and artists can be favourites."
  static let notLoaded = "The list is not loaded yet."
  static let nothingToCancel = "There is neither a filter nor a selection to end. The key q returns."
  static let retry = "The key F5 tries again."

  static func selected(_ selected: Int, of count: Int) -> String { "\(selected) of \(count) are selected" }

  static func matches(_ matches: Int, of count: Int) -> String { "\(matches) of \(count)" }

  static func firstMatches(_ matches: Int) -> String { "the first \(matches) matches" }

  static func reading(_ read: Int, of count: Int) -> String { "searching: \(read) of \(count)" }

  /// Returns facts about the matches of a filter.
  static func facts(_ list: ItemList, _ filter: ListFilter<ListedItem>) -> String {
    if filter.isFull { return firstMatches(filter.matches.count) }
    if filter.isReading(of: list.window), list.window.length > ListLimits.filterPageLength {
      return reading(filter.read, of: list.window.length)
    }
    return matches(filter.matches.count, of: list.window.length)
  }

  static func scanning(_ done: Int, of total: Int) -> String {
    "The music folders are being scanned: \(done) of \(total) files are read."
  }
}
