internal import Glibc
public import SegueSystem
internal import Synchronization

/// Stub libraries in the folder of a worker's program. The worker loads them in place of libraries that FFmpeg requires
/// and that Segue never needs, because loading all of them takes several times as long as everything else at the start.
/// `contrib/lib/make-stubs` makes them for the FFmpeg for which Segue is built. A newer one may require functions that
/// they lack: then the worker does not start, and the next one loads the libraries themselves.
public enum StubLibraries {
  private static let folder = "stubs"
  private static let library = "libsegue-stub.so"
  private static let libraryPath = "LD_LIBRARY_PATH"

  /// The programs that have not started with their stubs.
  private static let rejecting = Mutex<Set<FilePath>>([])

  /// Returns the variables of the environment with which `program` loads its stubs, as in environ(7); none if it has
  /// none that it accepts.
  public static func variables(for program: FilePath) -> [String] {
    let stubs = program.parent.appending(folder)
    // ld.so(8) takes these characters of the variable for separators and for tokens.
    guard !stubs.bytes.contains(where: ":;$".utf8.contains),
      stubs.appending(library).withCString({ access($0, R_OK) }) == 0,
      !rejecting.withLock({ $0.contains(program) })
    else { return [] }
    // An empty part of the variable would mean the current folder.
    let others = getenv(libraryPath).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : ":" + $0 } ?? ""
    // A missing function is found at the start, and not when it is called.
    return ["\(libraryPath)=\(stubs)\(others)", "LD_BIND_NOW=1"]
  }

  /// Handles that `program` has ended by itself before it was ready: the dynamic linker ends it with different statuses
  /// for a missing function and for another version, and a constructor of a library may not survive its stubs.
  public static func handleFailedStart(of program: FilePath, _ status: ExitStatus) {
    guard status != .killed(signal: SIGKILL), !variables(for: program).isEmpty else { return }
    rejecting.withLock { _ = $0.insert(program) }
    Log.notice(
      "\(program) does not start with its stub libraries: from now on it loads all libraries, which takes longer")
  }
}
