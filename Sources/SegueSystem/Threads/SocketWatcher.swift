internal import Glibc

/// A watcher that reports when a socket may have appeared at a path.
///
/// It watches, by inotify(7), the folder of the socket, or the nearest ancestor that exists. It uses no timer. One
/// thread at a time uses it.
public final class SocketWatcher {
  private let inotify: InotifyInstance
  private let path: FilePath
  private var watch: Int32 = -1
  /// The folder that is watched.
  private var folder = FilePath("")
  /// The name that is expected to appear in the folder.
  private var expectedName: [UInt8] = []

  /// Throws if inotify is not available.
  public init(path: FilePath) throws(SystemError) {
    self.path = path
    inotify = try InotifyInstance()
    try watchNearestFolder()
  }

  /// The descriptor, which is readable when events are waiting.
  public var raw: Int32 { inotify.raw }

  /// Processes the waiting events without blocking. Returns true if the socket may have appeared or have been replaced.
  public func processEvents() -> Bool {
    var isAffected = false
    while case let events = inotify.read(upTo: 4096), !events.isEmpty {
      // Events of a watch that was removed are ignored.
      for event in events where event.watch == watch {
        isAffected = isAffected || event.name.isEmpty || event.name == expectedName
      }
    }
    guard isAffected else { return false }
    let watchedSocketFolder = isWatchingSocketFolder
    // If no folder can be watched any more, the caller has to look for the socket itself.
    do throws(SystemError) { try watchNearestFolder() } catch { return true }
    // The folder may have appeared with the socket in it.
    return watchedSocketFolder || isWatchingSocketFolder
  }

  private var isWatchingSocketFolder: Bool { folder == path.parent }

  /// Watches the deepest folder of the path that exists.
  private func watchNearestFolder() throws(SystemError) {
    if watch >= 0 { inotify.remove(watch) }
    (folder, expectedName) = (path.parent, Array(path.lastComponent))
    // A missing folder may appear while its parent is being watched. The search then begins again at the socket's
    // folder.
    var missing: FilePath?
    while true {
      let mask = UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
      do throws(SystemError) {
        watch = try inotify.add(folder, mask)
        guard let deeper = missing, deeper.withCString({ access($0, F_OK) }) == 0 else { return }
        missing = nil
        (folder, expectedName) = (path.parent, Array(path.lastComponent))
      } catch {
        watch = -1
        missing = error.code == ENOENT ? folder : nil
        guard folder.parent != folder else { throw error }
        (folder, expectedName) = (folder.parent, Array(folder.lastComponent))
      }
    }
  }
}
