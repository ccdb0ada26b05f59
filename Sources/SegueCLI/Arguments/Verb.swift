internal import SegueClientKit
internal import SegueSystem

/// A subcommand of `segue`. Parsing, help and suggestions use the same table of verbs.
struct Verb: Sendable {
  /// A group of verbs in `--help`.
  enum Category: CaseIterable, Sendable {
    case playback, queue, modes, library, catalog, other

    /// The heading in `--help`.
    var heading: String {
      switch self {
      case .playback: tr("Playback")
      case .queue: tr("Queue")
      case .modes: tr("Playback settings")
      case .library: tr("Library")
      case .catalog: tr("Online catalogues")
      case .other: tr("Other")
      }
    }

    /// The verbs in the order of the help. They are created on first use.
    var verbs: [Verb] {
      switch self {
      case .playback:
        [
          PlaybackVerbs.status, PlaybackVerbs.current, PlaybackVerbs.play, PlaybackVerbs.pause, PlaybackVerbs.toggle,
          PlaybackVerbs.stop, PlaybackVerbs.next, PlaybackVerbs.previous, TrackVerbs.chapters, PlaybackVerbs.seek,
        ]
      case .queue:
        [
          QueueVerbs.list, QueueVerbs.add, QueueVerbs.insert, QueueVerbs.remove, QueueVerbs.move, QueueVerbs.clear,
          HistoryVerbs.undo, HistoryVerbs.redo, QueueEditVerbs.find, QueueEditVerbs.replace, QueueEditVerbs.crop,
          QueueEditVerbs.dedupe, QueueEditVerbs.sort,
        ]
      case .modes:
        [
          ModeVerbs.volume, ModeVerbs.mute, ModeVerbs.repeatMode, ModeVerbs.shuffle, ModeVerbs.consume,
          ModeVerbs.crossfade, ModeVerbs.speed, ModeVerbs.sleep, GainVerb.verb, OutputVerb.verb, SettingVerb.verb,
        ]
      case .library:
        [
          SearchVerbs.search, SearchVerbs.suggest, ListVerbs.albums, ListVerbs.artists, ListVerbs.genres,
          BrowseVerb.verb, ListVerbs.tracks, DetailVerbs.album, DetailVerbs.artist, FavoriteVerbs.favorite,
          FavoriteVerbs.rate,
          FavoriteVerbs.history, PlaylistVerb.verb, TrackVerbs.lyrics, FolderVerb.verb, TrackVerbs.art,
          ScanVerbs.library, ScanVerbs.scan,
        ]
      case .catalog:
        [
          CatalogListVerbs.popular, CatalogListVerbs.radio, CatalogListVerbs.people, ItemVerbs.person, ItemVerbs.info,
          ProviderVerb.verb,
        ]
      case .other:
        [
          InterfaceVerb.verb, WebVerb.verb, WatchVerb.verb, OtherVerbs.rpc, OtherVerbs.stats, OtherVerbs.shutdown,
          OtherVerbs.version, OtherVerbs.help,
        ]
      }
    }
  }

  let name: String
  let aliases: [String]
  let category: Category
  /// The arguments in the notation of manual pages, or an empty text if the verb takes none.
  let syntax: String
  /// The accepted number of arguments.
  let arity: ClosedRange<Int>
  /// The options that this verb accepts.
  let options: [VerbOption.Name]
  /// The words that the option `--sort` accepts.
  let orders: [String]
  /// The values of the arguments that completions offer.
  let values: ArgumentValues
  /// The texts for the help. They are looked up when they are shown, so that other commands start without translations.
  private let makeSummary: @Sendable () -> String
  private let makeDetails: @Sendable () -> String
  /// Whether the verb may print a list or a text that is longer than the screen.
  let isLong: Bool
  let run: @Sendable (VerbContext, [Argument]) throws(ClientError) -> Void

  init(
    _ name: String, aliases: [String] = [], _ category: Category, _ syntax: String = "",
    _ arity: ClosedRange<Int> = 0...0,
    options: [VerbOption.Name] = [], orders: [String] = [], values: ArgumentValues = .none,
    _ summary: @autoclosure @escaping @Sendable () -> String,
    details: @autoclosure @escaping @Sendable () -> String = "", isLong: Bool = false,
    run: @escaping @Sendable (VerbContext, [Argument]) throws(ClientError) -> Void
  ) {
    self.name = name
    self.aliases = aliases
    self.category = category
    self.syntax = syntax
    self.arity = arity
    self.options = options
    self.orders = orders
    self.values = values
    makeSummary = summary
    makeDetails = details
    self.isLong = isLong
    self.run = run
  }

  var summary: String { makeSummary() }

  /// The paragraphs and examples that `segue help VERB` adds to the summary.
  var details: String { makeDetails() }

  /// The usage line, such as `segue seek [+|-]TIME|N%`.
  var usage: String { "segue \(form)" }

  /// The name and the arguments, in the language of the user.
  var form: String { syntax.isEmpty ? name : "\(name) \(Placeholders.translated(syntax))" }

  /// Whether the arguments are a query, in which a dash before a word excludes the word.
  var takesQuery: Bool { syntax.containsSubstring("QUERY") }

  /// The upper bound of `arity` for verbs that take any number of arguments.
  static let unlimited = Int.max

  static var all: [Verb] { Category.allCases.flatMap(\.verbs) }

  /// Returns the verb with this name or alias. Throws a usage error that suggests a similar verb.
  static func named(_ name: String) throws(ClientError) -> Verb {
    // The verbs of the categories after the match need not be created.
    for category in Category.allCases {
      if let verb = category.verbs.first(where: { $0.name == name || $0.aliases.contains(name) }) { return verb }
    }
    let names = all.flatMap { [$0.name] + $0.aliases }
    let suggestion =
      ForeignVerb.equivalent(of: name).map(Placeholders.translated) ?? EditDistance.nearest(to: name, in: names)
    throw .usage(
      tr("unknown verb “%1$s”", name),
      hints: suggestion.map { [tr("did you mean   segue %1$s   ?", $0)] }
        ?? [tr("segue --help   lists all verbs")])
  }

  /// Throws a usage error if the verb does not accept these options or this number of arguments.
  func check(_ arguments: [Argument], options given: [VerbOption]) throws(ClientError) {
    if let unknown = given.map(\.name).first(where: { !options.contains($0) }) {
      throw usageError(tr("%1$s: unknown option %2$s", name, unknown.rawValue))
    }
    if arguments.count < arity.lowerBound { throw usageError(tr("%1$s: missing argument", name)) }
    if arguments.count > arity.upperBound { throw usageError(tr("%1$s: too many arguments", name)) }
  }

  /// Creates a usage error with the usage line of the verb.
  private func usageError(_ message: String) -> ClientError {
    .usage(message, hints: [tr("usage: %1$s", usage), tr("segue help %1$s   shows details", name)])
  }
}
