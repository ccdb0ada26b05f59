internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// A word of the command line. It is kept as bytes because file names need not be UTF-8.
struct Argument {
  let bytes: [UInt8]

  /// The word as text. Paths are read from `path` instead.
  var text: String { String(decoding: bytes, as: UTF8.self) }
  var path: FilePath { FilePath(bytes: bytes) }

  /// Whether the word is a negative amount such as `-5` or `-1:30`, and therefore not an option.
  var isNegativeAmount: Bool {
    bytes.count > 1 && bytes[0] == UInt8(ascii: "-")
      && (UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[1] || bytes[1] == UInt8(ascii: "."))
  }

  /// Whether the word is an option, or the `--` that ends them.
  var isOption: Bool { bytes.first == UInt8(ascii: "-") && bytes.count > 1 && !isNegativeAmount }

  /// The name of an option, and its value if that is attached, as in `--color=never`.
  var nameAndValue: (name: String, value: Argument?) {
    let equals = bytes.firstIndex(of: UInt8(ascii: "="))
    return (
      String(decoding: bytes[..<(equals ?? bytes.endIndex)], as: UTF8.self),
      equals.map { Argument(bytes: Array(bytes[($0 + 1)...])) }
    )
  }
}

/// The parsed command line. Options may precede or follow the verb; `--` ends them.
struct Options {
  /// The action of the program.
  enum Action {
    /// Executes the verb.
    case execute
    /// Prints the help: that of the verb if there is one, else the overview.
    case showHelp
    /// Prints the version, regardless of the verb and `--help`.
    case showVersion
  }

  /// The form of the results.
  enum Format {
    /// Text, with covers on terminals that display pictures.
    case illustratedText
    case text
    /// The responses of the daemon, without formatting.
    case json
  }

  enum Color: String, CaseIterable {
    case auto, always, never
  }

  private(set) var action = Action.execute
  private(set) var format = Format.illustratedText
  private(set) var quiet = false
  private(set) var usesPager = true
  private(set) var color = Color.auto
  private(set) var socket: FilePath?
  /// The verb and its arguments.
  private(set) var words: [Argument] = []
  /// The options of the verb, in the order of the command line.
  private(set) var verbOptions: [VerbOption] = []

  /// All global options and their help, in the order of `--help`.
  static var all: [(names: [String], value: String?, summary: String)] {
    [
      (["-h", "--help"], nil, tr("show this help, or the help for the verb")),
      (["-q", "--quiet"], nil, tr("print errors only")),
      (["--json"], nil, tr("print the daemon's response as one line of JSON")),
      (["--socket"], "PATH", tr("connect to this socket (default: $SEGUE_SOCKET)")),
      (["--color"], "WHEN", tr("use colours: auto, always or never")),
      (["--no-pictures"], nil, tr("do not draw covers")),
      (["--no-pager"], nil, tr("print long lists without a pager")),
      (["-V", "--version"], nil, tr("show the version of this program")),
    ]
  }

  init(parsing arguments: [Argument]) throws(ClientError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.isOption else {
        words.append(argument)
        continue
      }
      if argument.text == "--" {
        words += rest
        return
      }
      try parse(argument, &rest)
    }
  }

  /// Parses one option. Its value is attached, as in `--color=never`, or is removed from the start of `rest`.
  private mutating func parse(_ argument: Argument, _ rest: inout ArraySlice<Argument>) throws(ClientError) {
    var (name, attached) = argument.nameAndValue
    func value() throws(ClientError) -> Argument {
      guard let value = attached ?? rest.popFirst() else { throw .usage(tr("missing value for %1$s", name)) }
      attached = nil
      return value
    }
    switch name {
    case "--socket":
      let path = try value().path
      if path.bytes.isEmpty { throw .usage(tr("missing path for --socket")) }
      socket = path
    case "--color", "--colour": color = try Self.color(value().text)
    case "--no-pictures": if format == .illustratedText { format = .text }
    case "--no-pager": usesPager = false
    case "--json": format = .json
    case "-q", "--quiet": quiet = true
    case "-h", "--help": if action == .execute { action = .showHelp }
    case "-V", "--version": action = .showVersion
    default:
      if let option = VerbOption.Name(rawValue: name) {
        verbOptions.append(try VerbOption(option, value: value))
      } else if isExclusion(argument) {
        words.append(argument)
        return
      } else {
        throw unknownOption(name, before: rest)
      }
    }
    if attached != nil { throw .usage(tr("option %1$s does not take a value", name)) }
  }

  private static func color(_ text: String) throws(ClientError) -> Color {
    if let color = Color(rawValue: text) { return color }
    throw .usage(tr("invalid value “%1$s” for %2$s: use auto, always or never", text, "--color"))
  }

  /// Returns the error for an unknown option, whose hints are about the global options and those of the verb. The verb
  /// may follow the option, in `rest`.
  private func unknownOption(_ name: String, before rest: ArraySlice<Argument>) -> ClientError {
    let word = words.first ?? rest.first { $0.bytes.first != UInt8(ascii: "-") }
    let verb = word.flatMap { try? Verb.named($0.text) }
    let known = Self.all.flatMap(\.names) + (verb?.options.map(\.rawValue) ?? [])
    if let meant = EditDistance.nearest(to: name, in: known) {
      return .usage(tr("unknown option %1$s", name), hints: [tr("did you mean %1$s?", meant)])
    }
    return .usage(
      tr("unknown option %1$s", name),
      hints: [
        verb.map { tr("usage: %1$s", $0.usage) } ?? tr("segue --help   lists all options"),
        tr("--   before a name that starts with a dash"),
      ])
  }

  /// Returns whether the option of the verb was given.
  func isGiven(_ option: VerbOption.Name) -> Bool { verbOptions.contains { $0.name == option } }

  /// Throws a usage error if an option was given that requires `--online`, which was not.
  func requireOnline() throws(ClientError) {
    guard !isGiven(.online), let option = verbOptions.first(where: { CatalogOptions.onlineOnly.contains($0.name) })
    else { return }
    throw .usage(tr("%1$s requires --online", option.name.rawValue))
  }

  /// Returns whether `argument`, which starts with a dash but is not a known option, excludes a word from a query, as
  /// in `-live`.
  private func isExclusion(_ argument: Argument) -> Bool {
    guard argument.bytes[1] != UInt8(ascii: "-"), let name = words.first?.text else { return false }
    return (try? Verb.named(name))?.takesQuery ?? false
  }
}
