// Thread: the loop, which is the main thread. Signals are blocked here before anything can start a thread.

internal import Glibc
internal import SegueState
internal import SegueSystem

/// The program: arguments and exit codes.
@main
@MainActor
struct Segued {
  static func main() {
    CurrentProcess.useSingleArena()
    // Tags, paths and the listening history are private.
    umask(0o077)
    signal(SIGPIPE, SIG_IGN)
    // Exceeding the limit of a file's size is an error like a full disk, and must not end the daemon.
    signal(SIGXFSZ, SIG_IGN)
    // Clients, workers, music folders and open files need descriptors.
    CurrentProcess.raiseDescriptorLimit()
    Log.start(program: "segued", upTo: .info)
    // A full pipe or journal must not block the loop: lines wait in memory.
    Log.enableBacklog()
    exit(run())
  }

  /// Returns the exit code: 0 after an orderly stop, 1 if the daemon cannot run or the checked configuration is
  /// invalid, 2 if the arguments are invalid.
  private static func run() -> Int32 {
    do throws(Arguments.Outcome) {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      if arguments.isVerbose { Log.start(program: "segued", upTo: .debug) }
      return serve(arguments)
    } catch {
      switch error {
      case .help: print(Arguments.help)
      case .version: print("segued \(Version.program)")
      case .check(let path): return check(path)
      case .invalid(let reason):
        Log.error("\(reason); see `segued --help`")
        return 2
      }
      return 0
    }
  }

  /// Prints the errors of a configuration, one a line.
  private static func check(_ named: FilePath?) -> Int32 {
    let path = named ?? Configuration.defaultPath
    guard path.withCString({ access($0, F_OK) }) == 0 else {
      print(named == nil ? "\(path): no configuration file; using defaults" : "\(path): file not found")
      return named == nil ? 0 : 1
    }
    let (_, warnings) = Configuration.read(path)
    for warning in warnings { print(warning) }
    if warnings.isEmpty { print("\(path): no errors") }
    return warnings.isEmpty ? 0 : 1
  }

  private static func serve(_ arguments: Arguments) -> Int32 {
    do {
      return try Daemon(arguments).run()
    } catch {
      Log.error("\(error)")
      return 1
    }
  }
}
