internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The music folders, level by level.
struct FoldersScreen: ItemScreen {
  var tabs = ItemTabs([.musicFolders])
  var title: String { FolderMessages.title }

  /// A single music folder is opened at once. The folders change with the configuration of the daemon.
  mutating func prepare(_ state: inout SharedState) -> [DaemonCall] {
    if let folders = state.library?.folders {
      let source: ListSource = folders.count == 1 ? .folder(folders[0].uri) : .musicFolders
      if source != list.source { tabs = ItemTabs([source]) }
    }
    return tabs.prepare(listArea(state), &state)
  }
}

/// The messages about folders.
enum FolderMessages {
  static var title: String { tr("Folders") }
  static var noMusic: String { tr("The folder contains no music.") }

  /// Returns the last component of the path of a folder, with a slash.
  static func name(_ uri: String) -> String {
    guard let path = FileURI.decode(uri) else { return displayURI(uri) }
    return "\(String(decoding: path.lastComponent, as: UTF8.self).visible)/"
  }
}
