internal import SegueFrontend

/// The messages about the contents of the library. Each is a whole sentence or a label of its own, so that it can be translated.
enum LibraryMessages {
  static var title: String { tr("Library") }
  static var albums: String { tr("Albums") }
  static var artists: String { tr("Artists") }
  static var tracks: String { tr("Tracks") }
  static var severalArtists: String { tr("Several artists") }
  static var empty: String { tr("The library is empty.") }
  static var emptyHint: String { tr("Put music into a music folder, or name one in segue.conf. Then run:") }
  static let scanCommand = "segue scan"
  static var noContents: String { tr("There is nothing here any more.") }

  static func albums(_ count: Int) -> String { trn("1 album", "%1$d albums", count) }
  static func artists(_ count: Int) -> String { trn("1 artist", "%1$d artists", count) }
  static func tracks(_ count: Int) -> String { trn("1 track", "%1$d tracks", count) }
}
