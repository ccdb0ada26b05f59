internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// An option of a single verb, with its parsed value.
enum VerbOption: Sendable {
  /// `status` prints another line after every change, and `lyrics` each line when it is sung.
  case follow
  /// `status` prints its line in the format of a status bar.
  case output(BarOutput)
  /// `status` prints a line with this content.
  case format(Template)
  /// `search` adds its results to the queue instead of printing them.
  case placement(AddCommand.Placement)
  /// `playlist save` overwrites an existing playlist.
  case replace
  /// `art` shows a cover of this size.
  case size(CoverSize)
  /// `scan` shows its progress.
  case watch
  /// `scan` also measures the loudness of tracks without loudness tags.
  case loudness
  /// `scan` ends the measurement of loudness.
  case cancel
  /// `next` prints the track that follows instead of skipping to it.
  case show
  /// `watch` prints tracks instead of events.
  case track
  /// `search` and `genres` ask the online catalogues instead of the library.
  case online
  /// Only items of this kind are searched for.
  case kind(CatalogItem.Kind)
  /// The catalogue is that of the provider with this name.
  case provider(String)
  /// The items are those of the store of this country.
  case country(String)
  /// A list of the library has this order.
  case sort(String)
  /// A list of the library has the opposite order.
  case reverse
  /// Only items of the genre with this name or id are listed.
  case genre(String)
  /// A list, or a page of one, has at most this many items.
  case limit(Int)
  /// The page with this number, counted from 1, is shown.
  case page(Int)
  /// Responses in the daemon's cache are not used.
  case refresh
  /// Items are shown as tiles in two columns.
  case tiles
  /// Results are numbered, and kept for the next command, although the output is not a terminal.
  case number
  /// `ui` starts without decoration.
  case plain
  /// `ui` prints the errors in its configuration instead of starting.
  case checkConfiguration
  /// `web on` listens on the network.
  case lan
  /// `web on` listens on this port.
  case port(Int)
  /// `web` gives browsers this role.
  case role(Role)

  /// The spelling of an option on the command line.
  enum Name: String, CaseIterable, Sendable {
    case follow = "--follow"
    case output = "--output"
    case format = "--format"
    case play = "--play"
    case add = "--add"
    case next = "--next"
    case replace = "--replace"
    case size = "--size"
    case watch = "--watch"
    case loudness = "--loudness"
    case cancel = "--cancel"
    case show = "--show"
    case track = "--track"
    case online = "--online"
    case kind = "--kind"
    case provider = "--provider"
    case country = "--country"
    case sort = "--sort"
    case reverse = "--reverse"
    case genre = "--genre"
    case limit = "--limit"
    case page = "--page"
    case refresh = "--refresh"
    case tiles = "--tiles"
    case number = "--number"
    case plain = "--plain"
    case checkConfiguration = "--check-config"
    case lan = "--lan"
    case port = "--port"
    case role = "--role"
  }

  /// Creates the option with this name. `value` returns the value that follows the name, and is called only for options
  /// that take one.
  init(_ name: Name, value: () throws(ClientError) -> Argument) throws(ClientError) {
    switch name {
    case .follow: self = .follow
    case .output: self = .output(try Self.output(value().text))
    case .format: self = .format(try Template(parsing: value().text))
    case .play: self = .placement(.playNow)
    case .add: self = .placement(.atEnd)
    case .next: self = .placement(.afterCurrent)
    case .replace: self = .replace
    case .size: self = .size(try CoverSize(parsing: value().text))
    case .watch: self = .watch
    case .loudness: self = .loudness
    case .cancel: self = .cancel
    case .show: self = .show
    case .track: self = .track
    case .online: self = .online
    case .kind: self = .kind(try CatalogItem.Kind(parsing: value().text))
    case .provider: self = .provider(try value().text)
    case .country: self = .country(try value().text)
    case .sort: self = .sort(try value().text)
    case .reverse: self = .reverse
    case .genre: self = .genre(try value().text)
    case .limit: self = .limit(try Self.number(value().text, name, in: 1...EntryRange.maximum))
    case .page: self = .page(try Self.number(value().text, name, in: 1...CatalogOptions.maximumPage))
    case .refresh: self = .refresh
    case .tiles: self = .tiles
    case .number: self = .number
    case .plain: self = .plain
    case .checkConfiguration: self = .checkConfiguration
    case .lan: self = .lan
    case .port: self = .port(try Self.number(value().text, name, in: 1...65_535))
    case .role: self = .role(try Self.role(value().text))
    }
  }

  var name: Name {
    switch self {
    case .follow: .follow
    case .output: .output
    case .format: .format
    case .placement(.playNow): .play
    case .placement(.atEnd): .add
    case .placement(.afterCurrent): .next
    // No option replaces the queue.
    case .placement(.replacingQueue): .replace
    case .replace: .replace
    case .size: .size
    case .watch: .watch
    case .loudness: .loudness
    case .cancel: .cancel
    case .show: .show
    case .track: .track
    case .online: .online
    case .kind: .kind
    case .provider: .provider
    case .country: .country
    case .sort: .sort
    case .reverse: .reverse
    case .genre: .genre
    case .limit: .limit
    case .page: .page
    case .refresh: .refresh
    case .tiles: .tiles
    case .number: .number
    case .plain: .plain
    case .checkConfiguration: .checkConfiguration
    case .lan: .lan
    case .port: .port
    case .role: .role
    }
  }

  private static func role(_ text: String) throws(ClientError) -> Role {
    if let role = Role(rawValue: text) { return role }
    throw .usage(
      tr("invalid value “%1$s” for --role: use one of %2$s", text, Role.words.joined(separator: ", ")),
      hints: EditDistance.nearest(to: text, in: Role.words).map { [tr("did you mean %1$s?", $0)] } ?? [])
  }

  private static func output(_ text: String) throws(ClientError) -> BarOutput {
    if let output = BarOutput(rawValue: text) { return output }
    throw .usage(
      tr("invalid value “%1$s” for --output: use one of %2$s", text, BarOutput.words.joined(separator: ", ")),
      hints: EditDistance.nearest(to: text, in: BarOutput.words).map { [tr("did you mean %1$s?", $0)] } ?? [])
  }

  private static func number(
    _ text: String, _ name: Name, in range: ClosedRange<Int>
  ) throws(ClientError) -> Int {
    if let number = EntryRange.positiveInteger(text), range.contains(number) { return number }
    throw invalidNumber(text, name, in: range)
  }

  /// Creates the error for a number that an option does not accept.
  static func invalidNumber(_ text: String, _ name: Name, in range: ClosedRange<Int>) -> ClientError {
    .usage(
      range.upperBound == EntryRange.maximum
        ? tr("invalid value “%1$s” for %2$s: use a number from %3$d", text, name.rawValue, range.lowerBound)
        : tr(
          "invalid value “%1$s” for %2$s: use a number from %3$d to %4$d", text, name.rawValue, range.lowerBound,
          range.upperBound))
  }
}
