internal import SegueSystem

/// The messages about `ui.conf`. Each is a whole sentence or several, so that it can be translated.
enum ConfigurationMessages {
  static let unclosedSection = "The name of the section must end with ]."
  static let unknownLine = "The line is neither a section such as [Keys] nor a setting such as next = n."
  static let noErrors = "The configuration has no errors."

  static func unreadable(_ reason: String) -> String { "The file cannot be read: \(reason)." }

  static func unknownSection(_ name: String, _ nearest: String) -> String {
    "The section [\(name)] is unknown. Did you mean [\(nearest)]?"
  }

  static func noSection(_ key: String) -> String {
    "The setting \(key) comes before any section. Put a line such as [Interface] above it."
  }

  static func unknownKey(_ key: String, _ nearest: String) -> String {
    "The setting \(key) is unknown. Did you mean \(nearest)?"
  }

  static func belongs(_ key: String, in section: String) -> String {
    "The setting \(key) belongs in the section [\(section)]."
  }

  static func unknownValue(_ text: String, of key: String, _ words: [String]) -> String {
    "The value \(text) of \(key) is unknown. These values are possible: \(words.joined(separator: ", "))."
  }

  static func unknownCommand(_ name: String, _ nearest: String) -> String {
    "The command \(name) is unknown. Did you mean \(nearest)? The manual page segue-ui(1) lists all commands."
  }

  static func invalidKey(_ word: String, of command: String, _ error: InvalidKeyName) -> String {
    switch error {
    case .unknown(let nearest):
      "The key \(word) of \(command) is unknown. Did you mean \(nearest)? Keys are separated by spaces."
    case .sameAs(let name):
      "Terminals send the same for the key \(word) of \(command) as for \(name). Write \(name) or another key."
    case .shiftedCharacter:
      "The key \(word) of \(command) is the character that Shift enters. Write this character without Shift."
    }
  }

  static func conflict(_ conflict: KeyConflict, of command: Command) -> String {
    switch conflict {
    case .taken(let key, let other, let screen):
      "The key \(key.name) of \(command.rawValue) belongs to \(other.rawValue) on the screen “\(screen)” already. "
        + "Choose another key for one of them."
    case .lost(let key, let other, let screen):
      "The key \(key.name) belongs to \(command.rawValue) now, so that \(other.rawValue) has no key on the screen "
        + "“\(screen)”. Choose another key for one of them."
    }
  }

  /// Returns the message at the start about errors in the file.
  static func summary(_ warnings: [INIWarning]) -> String {
    guard let first = warnings.first else { return noErrors }
    return warnings.count == 1
      ? "\(first)" : "\(first) To see all \(warnings.count) errors, run: segue ui --check-config"
  }
}
