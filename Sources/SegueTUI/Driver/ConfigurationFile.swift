internal import Glibc
internal import SegueSystem

/// The file `ui.conf`: the interface reads it at the start and after every change, and writes to it the settings that
/// the user changes. All functions block on the disk.
final class ConfigurationFile {
  private let path: FilePath
  /// The contents of which the interface has the settings; nil if there were none that could be read.
  private var contents: [UInt8]?
  /// Nil if no folder can be watched.
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

/// A watch of the folder of `ui.conf`, and of that of the file to which it is a link. If a folder is missing, its
/// nearest ancestor is watched until it appears.
private final class ConfigurationWatch {
  private let inotify: InotifyInstance
  private let path: FilePath
  private let target: FilePath
  /// The names of the folders that are missing in watched ones, by the number of the watch.
  private var missing: [Int32: Set<[UInt8]>] = [:]
  /// Whether the link leads to another file now, or a folder is gone or has appeared, so that another watch is needed.
  private(set) var isOutdated = false

  /// Throws if no folder can be watched.
  init(_ path: FilePath) throws(SystemError) {
    (self.path, target) = (path, path.linkTarget)
    inotify = try InotifyInstance()
    for folder in [path.parent, target.parent] { try watch(folder) }
  }

  /// Watches a folder, or its nearest ancestor.
  private func watch(_ folder: FilePath) throws(SystemError) {
    // Programs write a file as a whole, put a new one in its place, or make another link. A file that is missing
    // meanwhile changes nothing.
    if try add(folder, IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE) != nil { return }
    var child = folder
    while child.parent != child {
      // Files in an ancestor may be written all the time, and do not matter.
      if let number = try add(child.parent, IN_MOVED_TO | IN_CREATE) {
        missing[number, default: []].insert(Array(child.lastComponent))
        // The folder may have appeared before its parent was watched.
        return try add(child, IN_CREATE) == nil ? () : watch(folder)
      }
      child = child.parent
    }
  }

  /// Watches a folder for events and its end, beside those for which it is watched already. Returns the number of the
  /// watch; nil if there is no such folder.
  private func add(_ folder: FilePath, _ events: Int32) throws(SystemError) -> Int32? {
    do throws(SystemError) {
      let mask = UInt32(events | IN_MOVE_SELF | IN_MASK_ADD) | UInt32(IN_ONLYDIR)
      return try inotify.add(folder, mask)
    } catch {
      if error.code == ENOENT || error.code == ENOTDIR { return nil }
      throw error
    }
  }

  var raw: Int32 { inotify.raw }

  /// Takes the waiting events. Returns whether one of them is about the file.
  func takeEvents() -> Bool {
    let names = [Array(path.lastComponent), Array(target.lastComponent)]
    var (isAffected, hasNewName) = (false, false)
    while case let events = inotify.read(upTo: 4_096), !events.isEmpty {
      for event in events {
        let isGone = event.has(Int(IN_IGNORED)) || event.has(Int(IN_MOVE_SELF))
        isOutdated = isOutdated || isGone || missing[event.watch]?.contains(event.name) == true
        // After too many events, some are missing.
        if event.has(Int(IN_Q_OVERFLOW)) { isAffected = true }
        guard names.contains(event.name) else { continue }
        // A new file is empty until it is written.
        if event.has(Int(IN_CREATE)) { hasNewName = true } else { isAffected = true }
      }
    }
    isOutdated = isOutdated || path.linkTarget != target
    return isAffected || isOutdated || hasNewName && path.linkTarget != path
  }
}
