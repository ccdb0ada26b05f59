internal import Glibc
internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem

/// The program `segue-ui`.
public enum TerminalInterface {
  /// Runs the interface with the arguments that follow the program name. Returns the exit status: 0 after the user has
  /// quit, 1 if the terminal cannot be used or is lost, 2 for a usage error, and 128 plus the number of a signal that
  /// ended it.
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
    guard Terminal.isTerminal(0), Terminal.isTerminal(1) else {
      throw ClientError(
        .failed, tr("the terminal interface needs a terminal for input and output"),
        hints: [tr("segue status   prints the state in a pipe or a script")])
    }
    // The settings of the terminal are those of the shell while the program is in the background.
    while !Terminal.isInForeground(0) {
      guard SignalDescriptor.stopProcessGroup(by: SIGTTOU) else {
        throw ClientError(.failed, tr("the terminal interface cannot run in the background"))
      }
    }
    let signals: SignalDescriptor
    let appearance: Appearance
    let display: Display?
    do throws(SystemError) {
      if let status = try Terminal.guardSettings(of: 0, writing: TerminalModes.leaveAfterCrash) { return status }
      // A change of the terminal must not stop the program if the shell takes the terminal at this moment.
      signal(SIGTTOU, SIG_IGN)
      // The signals are blocked before curses starts, so that it installs no handlers of its own.
      signals = try SignalDescriptor([SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT])
      Display.setLocale()
      appearance = Appearance(
        isUnicode: TerminalEnvironment.usesUTF8, isColored: TerminalEnvironment.allowsColors,
        decoration: options.isPlain ? .none : .full, isRemote: isRemote)
      display = try Display(size: ScreenSize.ofTerminal ?? ScreenSize(rows: 0, columns: 0))
    } catch {
      throw ClientError(.failed, error.translated)
    }
    guard let display else {
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
      display: display, signals: signals, link: ReconnectingConnection(path: options.socket ?? Directories.socket),
      appearance: appearance, drawsPictures: options.drawsPictures && !appearance.isPlain,
      configurationPath: InterfaceConfiguration.defaultPath)
    return loop.run()
  }

  /// Whether the terminal is at the other end of SSH.
  private static var isRemote: Bool {
    Directories.environment("SSH_CONNECTION") != nil || Directories.environment("SSH_TTY") != nil
  }

  private static func printError(_ error: ClientError) {
    var text =
      (["segue-ui: \(error.message.visible)"] + error.hints.map { "  \($0.visible)" }).joined(separator: "\n") + "\n"
    _ = text.withUTF8 { Glibc.write(2, $0.baseAddress, $0.count) }
  }
}

extension ScreenSize {
  /// The size of the terminal of standard output, within the limits of a screen; nil if it is unknown.
  static var ofTerminal: ScreenSize? {
    Terminal.size(of: 1).map { ScreenSize(rows: $0.rows, columns: $0.columns).limited }
  }
}
