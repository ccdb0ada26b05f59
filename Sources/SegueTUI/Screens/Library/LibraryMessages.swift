internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The messages about the contents of the library. Each is a whole sentence or a label of its own, so that it can be
/// translated.
enum LibraryMessages {
  static var albums: String { tr("Albums") }
  static var artists: String { tr("Artists") }
  static var tracks: String { tr("Tracks") }
  // TRANSLATORS: the name of a list of further lists: genres, composers, years and others
  static var more: String { tr("More") }

  /// Returns the name of the list of the values of a tag.
  static func values(_ tag: LibraryTag) -> String {
    switch tag {
    case .albumArtist: tr("Album artists")
    case .genre: tr("Genres")
    case .composer: tr("Composers")
    case .conductor: tr("Conductors")
    case .work: tr("Works")
    case .year: tr("Years")
    case .decade: tr("Decades")
    }
  }

  /// Returns the number of values of a tag with their unit.
  static func values(_ tag: LibraryTag, _ count: Int) -> String {
    switch tag {
    case .albumArtist: trn("1 album artist", "%1$d album artists", count)
    case .genre: trn("1 genre", "%1$d genres", count)
    case .composer: trn("1 composer", "%1$d composers", count)
    case .conductor: trn("1 conductor", "%1$d conductors", count)
    case .work: trn("1 work", "%1$d works", count)
    case .year: trn("1 year", "%1$d years", count)
    case .decade: trn("1 decade", "%1$d decades", count)
    }
  }
  static var empty: String { tr("The library is empty.") }
  static var noContents: String { tr("There is nothing here any more.") }

  /// Returns what fills an empty library: music in a music folder, which is the first one by default, or another
  /// folder.
  static func emptyHints(_ state: SharedState, folder uri: String? = nil) -> [String] {
    let folder = (uri ?? state.library?.folders.first?.uri).flatMap(FileURI.decode)
    let file = "~/.config/segue/segue.conf"
    let choice =
      if let folder {
        [
          tr("Music that you put into %1$s appears here.", folder.description.visible),
          tr("To use another folder, write these two lines into %1$s:", file),
        ]
      } else {
        [tr("To choose a folder, write these two lines into %1$s:", file)]
      }
    return choice + ["[Library]", "MusicFolder=~/Songs", tr("Then run: systemctl --user reload segued")]
  }

  static func albums(_ count: Int) -> String { trn("1 album", "%1$d albums", count) }
  static func artists(_ count: Int) -> String { trn("1 artist", "%1$d artists", count) }
  static func tracks(_ count: Int) -> String { trn("1 track", "%1$d tracks", count) }
}
