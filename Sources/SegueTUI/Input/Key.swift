internal import SegueClientKit

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

  /// The name of the key in `ui.conf`.
  var name: String { modifierNames + codeName }

  /// The name of the key for people. Names that keyboards of all countries bear are not translated.
  var label: String {
    switch code {
    case .character(" "): modifierNames + tr("Space")
    case .up: modifierNames + tr("Up")
    case .down: modifierNames + tr("Down")
    case .left: modifierNames + tr("Left")
    case .right: modifierNames + tr("Right")
    case .character, .enter, .escape, .tab, .backspace, .delete, .insert, .home, .end, .pageUp, .pageDown, .function:
      name
    }
  }

  private var modifierNames: String {
    var text = ""
    if modifiers.contains(.control) { text += "Ctrl-" }
    if modifiers.contains(.alt) { text += "Alt-" }
    if modifiers.contains(.shift) { text += "Shift-" }
    return text
  }

  private var codeName: String {
    switch code {
    case .character(" "): "Space"
    case .character(let character): modifiers.contains(.control) ? character.uppercased() : String(character)
    case .enter: "Enter"
    case .escape: "Esc"
    case .tab: "Tab"
    case .backspace: "Backspace"
    case .delete: "Del"
    case .insert: "Ins"
    case .up: "Up"
    case .down: "Down"
    case .left: "Left"
    case .right: "Right"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .function(let number): "F\(number)"
    }
  }
}
