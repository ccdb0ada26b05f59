internal import SegueFrontend
internal import SegueSystem
internal import SegueWire

/// The messages about the contents of the library. Each is a whole sentence or a label of its own, so that it can be translated.
enum LibraryMessages {
  static var title: String { tr("Library") }
  static var albums: String { tr("Albums") }
  static var artists: String { tr("Artists") }
  static var tracks: String { tr("Tracks") }
  static var severalArtists: String { tr("Several artists") }
  static var empty: String { tr("The library is empty.") }
  static var noContents: String { tr("There is nothing here any more.") }

  /// Returns what fills an empty library: music in the music folder, or another folder.
  static func emptyHints(_ state: SharedState) -> [String] {
    let folder = (state.library?.folders.first?.uri).flatMap(FileURI.decode)
    return (folder.map { [tr("Music in the folder %1$s is found by itself.", $0.description.visible)] } ?? []) + [
      tr("To use another folder, write these two lines into %1$s:", "~/.config/segue/segue.conf"),
      "[Library]", "MusicFolder=~/Songs", tr("Then run: systemctl --user reload segued"),
    ]
  }

  static func albums(_ count: Int) -> String { trn("1 album", "%1$d albums", count) }
  static func artists(_ count: Int) -> String { trn("1 artist", "%1$d artists", count) }
  static func tracks(_ count: Int) -> String { trn("1 track", "%1$d tracks", count) }
}
