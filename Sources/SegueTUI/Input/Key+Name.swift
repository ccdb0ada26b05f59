internal import SegueSystem

/// The reason why a text is no name of a key.
enum InvalidKeyName: Error, Equatable {
  /// The name is unknown. The names of other keys resemble it.
  case unknown(nearest: String?)
  /// Terminals send the same for this key as for another one.
  case sameAs(String)
  /// A letter with Shift is the capital letter.
  case shiftedCharacter
}

extension Key {
  /// The keys that enter no character, by their names; the first name of a key is the one that the interface shows.
  private static let namedCodes: [(name: String, code: Code)] =
    [
      ("Enter", .enter), ("Return", .enter), ("Esc", .escape), ("Escape", .escape), ("Tab", .tab),
      ("Backspace", .backspace), ("Del", .delete), ("Delete", .delete), ("Ins", .insert), ("Insert", .insert),
      ("Up", .up), ("Down", .down), ("Left", .left), ("Right", .right), ("Home", .home), ("End", .end),
      ("PgUp", .pageUp), ("PageUp", .pageUp), ("PgDn", .pageDown), ("PageDown", .pageDown),
      ("Space", .character(" ")),
    ] + (1...12).map { ("F\($0)", .function($0)) }

  /// The names of the keys for which terminals send the same as for a letter with Control (ASCII).
  private static let controlNames: [Character: String] = [
    "i": "Tab", "m": "Enter", "j": "Enter", "h": "Backspace", "[": "Esc",
  ]

  /// Creates the key with a name such as `f`, `Ctrl-S`, `Alt-Up` or `Space`. The names of keys and modifiers are
  /// case-insensitive, and so are letters with Control, because terminals do not distinguish them.
  init(named name: String) throws(InvalidKeyName) {
    var modifiers: Modifiers = []
    var rest = name[...]
    let prefixes: [(String, Modifiers)] = [("ctrl-", .control), ("alt-", .alt), ("shift-", .shift)]
    while let (prefix, modifier) = prefixes.first(where: {
      rest.lowercased().hasPrefix($0.0) && rest.count > $0.0.count
    }) {
      modifiers.insert(modifier)
      rest = rest.dropFirst(prefix.count)
    }
    if rest.count == 1, let character = rest.first {
      try self.init(character, modifiers)
    } else if let (_, code) = Self.namedCodes.first(where: { $0.name.lowercased() == rest.lowercased() }) {
      self.init(code: code, modifiers: modifiers)
    } else {
      throw .unknown(nearest: EditDistance.nearest(to: String(rest), in: Self.namedCodes.map(\.name)))
    }
  }

  private init(_ character: Character, _ modifiers: Modifiers) throws(InvalidKeyName) {
    if modifiers.contains(.shift) { throw .shiftedCharacter }
    guard modifiers.contains(.control) else {
      self = .character(character, modifiers)
      return
    }
    let lowercased = Character(character.lowercased())
    if let other = Self.controlNames[lowercased] { throw .sameAs(other) }
    self = .character(lowercased, modifiers)
  }
}
