internal import SegueWire

/// An option of a single verb, with its parsed value.
enum VerbOption: Sendable {
  /// `status` prints another line after every change.
  case follow
  /// `status` prints its line in the format of a status bar.
  case output(BarOutput)
  /// `status` prints a line with this content.
  case format(Template)
  /// `search` adds its results to the queue instead of printing them.
  case placement(QueueAddition.Placement)
  /// `playlist save` overwrites an existing playlist.
  case replace
  /// `art` shows a cover of this size.
  case size(Art.Size)
  /// `scan` shows its progress.
  case watch
  /// `scan` also measures the loudness of tracks without loudness tags.
  case loudness
  /// `watch` prints tracks instead of events.
  case track

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
    case track = "--track"
  }

  /// Creates the option with this name. `value` returns the value that follows the name, and is called only for options that
  /// take one.
  init(_ name: Name, value: () throws(ClientError) -> Argument) throws(ClientError) {
    switch name {
    case .follow: self = .follow
    case .output: self = .output(try Self.output(value().text))
    case .format: self = .format(try Template(parsing: value().text))
    case .play: self = .placement(.playNow)
    case .add: self = .placement(.atEnd)
    case .next: self = .placement(.afterCurrent)
    case .replace: self = .replace
    case .size: self = .size(try Self.size(value().text))
    case .watch: self = .watch
    case .loudness: self = .loudness
    case .track: self = .track
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
    case .replace: .replace
    case .size: .size
    case .watch: .watch
    case .loudness: .loudness
    case .track: .track
    }
  }

  private static func output(_ text: String) throws(ClientError) -> BarOutput {
    if let output = BarOutput(rawValue: text) { return output }
    let known = BarOutput.allCases.map(\.rawValue)
    throw .usage(
      "invalid value “\(text)” for --output: use one of \(known.joined(separator: ", "))",
      hints: SpellingSuggestion.nearest(to: text, among: known).map { ["did you mean \($0)?"] } ?? [])
  }

  private static func size(_ text: String) throws(ClientError) -> Art.Size {
    if let size = Art.Size(rawValue: text) { return size }
    throw .usage(
      "invalid value “\(text)” for --size: use one of \(Art.Size.allCases.map(\.rawValue).joined(separator: ", "))")
  }
}
