// Thread: main, which is the loop. Signals are blocked here before anything can start a thread.

internal import Glibc
internal import SeguePulse
internal import SegueSystem

/// The program: arguments, and how it ends.
@main
@MainActor
struct Segued {
  static func main() {
    Memory.keepLean()
    PulseSink.keepMemoryPrivate()
    signal(SIGPIPE, SIG_IGN)
    // A limit on the size of files is an error like a full disk, not the end.
    signal(SIGXFSZ, SIG_IGN)
    Log.start(program: "segued", upTo: .info)
    exit(run())
  }

  /// The exit code: 0 after an orderly stop, 1 when it cannot run, 2 when the arguments are wrong.
  private static func run() -> Int32 {
    do throws(Arguments.Outcome) {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      if arguments.isVerbose { Log.start(program: "segued", upTo: .debug) }
      return serve(arguments)
    } catch {
      switch error {
      case .help: print(Arguments.help, terminator: "")
      case .version: print("segued \(Version.program)")
      case .wrong(let reason):
        Log.error("\(reason); `segued --help` says more")
        return 2
      }
      return 0
    }
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
