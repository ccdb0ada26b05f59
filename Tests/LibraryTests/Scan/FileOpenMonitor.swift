import Glibc
import SegueSystem

/// A monitor of the files that any process opens in a folder.
final class FileOpenMonitor {
  private let inotify: InotifyInstance

  init() throws { inotify = try InotifyInstance() }

  func watch(_ folder: FilePath) { _ = try? inotify.add(folder, UInt32(IN_OPEN)) }

  /// Returns the names of the files that were opened since the last call, in order, without folders.
  func takeOpenedFiles() -> [String] {
    var names: [String] = []
    while case let events = inotify.read(), !events.isEmpty {
      for event in events where !event.isFolder { names.append(String(decoding: event.name, as: UTF8.self)) }
    }
    return names
  }
}
