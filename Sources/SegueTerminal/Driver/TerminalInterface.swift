internal import Glibc
internal import SegueFrontend
internal import SegueSystem

/// The program `segue-ui`.
public enum TerminalInterface {
  /// Runs the interface with the arguments that follow the program name. Returns the exit status: 0 after the user has quit, 1 if
  /// the terminal cannot be used or is lost, 2 for a usage error, and 128 plus the number of a signal that ended it.
  public static func run(_ arguments: [[UInt8]]) -> Int32 {
    do throws(ClientError) {
      let options = try InterfaceOptions(parsing: arguments)
      switch options.action {
      case .showHelp: print(InterfaceOptions.help)
      case .showVersion: print("segue-ui \(Version.program)")
      case .checkConfiguration: return checkConfiguration()
      case .run: return try runLoop(options)
      }
    } catch {
      printError(error)
      return error.exit.rawValue
    }
    return ExitCode.done.rawValue
  }

  /// Prints the errors of the configuration. Returns the exit status: 1 if there are any.
  private static func checkConfiguration() -> Int32 {
    let (_, warnings) = InterfaceConfiguration.read(InterfaceConfiguration.defaultPath)
    for warning in warnings { print(warning.description.visible) }
    if warnings.isEmpty { print(ConfigurationMessages.noErrors) }
    return (warnings.isEmpty ? ExitCode.done : .failed).rawValue
  }

  private static func runLoop(_ options: InterfaceOptions) throws(ClientError) -> Int32 {
    guard Terminal.isTerminal(0), let size = Terminal.size(of: 1) else {
      throw ClientError(
        .failed, tr("the terminal interface needs a terminal for input and output"),
        hints: [tr("segue status   prints the state in a pipe or a script")])
    }
    let isUnicode = Display.setLocale()
    let appearance = Appearance(
      isUnicode: isUnicode, isColored: TerminalEnvironment.allowsColors, decoration: options.isPlain ? .none : .full)
    // The signals are blocked before curses starts, so that it installs no handlers of its own.
    let signals: SignalDescriptor
    do throws(SystemError) {
      signals = try SignalDescriptor([SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT])
      try Terminal.guardSettings(of: 0, writing: TerminalModes.leaveAfterCrash)
    } catch {
      throw ClientError(.failed, "\(error)")
    }
    // A process in the background that sets modes is not to be stopped: it waits for its turn in the loop.
    signal(SIGTTOU, SIG_IGN)
    guard let display = Display(size: ScreenSize(rows: size.rows, columns: size.columns)) else {
      throw ClientError(
        .failed,
        tr(
          "the terminal “%1$s” is unknown, or cannot move the cursor",
          Directories.environment("TERM")?.description ?? ""),
        hints: [
          tr("TERM=xterm segue ui   if the terminal resembles xterm"), tr("segue status   works on every terminal"),
        ])
    }
    let loop = InterfaceLoop(
      display: display, signals: signals, link: DaemonLink(path: options.socket ?? Directories.socket),
      appearance: appearance, drawsPictures: options.drawsPictures,
      configurationPath: InterfaceConfiguration.defaultPath)
    return loop.run()
  }

  private static func printError(_ error: ClientError) {
    var text =
      (["segue-ui: \(error.message.visible)"] + error.hints.map { "  \($0.visible)" }).joined(separator: "\n") + "\n"
    _ = text.withUTF8 { Glibc.write(2, $0.baseAddress, $0.count) }
  }
}
