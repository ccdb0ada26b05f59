internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueWire

/// The verb `browse`, which lists the values of a tag: composers, years and others.
enum BrowseVerb {
  static let verb = Verb(
    "browse", .library, "TAG [PART] [--reverse]", 1...Verb.unlimited, options: [.reverse, .number],
    values: .first(.words(tagWords)), tr("list the values of a tag, such as composers or years"),
    details: tr(
      """
      TAG is albumartist, genre, composer, conductor, work, year or decade. With
      PART, lists only values whose name contains it. Names are sorted as artists
      are; years and decades begin with the newest one. On a terminal, values are
      numbered, and the next command accepts the numbers. In a pipe, the fields are
      URI, name, number of albums and number of songs, separated by tabs.

        segue browse composer
        segue play 3                   all of the third one
        segue albums composer:bach
        segue browse decade
        segue play decade 1990s
        segue browse year --reverse
      """), isLong: true, run: run)

  @Sendable private static func run(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let word = arguments[0].text
    guard let tag = LibraryTag(word: word) else {
      throw .usage(
        tr("invalid tag “%1$s”: use one of %2$s", word, tagWords.joined(separator: ", ")),
        hints: EditDistance.nearest(to: word, in: tagWords).map { [tr("did you mean %1$s?", $0)] } ?? [])
    }
    let order = try ListOptions(context.options, keys: [], standard: tag.isNumber ? "year" : "title")
    let part = ListVerbs.joined(Array(arguments.dropFirst())).lowercased()
    try ListReader<TagValue>(
      context: context, request: LibraryValuesRequest(tag: tag, order: order.direction),
      filter: part.isEmpty ? nil : { $0.name.lowercased().containsSubstring(part) },
      emptyMessage: part.isEmpty ? tr("No track of the library has this tag.") : tr("No matching values.")
    ).showAsResults()
  }

  /// The words for tags, in the order in which the help names them.
  static let tagWords = LibraryTag.allCases.map(\.word)
}

extension LibraryTag {
  /// The word for the tag on the command line.
  var word: String { rawValue.lowercased() }

  /// Creates the tag for a word in singular or plural.
  init?(word: String) {
    let word = word.lowercased()
    guard let tag = Self.allCases.first(where: { $0.word == word || $0.word + "s" == word }) else { return nil }
    self = tag
  }

  /// Whether the values are numbers.
  fileprivate var isNumber: Bool { self == .year || self == .decade }
}
