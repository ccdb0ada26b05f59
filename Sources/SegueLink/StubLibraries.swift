internal import Glibc
public import SegueSystem
internal import Synchronization

/// Stub libraries in the folder of a worker's program. The worker loads them in place of libraries that FFmpeg requires and
/// that Segue never needs, because loading all of them takes several times as long as everything else at the start.
/// `contrib/lib/make-stubs` makes them for the FFmpeg for which Segue is built. A newer one may require functions that they
/// lack: then the worker does not start, and the next one loads the libraries themselves.
public enum StubLibraries {
  private static let folder = "stubs"
  private static let library = "libsegue-stub.so"
  private static let libraryPath = "LD_LIBRARY_PATH"
  /// The exit status with which the dynamic linker ends a program that it cannot link (ld.so(8)).
  private static let linkFailure = ExitStatus.exited(127)

  /// The programs that have not started with their stubs.
  private static let rejecting = Mutex<Set<FilePath>>([])

  /// Returns the variables of the environment with which `program` loads its stubs, as in environ(7); none if it has none
  /// that it accepts.
  public static func variables(for program: FilePath) -> [String] {
    let stubs = program.parent.appending(folder)
    guard stubs.appending(library).withCString({ access($0, R_OK) }) == 0,
      !rejecting.withLock({ $0.contains(program) })
    else { return [] }
    let others = getenv(libraryPath).map { ":" + String(cString: $0) } ?? ""
    // A missing function is found at the start, and not when it is called.
    return ["\(libraryPath)=\(stubs)\(others)", "LD_BIND_NOW=1"]
  }

  /// Handles that `program` has ended before it was ready.
  public static func handleFailedStart(of program: FilePath, _ status: ExitStatus) {
    guard status == linkFailure, !variables(for: program).isEmpty else { return }
    rejecting.withLock { _ = $0.insert(program) }
    Log.notice(
      "\(program) does not start with its stub libraries: from now on it loads all libraries, which takes longer")
  }
}
