internal import Glibc
public import SegueSystem

/// A listening socket that owns its path.
///
/// Ownership of the path is a lock on a file beside the socket. Two daemons that start at the same time can therefore
/// not both treat the socket as stale, and the kernel releases the lock however the process ends.
public final class Listener {
  private let descriptor: Descriptor
  private var binding: Binding?

  /// The socket file that this object created, and the lock on its path.
  private struct Binding {
    let path: FilePath
    let inode: ino_t?
    let lock: Int32
  }

  /// Creates a listener from a socket that the service manager created and owns.
  public init(inheriting descriptor: consuming Descriptor) {
    self.descriptor = descriptor
    binding = nil
  }

  /// Creates the socket at `path` (mode 0600) and, if needed, its folder (mode 0700).
  public init(at path: FilePath) throws(ListenError) {
    guard path.bytes.count <= UnixSocket.maximumPathLength else { throw .pathTooLong(path) }
    try Self.createFolder(path.parent)
    let lock = try Self.acquire(path)
    do throws(SystemError) {
      descriptor = try UnixSocket.listen(at: path)
    } catch {
      throw .failed("cannot create the socket \(path)", error)
    }
    binding = Binding(path: path, inode: Self.status(of: path)?.st_ino, lock: lock.release())
  }

  deinit { releasePath() }

  /// Removes the socket file and releases the lock.
  func releasePath() {
    guard let binding else { return }
    self.binding = nil
    // Another process may have put a different file at this path; that file stays.
    if Self.status(of: binding.path)?.st_ino == binding.inode { _ = binding.path.withCString { unlink($0) } }
    close(binding.lock)
  }

  var raw: Int32 { descriptor.raw }

  /// The path of the socket; nil if the service manager owns it.
  var path: FilePath? { binding?.path }

  /// Whether the path still leads to this socket.
  var isInPlace: Bool { binding.map { Self.status(of: $0.path)?.st_ino == $0.inode } ?? true }

  private static func createFolder(_ folder: FilePath) throws(ListenError) {
    if folder.withCString({ mkdir($0, 0o700) }) < 0, errno != EEXIST {
      let failure = SystemError("mkdir", folder.description)
      // The system creates the folders above a runtime folder; above any other folder they may be missing.
      guard failure.code == ENOENT, folder.parent != folder else {
        throw .failed("cannot create the folder \(folder) of the socket", failure)
      }
      try createFolder(folder.parent)
      if folder.withCString({ mkdir($0, 0o700) }) < 0 {
        throw .failed("cannot create the folder \(folder) of the socket", SystemError("mkdir"))
      }
    }
    // A user who may write to the folder could replace the socket.
    if let distrust = FileDistrust(folder: folder) { throw .untrusted(distrust) }
  }

  /// Locks the path and removes a stale socket from it. If a daemon is killed while it starts a worker, the child holds
  /// a copy of the lock until it executes the worker; this function waits for that.
  private static func acquire(_ path: FilePath) throws(ListenError) -> Descriptor {
    let deadline = MonotonicTime.now + MediaTime.seconds(5)
    while true {
      do throws(ListenError) {
        return try acquireWithoutWaiting(path)
      } catch {
        guard case .occupied = error, MonotonicTime.now < deadline, !isServed(path) else { throw error }
        usleep(10_000)
      }
    }
  }

  /// Whether the daemon that listens at `path` is alive. The result is true if that cannot be determined.
  private static func isServed(_ path: FilePath) -> Bool {
    do throws(SystemError) {
      let connection = try UnixSocket.connect(to: path, blocking: false)
      return kill(try UnixSocket.peerProcess(of: connection.raw), 0) == 0 || errno != ESRCH
    } catch {
      return error.code != ECONNREFUSED && error.code != ENOENT
    }
  }

  private static func acquireWithoutWaiting(_ path: FilePath) throws(ListenError) -> Descriptor {
    let lock = try lock(FilePath(bytes: path.bytes + Array(".lock".utf8)), of: path)
    try removeStale(path)
    return lock
  }

  private static func lock(_ file: FilePath, of path: FilePath) throws(ListenError) -> Descriptor {
    let raw = file.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    guard raw >= 0 else { throw .failed("cannot open the lock file \(file) of the socket", SystemError("open")) }
    let descriptor = Descriptor(owning: raw)
    guard flock(raw, LOCK_EX | LOCK_NB) == 0 else {
      if errno == EWOULDBLOCK { throw .occupied(path) }
      throw .failed("cannot lock the file \(file) of the socket", SystemError("flock"))
    }
    return descriptor
  }

  /// Removes the socket of a daemon that has ended. The caller holds the lock.
  private static func removeStale(_ path: FilePath) throws(ListenError) {
    guard let status = status(of: path) else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
    do throws(SystemError) {
      _ = try UnixSocket.connect(to: path, blocking: false)
      throw SystemError("connect", code: EADDRINUSE)
    } catch {
      // A refused connection means that no process listens. Any other error, also a full backlog, means that one does.
      guard error.code == ECONNREFUSED else { throw .occupied(path) }
    }
    if path.withCString({ unlink($0) }) < 0 {
      throw .failed("cannot remove the stale socket \(path)", SystemError("unlink"))
    }
  }

  private static func status(of path: FilePath) -> stat? {
    var status = stat()
    return path.withCString { lstat($0, &status) } == 0 ? status : nil
  }
}

/// An error that prevents the daemon from listening.
public enum ListenError: Error, CustomStringConvertible {
  case occupied(FilePath)
  case pathTooLong(FilePath)
  case notASocket(FilePath)
  case untrusted(FileDistrust)
  case failed(String, SystemError)

  public var description: String {
    switch self {
    case .occupied(let path): "a daemon is already listening on \(path); `segue status` connects to it"
    case .pathTooLong(let path):
      "the socket path is too long (\(path.bytes.count) bytes; the maximum is \(UnixSocket.maximumPathLength)): \(path)"
    case .notASocket(let path): "\(path) exists and is not a socket"
    case .untrusted(.foreign(let path)): "the folder \(path) of the socket belongs to another user"
    case .untrusted(.writable(let path)):
      "other users may write to the folder \(path) of the socket; `chmod go-w \(path)` forbids that"
    case .failed(let message, let cause): "\(message): \(cause.reason)"
    }
  }
}
