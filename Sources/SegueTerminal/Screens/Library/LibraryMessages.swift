/// The messages about the contents of the library. Each is a whole sentence or a label of its own, so that it can be translated.
enum LibraryMessages {
  static let title = "Library"
  static let albums = "Albums"
  static let artists = "Artists"
  static let tracks = "Tracks"
  static let severalArtists = "Several artists"
  static let empty = "The library is empty."
  static let emptyHint = "Put music into a music folder, or name one in segue.conf. Then run:"
  static let scanCommand = "segue scan"
  static let noContents = "There is nothing here any more."

  static func albums(_ count: Int) -> String { count == 1 ? "1 album" : "\(count) albums" }
  static func artists(_ count: Int) -> String { count == 1 ? "1 artist" : "\(count) artists" }
  static func tracks(_ count: Int) -> String { count == 1 ? "1 track" : "\(count) tracks" }
}
