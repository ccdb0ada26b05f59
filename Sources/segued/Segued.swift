// Thread: main, which is the loop. Signals are blocked here before anything can start a thread.

internal import Glibc
internal import SegueLibrary
internal import SegueSystem

/// The program: arguments, and how it ends.
@main
@MainActor
struct Segued {
  static func main() {
    CurrentProcess.useSingleArena()
    signal(SIGPIPE, SIG_IGN)
    // A limit on the size of files is an error like a full disk, not the end.
    signal(SIGXFSZ, SIG_IGN)
    // Every client, worker, music folder and file that is opened takes some.
    CurrentProcess.raiseDescriptorLimit()
    Log.start(program: "segued", upTo: .info)
    Log.enableBacklog()
    exit(run())
  }

  /// The exit code: 0 after an orderly stop, 1 when it cannot run or the configuration it was to check is wrong, 2 when
  /// the arguments are.
  private static func run() -> Int32 {
    do throws(Arguments.Outcome) {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      if arguments.isVerbose { Log.start(program: "segued", upTo: .debug) }
      return serve(arguments)
    } catch {
      switch error {
      case .help: print(Arguments.help, terminator: "")
      case .version: print("segued \(Version.program)")
      case .check(let path): return check(path)
      case .wrong(let reason):
        Log.error("\(reason); `segued --help` says more")
        return 2
      }
      return 0
    }
  }

  /// Prints what is wrong in a configuration, a line each.
  private static func check(_ named: FilePath?) -> Int32 {
    let path = named ?? Configuration.standardPath
    guard path.withCString({ access($0, F_OK) }) == 0 else {
      print("\(path): there is none\(named == nil ? ", so everything is as it comes" : "")")
      return named == nil ? 0 : 1
    }
    let (_, warnings) = Configuration.read(path)
    for warning in warnings { print(warning) }
    if warnings.isEmpty { print("\(path): all is well") }
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
