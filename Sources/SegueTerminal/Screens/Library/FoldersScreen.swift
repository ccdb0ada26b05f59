internal import SegueFrontend
internal import SegueSystem

/// The music folders, level by level.
struct FoldersScreen: ItemScreen {
  var tabs = ItemTabs([.musicFolders])
  let title = FolderMessages.title

  /// A single music folder is opened at once.
  mutating func prepare(_ state: inout SharedState) -> [DaemonCall] {
    if list.source == .musicFolders, list.window.isLoaded, list.window.length == 1, let item = list.focused {
      tabs = ItemTabs([.folder(item.uri)])
    }
    return list.prepare(listArea(state), &state)
  }
}

/// The messages about folders.
enum FolderMessages {
  static var title: String { tr("Folders") }
  static var empty: String { tr("There is no music folder.") }
  static var emptyHint: String { tr("Name one in segue.conf with MusicFolder= in the section [Library].") }

  static func entries(_ count: Int) -> String { trn("1 entry", "%1$d entries", count) }

  /// Returns the last component of the path of a folder, with a slash.
  static func name(_ uri: String) -> String {
    guard let path = FileURI.decode(uri) else { return displayURI(uri) }
    return "\(String(decoding: path.lastComponent, as: UTF8.self).visible)/"
  }
}
