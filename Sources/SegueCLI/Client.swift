internal import SegueClientKit
internal import SegueSystem

/// The program `segue`, which executes one command line.
public enum Client {
  /// Executes the arguments that follow the program name and prints to descriptors 1 and 2. Returns the exit status: 0
  /// for success, 1 for an error, 2 for a usage error, 3 if the daemon is not running.
  public static func run(_ arguments: [[UInt8]]) -> Int32 {
    var console = Console(style: Style(.auto), quiet: false)
    let arguments = arguments.map(Argument.init)
    if arguments.first?.text == CommandCompletion.verb {
      for line in CommandCompletion(Array(arguments.dropFirst())).lines { console.printLine(line) }
      return finish(console, .done)
    }
    do throws(ClientError) {
      let options = try Options(parsing: arguments)
      console = Console(style: options.color == .auto ? console.style : Style(options.color), quiet: options.quiet)
      // Output for programs does not depend on the language of the user. The help is for people, also in a pipe.
      if options.action == .execute, options.words.first?.text != "help", !console.style.isTerminal {
        Language.select(nil)
      }
      try run(options, console)
    } catch {
      // The output before the error is valid and is written first.
      let code = finish(console, .done)
      if code != ExitCode.done.rawValue { return code }
      if !error.message.isEmpty {
        console.printError(error.message, kind: error.kind, hints: error.hints)
      }
      return error.exit.rawValue
    }
    return finish(console, .done)
  }

  private static func run(_ options: Options, _ console: Console) throws(ClientError) {
    switch options.action {
    case .showVersion: console.printLine("segue \(Version.program)")
    case .showHelp:
      if options.usesPager { console.pageIfLong() }
      let text = if let word = options.words.first { Help.text(for: try Verb.named(word.text)) } else { Help.overview }
      console.printLine(console.style.withASCIIFallback(text))
    case .execute: try execute(options, console)
    }
  }

  /// Executes the verb, or `status` if there is none.
  private static func execute(_ options: Options, _ console: Console) throws(ClientError) {
    guard let word = options.words.first else {
      if let option = options.verbOptions.first {
        throw .usage(tr("%1$s requires a verb", option.name.rawValue), hints: [tr("segue --help   lists all verbs")])
      }
      return try PlaybackVerbs.status(VerbContext(options: options, console: console), [])
    }
    let verb = try Verb.named(word.text)
    let arguments = Array(options.words.dropFirst())
    try verb.check(arguments, options: options.verbOptions)
    // Pictures of online catalogues and lines that are printed when something happens are no pages.
    if verb.isLong, options.usesPager, options.format != .json, !options.isGiven(.online), !options.isGiven(.follow) {
      console.pageIfLong()
    }
    do throws(ClientError) {
      try verb.run(VerbContext(options: options, console: console), arguments)
    } catch {
      throw error.addingHints(for: verb)
    }
  }

  /// Writes the remaining output. Returns `code`, or the code for a write error.
  private static func finish(_ console: Console, _ code: ExitCode) -> Int32 {
    do throws(Console.WriteFailure) {
      try console.finish()
    } catch {
      switch error {
      case .outputClosed: break
      case .system(let error):
        console.printError(error.translated)
        return ExitCode.failed.rawValue
      }
    }
    return code.rawValue
  }
}
