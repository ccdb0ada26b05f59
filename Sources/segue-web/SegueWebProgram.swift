// Thread: the loop, which is the main thread.

internal import Glibc
internal import SegueHTTP
internal import SegueSystem
internal import SegueWeb
internal import SegueWebCommands

/// The program: it serves browsers, connects to the daemon for the process that does, or executes a command.
@main
@MainActor
struct SegueWebProgram {
  static func main() {
    umask(0o077)
    signal(SIGPIPE, SIG_IGN)
    let words = CommandLine.arguments.dropFirst()
    switch words.first {
    case DaemonConnector.argument?:
      Log.startAsChild(upTo: .info)
      CurrentProcess.endWithParent()
      DaemonConnector.serve()
    case "serve"?: exit(serve(words.dropFirst()))
    case "--version"?: print("segue-web \(Version.program)")
    default: exit(WebCommands.run(Array(words)))
    }
  }

  private static func serve(_ words: ArraySlice<String>) -> Int32 {
    signal(SIGXFSZ, SIG_IGN)
    CurrentProcess.raiseDescriptorLimit()
    Log.start(program: "segue-web", upTo: .info)
    do {
      return try GatewayProcess.run(try ServeOptions(words))
    } catch {
      Log.error("\(error)")
      return 1
    }
  }
}

/// The options of `segue-web serve`.
struct ServeOptions {
  /// The port at which browsers of this machine are served, besides the sockets of the service manager.
  var port: UInt16?

  struct UsageError: Error, CustomStringConvertible {
    let description: String
  }

  init(_ words: ArraySlice<String>) throws(UsageError) {
    var rest = words
    while let word = rest.popFirst() {
      guard word == "--listen", let number = rest.popFirst().flatMap({ UInt16($0) }), number > 0 else {
        throw UsageError(description: "usage: segue-web serve [--listen PORT]")
      }
      port = number
    }
  }
}
