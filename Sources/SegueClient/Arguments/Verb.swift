/// Something `segue` can be told to do. Parsing, help and suggestions all read this.
struct Verb: Sendable {
  /// The heading it stands under in `--help`.
  enum Family: String, CaseIterable, Sendable {
    case playback = "Playing"
    case queue = "The queue"
    case modes = "How it plays"
    case library = "The library"
    case other = "Looking on, and the rest"

    /// In the order that the help has them. Made when they are first asked for.
    var verbs: [Verb] {
      switch self {
      case .playback: Verb.playback
      case .queue: Verb.queue
      case .modes: Verb.modes
      case .library: Verb.library
      case .other: Verb.other
      }
    }
  }

  let name: String
  let aliases: [String]
  let family: Family
  /// Its arguments, as a manual page writes them; empty for none.
  let syntax: String
  /// How many arguments it takes.
  let arity: ClosedRange<Int>
  /// Its own options, as `--play`. Those that take a value are read by `Options`.
  let flags: [String]
  let summary: String
  /// What `segue help VERB` adds: paragraphs and examples.
  let details: String
  let run: @Sendable (Session, [Argument]) throws(ClientError) -> Void

  init(
    _ name: String, aliases: [String] = [], _ family: Family, _ syntax: String = "", _ arity: ClosedRange<Int> = 0...0,
    flags: [String] = [], _ summary: String, details: String = "",
    run: @escaping @Sendable (Session, [Argument]) throws(ClientError) -> Void
  ) {
    self.name = name
    self.aliases = aliases
    self.family = family
    self.syntax = syntax
    self.arity = arity
    self.flags = flags
    self.summary = summary
    self.details = details
    self.run = run
  }

  /// What is typed: `segue seek [+|-]TIME|N%`.
  var usage: String { syntax.isEmpty ? "segue \(name)" : "segue \(name) \(syntax)" }

  /// Whether its arguments are a query, in which a word behind a dash is one to leave out.
  var takesQuery: Bool { syntax.holds("QUERY") }

  /// For verbs that take any number of arguments.
  static let many = Int.max

  static var all: [Verb] { Family.allCases.flatMap(\.verbs) }

  /// The verb called `name`, by its name or an alias; throws what was probably meant.
  static func named(_ name: String) throws(ClientError) -> Verb {
    // Family by family: what comes after the one that has it need not be made.
    for family in Family.allCases {
      if let verb = family.verbs.first(where: { $0.name == name || $0.aliases.contains(name) }) { return verb }
    }
    let names = all.flatMap { [$0.name] + $0.aliases }
    throw .usage(
      "there is no verb “\(name)”",
      hints: Suggestion.nearest(to: name, among: names).map { ["did you mean   segue \($0)   ?"] }
        ?? ["segue --help   lists the verbs"])
  }

  func check(_ arguments: [Argument], flags given: [String]) throws(ClientError) {
    if let stranger = given.first(where: { !flags.contains($0) }) {
      throw .usage("\(name) has no option \(stranger):  \(usage)", hints: ["segue help \(name)"])
    }
    if arguments.count < arity.lowerBound {
      throw .usage("\(name) needs more than that:  \(usage)", hints: ["segue help \(name)"])
    }
    if arguments.count > arity.upperBound {
      throw .usage(
        "\(name) takes \(arity.upperBound == 0 ? "no argument" : "no more than that"):  \(usage)",
        hints: ["segue help \(name)"])
    }
  }
}
