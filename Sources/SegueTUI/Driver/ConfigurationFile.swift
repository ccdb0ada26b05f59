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
    do {
      let bytes = try SmallFile.read(path, upTo: InterfaceConfiguration.maximumLength)
      contents = bytes
      return InterfaceConfiguration.parse(bytes, path)
    } catch {
      contents = nil
      return InterfaceConfiguration.standard(becauseOf: error, path)
    }
  }

  /// Reads the file after the descriptor was readable. Returns nil if it has no other contents, or none that can be
  /// read.
  func readChange() -> (InterfaceConfiguration, [INIWarning])? {
    guard let watch, watch.takeEvents() else { return nil }
    if watch.isOutdated { startWatch() }
    guard
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

/// A watch of the folder of `ui.conf`, and of that of the file to which it is a link.
private final class ConfigurationWatch {
  private let inotify: InotifyInstance
  private let path: FilePath
  private let target: FilePath
  /// Whether the link leads to another file now, or a folder is gone, so that another watch is needed.
  private(set) var isOutdated = false

  /// Throws if there is no folder, or if it cannot be watched.
  init(_ path: FilePath) throws(SystemError) {
    (self.path, target) = (path, path.linkTarget)
    inotify = try InotifyInstance()
    // Programs write a file as a whole, put a new one in its place, or make another link. A file that is missing
    // meanwhile changes nothing.
    let mask = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_ONLYDIR)
    for folder in [path.parent, target.parent] { _ = try inotify.add(folder, mask) }
  }

  var raw: Int32 { inotify.raw }

  /// Takes the waiting events. Returns whether one of them is about the file.
  func takeEvents() -> Bool {
    let names = [Array(path.lastComponent), Array(target.lastComponent)]
    var (isAffected, hasNewName) = (false, false)
    while case let events = inotify.read(upTo: 4_096), !events.isEmpty {
      isOutdated = isOutdated || events.contains { $0.has(Int(IN_IGNORED)) }
      for event in events where names.contains(event.name) {
        // A new file is empty until it is written.
        if event.has(Int(IN_CREATE)) { hasNewName = true } else { isAffected = true }
      }
    }
    isOutdated = isOutdated || path.linkTarget != target
    return isAffected || isOutdated || hasNewName && path.linkTarget != path
  }
}
