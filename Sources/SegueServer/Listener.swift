internal import Glibc
public import SegueSystem

/// The listening socket, and the right to its path.
///
/// The right is a lock on a file beside the socket: whoever holds it may take the path, so that two daemons that start
/// at once cannot both find the socket stale, and a lock goes with its process however that ends.
public final class Listener {
  private let descriptor: Descriptor
  private var place: Place?

  /// What was made in the file system.
  private struct Place {
    let path: FilePath
    let inode: ino_t?
    let lock: Int32
  }

  /// One that the service manager made and keeps.
  public init(inheriting descriptor: consuming Descriptor) {
    self.descriptor = descriptor
    place = nil
  }

  /// Makes the socket at `path` (mode 0600) and the folder it lies in (mode 0700).
  public init(at path: FilePath) throws(ListenError) {
    guard path.bytes.count <= UnixSocket.longestPath else { throw .pathTooLong(path) }
    try Self.makeFolder(path.parent)
    let lock = try Self.takeOver(path)
    do throws(SystemError) {
      descriptor = try UnixSocket.listen(at: path)
    } catch {
      throw .failed("the socket \(path) cannot be made", error)
    }
    place = Place(path: path, inode: Self.status(of: path)?.st_ino, lock: lock.release())
  }

  deinit { leave() }

  /// Gives up the path, and the right to it.
  func leave() {
    guard let place else { return }
    self.place = nil
    // Only our own: somebody may have put another there.
    if Self.status(of: place.path)?.st_ino == place.inode { _ = place.path.withCString { unlink($0) } }
    close(place.lock)
  }

  var raw: Int32 { descriptor.raw }

  /// Where it is found; nil if the service manager keeps it.
  var path: FilePath? { place?.path }

  /// Whether it is still found there.
  var isInPlace: Bool { place.map { Self.status(of: $0.path)?.st_ino == $0.inode } ?? true }

  private static func makeFolder(_ folder: FilePath) throws(ListenError) {
    if folder.withCString({ mkdir($0, 0o700) }) < 0, errno != EEXIST {
      let failure = SystemError("mkdir", folder.description)
      // The folders above a runtime folder are the system's; those above any other may be missing.
      guard failure.code == ENOENT, folder.parent != folder else {
        throw .failed("the folder \(folder) of the socket cannot be made", failure)
      }
      try makeFolder(folder.parent)
      if folder.withCString({ mkdir($0, 0o700) }) < 0 {
        throw .failed("the folder \(folder) of the socket cannot be made", SystemError("mkdir"))
      }
    }
    var status = stat()
    guard folder.withCString({ stat($0, &status) }) == 0 else {
      throw .failed("the folder \(folder) of the socket cannot be seen", SystemError("stat"))
    }
    // In a stranger's folder the socket could be replaced by the stranger's.
    guard status.st_uid == getuid() || status.st_uid == 0 else { throw .strangersFolder(folder) }
  }

  /// The lock, and no socket there any more. What a daemon had open that was killed while it started a worker, that child
  /// holds until it has become the worker: that is waited for.
  private static func takeOver(_ path: FilePath) throws(ListenError) -> Descriptor {
    let end = MonotonicTime.now + MediaTime.seconds(5)
    while true {
      do throws(ListenError) {
        return try takeOverAtOnce(path)
      } catch {
        guard case .occupied = error, MonotonicTime.now < end, !isServed(path) else { throw error }
        usleep(10_000)
      }
    }
  }

  /// Whether the daemon that listens there is alive, or cannot be told to be dead.
  private static func isServed(_ path: FilePath) -> Bool {
    do throws(SystemError) {
      let connection = try UnixSocket.connect(to: path, waits: false)
      return kill(try UnixSocket.peerProcess(of: connection.raw), 0) == 0 || errno != ESRCH
    } catch {
      return error.code != ECONNREFUSED && error.code != ENOENT
    }
  }

  private static func takeOverAtOnce(_ path: FilePath) throws(ListenError) -> Descriptor {
    let lock = try lock(FilePath(bytes: path.bytes + Array(".lock".utf8)), of: path)
    try removeStale(path)
    return lock
  }

  private static func lock(_ file: FilePath, of path: FilePath) throws(ListenError) -> Descriptor {
    let raw = file.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    guard raw >= 0 else { throw .failed("the socket's lock \(file) cannot be opened", SystemError("open")) }
    let descriptor = Descriptor(owning: raw)
    guard flock(raw, LOCK_EX | LOCK_NB) == 0 else {
      if errno == EWOULDBLOCK { throw .occupied(path) }
      throw .failed("the socket's lock \(file) cannot be taken", SystemError("flock"))
    }
    return descriptor
  }

  /// Removes what a daemon that is no more has left. Called with the lock held.
  private static func removeStale(_ path: FilePath) throws(ListenError) {
    guard let status = status(of: path) else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .noSocket(path) }
    do throws(SystemError) {
      _ = try UnixSocket.connect(to: path, waits: false)
      throw SystemError("connect", code: EADDRINUSE)
    } catch {
      // Refused: nobody listens. Anything else, a full queue too, is somebody.
      guard error.code == ECONNREFUSED else { throw .occupied(path) }
    }
    if path.withCString({ unlink($0) }) < 0 {
      throw .failed("the stale socket \(path) cannot be removed", SystemError("unlink"))
    }
  }

  private static func status(of path: FilePath) -> stat? {
    var status = stat()
    return path.withCString { lstat($0, &status) } == 0 ? status : nil
  }
}

/// Why a daemon cannot listen.
public enum ListenError: Error, CustomStringConvertible {
  case occupied(FilePath)
  case pathTooLong(FilePath)
  case noSocket(FilePath)
  case strangersFolder(FilePath)
  case failed(String, SystemError)

  public var description: String {
    switch self {
    case .occupied(let path): "a daemon listens on \(path) already; `segue status` talks to it"
    case .pathTooLong(let path):
      "the socket's path is \(path.bytes.count) bytes long and may be \(UnixSocket.longestPath) at most: \(path)"
    case .noSocket(let path): "\(path) exists and is no socket; it is left alone"
    case .strangersFolder(let path): "the socket's folder \(path) belongs to another user"
    case .failed(let what, let why): "\(what): \(why.reason)"
    }
  }
}
