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
}

/// The parsed command line. Options may precede or follow the verb; `--` ends them.
struct Options {
  enum Color: String, CaseIterable {
    case auto, always, never
  }

  var socket: FilePath?
  var json = false
  var quiet = false
  var help = false
  var version = false
  var color = Color.auto
  var noPictures = false
  /// The size of the cover that `art` requests.
  var size: Art.Size?
  /// The output format of `status` for status bars.
  var output: BarOutput?
  var template: Template?
  /// The verb and its arguments.
  var words: [Argument] = []
  /// The options of the verb that were given.
  var flags: [String] = []

  /// All global options and their help, in the order of `--help`.
  static let all: [(syntax: String, summary: String)] = [
    ("-h, --help", "show this help, or the help for the verb"),
    ("-q, --quiet", "print errors only"),
    ("--json", "print the daemon's response as one line of JSON"),
    ("--socket PATH", "connect to this socket (default: $SEGUE_SOCKET)"),
    ("--color WHEN", "use colours: auto, always or never"),
    ("--no-pictures", "do not draw covers"),
    ("--version", "show the version of this program"),
  ]

  init(parsing arguments: [Argument]) throws(ClientError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.bytes.first == UInt8(ascii: "-"), argument.bytes.count > 1, !argument.isNegativeAmount else {
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

  /// Parses one option. Takes its value from `rest` if the value is not attached to it.
  private mutating func parse(_ argument: Argument, _ rest: inout ArraySlice<Argument>) throws(ClientError) {
    let equals = argument.bytes.firstIndex(of: UInt8(ascii: "="))
    let name = String(decoding: argument.bytes[..<(equals ?? argument.bytes.endIndex)], as: UTF8.self)
    let attached = equals.map { Argument(bytes: Array(argument.bytes[($0 + 1)...])) }
    switch name {
    case "--socket":
      let value = try Self.value(of: name, attached, &rest)
      if value.bytes.isEmpty { throw .usage("missing path for --socket") }
      socket = value.path
      return
    case "--color", "--colour":
      let value = try Self.value(of: name, attached, &rest).text
      guard let when = Color(rawValue: value) else {
        throw .usage("invalid value “\(value)” for --color: use auto, always or never")
      }
      color = when
      return
    case "--size":
      let value = try Self.value(of: name, attached, &rest).text
      guard let size = Art.Size(rawValue: value) else {
        throw .usage(
          "invalid value “\(value)” for --size: use one of \(Art.Size.allCases.map(\.rawValue).joined(separator: ", "))"
        )
      }
      self.size = size
      flags.append(name)
      return
    case "--output":
      let value = try Self.value(of: name, attached, &rest).text
      guard let output = BarOutput(rawValue: value) else {
        let known = BarOutput.allCases.map(\.rawValue)
        throw .usage(
          "invalid value “\(value)” for --output: use one of \(known.joined(separator: ", "))",
          hints: Suggestion.nearest(to: value, among: known).map { ["did you mean \($0)?"] } ?? [])
      }
      self.output = output
      flags.append(name)
      return
    case "--format":
      template = try Template(parsing: try Self.value(of: name, attached, &rest).text)
      flags.append(name)
      return
    case "--no-pictures": noPictures = true
    case "-h", "--help": help = true
    case "-q", "--quiet": quiet = true
    case "--json": json = true
    case "--version": version = true
    case let flag where Verb.all.contains { $0.flags.contains(flag) }: flags.append(flag)
    case _ where isExclusion(argument):
      words.append(argument)
      return
    default:
      let known =
        Self.all.flatMap { $0.syntax.split(separator: " ").map { $0.filter { $0 != "," } } } + Verb.all.flatMap(\.flags)
      throw .usage(
        "unknown option \(name)",
        hints: Suggestion.nearest(to: name, among: known.filter { $0.hasPrefix("-") }).map { ["did you mean \($0)?"] }
          ?? ["segue --help   lists all options", "--   before a name that starts with a dash"])
    }
    if attached != nil { throw .usage("option \(name) does not take a value") }
  }

  /// Returns whether `argument`, which is not an option, excludes a word from a query, as in `-live`.
  private func isExclusion(_ argument: Argument) -> Bool {
    guard argument.bytes[1] != UInt8(ascii: "-"), let name = words.first?.text else { return false }
    return (try? Verb.named(name))?.takesQuery ?? false
  }

  private static func value(
    of name: String, _ attached: Argument?, _ rest: inout ArraySlice<Argument>
  ) throws(ClientError) -> Argument {
    guard let value = attached ?? rest.popFirst() else { throw .usage("missing value for \(name)") }
    return value
  }
}
