internal import Glibc
internal import SegueSystem

/// The file `ui.conf`: the interface reads it at the start and after every change, and writes to it the settings that
/// the user changes. All functions block on the disk.
final class ConfigurationFile {
  private let path: FilePath
  /// The contents of which the interface has the settings; nil if there were none that could be read.
  private var contents: [UInt8]?
  /// Nil while there is no folder that can be watched.
  private var watch: ConfigurationWatch?

  init(path: FilePath) {
    self.path = path
    startWatch()
  }

  /// The descriptor that is readable when the file may have changed; nil if there is none.
  var descriptor: Int32? { watch?.raw }

  /// Reads the file, as `InterfaceConfiguration.read` does.
  func read() -> (InterfaceConfiguration, [INIWarning]) {
    contents = try? SmallFile.read(path, upTo: InterfaceConfiguration.maximumLength)
    return contents.map { InterfaceConfiguration.parse($0, path) } ?? InterfaceConfiguration.read(path)
  }

  /// Reads the file after the descriptor was readable. Returns nil if it has no other contents, or none that can be
  /// read.
  func readChange() -> (InterfaceConfiguration, [INIWarning])? {
    guard watch?.takeEvents() == true,
      let bytes = try? SmallFile.read(path, upTo: InterfaceConfiguration.maximumLength), bytes != contents
    else { return nil }
    contents = bytes
    return InterfaceConfiguration.parse(bytes, path)
  }

  /// Writes a change to the file, which is created if it does not exist. All other lines stay as they are, also those
  /// that another program has written meanwhile.
  func save(_ change: ConfigurationChange) throws(SystemError) {
    // The file may be a link into a folder of configurations.
    let target = path.linkTarget
    var bytes: [UInt8]?
    do {
      bytes = try SmallFile.read(target, upTo: InterfaceConfiguration.maximumLength)
    } catch  where error.code == ENOENT {
      try Folder.create(target.parent)
    }
    let (section, key, value) = change.entry
    let changed = INIFile.setting(key, in: section, to: value, of: bytes ?? [])
    try SmallFile.replace(target, with: changed)
    // Lines of another program that are not read yet are read after the event of this change.
    if bytes == contents { contents = changed }
    if watch == nil { startWatch() }
  }

  private func startWatch() { watch = try? ConfigurationWatch(path) }
}

/// A watch of the folder of `ui.conf`.
private final class ConfigurationWatch {
  private let inotify: InotifyInstance
  private let name: [UInt8]

  /// Throws if there is no folder, or if it cannot be watched.
  init(_ path: FilePath) throws(SystemError) {
    let target = path.linkTarget
    name = Array(target.lastComponent)
    inotify = try InotifyInstance()
    // Programs write a file as a whole, or put a new one in its place. A file that is missing meanwhile changes
    // nothing.
    _ = try inotify.add(target.parent, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_ONLYDIR))
  }

  var raw: Int32 { inotify.raw }

  /// Takes the waiting events. Returns whether one of them is about the file.
  func takeEvents() -> Bool {
    var isAffected = false
    while case let events = inotify.read(upTo: 4_096), !events.isEmpty {
      isAffected = isAffected || events.contains { $0.name == name }
    }
    return isAffected
  }
}
