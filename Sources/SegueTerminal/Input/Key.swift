/// A key with the modifiers that were held.
struct Key: Hashable, Sendable {
  enum Code: Hashable, Sendable {
    /// A key that enters a character. Shift is part of the character.
    case character(Character)
    case enter, escape, tab, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    case function(Int)
  }

  struct Modifiers: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let shift = Modifiers(rawValue: 1)
    static let alt = Modifiers(rawValue: 2)
    static let control = Modifiers(rawValue: 4)
  }

  var code: Code
  var modifiers: Modifiers = []

  static func character(_ character: Character, _ modifiers: Modifiers = []) -> Key {
    Key(code: .character(character), modifiers: modifiers)
  }
  static func control(_ character: Character) -> Key { .character(character, .control) }

  /// The name of the key in the user interface.
  var name: String {
    var text = ""
    if modifiers.contains(.control) { text += "Ctrl-" }
    if modifiers.contains(.alt) { text += "Alt-" }
    if modifiers.contains(.shift) { text += "Shift-" }
    switch code {
    case .character(" "): text += "Space"
    case .character(let character): text += modifiers.contains(.control) ? character.uppercased() : String(character)
    case .enter: text += "Enter"
    case .escape: text += "Esc"
    case .tab: text += "Tab"
    case .backspace: text += "Backspace"
    case .delete: text += "Del"
    case .insert: text += "Ins"
    case .up: text += "Up"
    case .down: text += "Down"
    case .left: text += "Left"
    case .right: text += "Right"
    case .home: text += "Home"
    case .end: text += "End"
    case .pageUp: text += "PgUp"
    case .pageDown: text += "PgDn"
    case .function(let number): text += "F\(number)"
    }
    return text
  }
}
