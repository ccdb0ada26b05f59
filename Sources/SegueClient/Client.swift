internal import SegueSystem

/// The program `segue`: one command line, carried out.
public enum Client {
  /// Runs what the arguments after the program's name say, prints to descriptors 1 and 2, and gives the exit status:
  /// 0 done, 1 refused by the daemon, 2 usage, 3 no daemon.
  public static func run(_ arguments: [[UInt8]]) -> Int32 {
    var console = Console(style: Style(.auto), quiet: false)
    do throws(ClientError) {
      let options = try Options(parsing: arguments.map(Argument.init))
      console = Console(style: options.color == .auto ? console.style : Style(options.color), quiet: options.quiet)
      try run(options, console)
    } catch {
      // What was printed before the failure is true, and comes first.
      let code = finish(console, .done)
      if code != ExitCode.done.rawValue { return code }
      if !error.message.isEmpty {
        console.complain(error.text, hints: error.hints)
      }
      return error.exit.rawValue
    }
    return finish(console, .done)
  }

  private static func run(_ options: Options, _ console: Console) throws(ClientError) {
    if options.version { return console.line("segue \(Version.program)") }
    guard let word = options.words.first else {
      if options.help { return console.line(console.style.words(Help.overview)) }
      if let flag = options.flags.first { throw .usage("\(flag) needs a verb", hints: ["segue --help   lists them"]) }
      return try PlaybackVerbs.status(Session(options: options, console: console), [])
    }
    let verb = try Verb.named(word.text)
    if options.help { return console.line(console.style.words(Help.of(verb))) }
    let arguments = Array(options.words.dropFirst())
    try verb.check(arguments, flags: options.flags)
    do throws(ClientError) {
      try verb.run(Session(options: options, console: console), arguments)
    } catch {
      throw error.advised(for: verb)
    }
  }

  private static func finish(_ console: Console, _ code: ExitCode) -> Int32 {
    do throws(Console.WriteFailure) {
      try console.flush()
    } catch {
      switch error {
      case .readerGone: break
      case .system(let error):
        console.complain("\(error)")
        return ExitCode.failed.rawValue
      }
    }
    return code.rawValue
  }
}
