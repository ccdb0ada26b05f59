internal import Glibc
internal import SegueClientKit
internal import SegueSystem

/// The messages about `ui.conf`. Each is a whole sentence or several, so that it can be translated.
enum ConfigurationMessages {
  static var noErrors: String { tr("The configuration has no errors.") }

  static func unknownSection(_ name: String, _ nearest: String?, _ sections: [String]) -> String {
    if let nearest { return tr("The section [%1$s] is unknown. Did you mean [%2$s]?", name, nearest) }
    let list = sections.map { "[\($0)]" }.joined(separator: ", ")
    return tr("The section [%1$s] is unknown. The sections are %2$s.", name, list)
  }

  static func unknownKey(_ key: String, _ nearest: String?) -> String {
    guard let nearest else {
      return tr("The setting %1$s is unknown. The manual page segue-ui(1) lists all settings.", key)
    }
    return tr("The setting %1$s is unknown. Did you mean %2$s?", key, nearest)
  }

  static func belongs(_ key: String, in section: String) -> String {
    tr("The setting %1$s belongs in the section [%2$s].", key, section)
  }

  static func unknownValue(_ text: String, of key: String, _ words: [String]) -> String {
    tr("The value %1$s of %2$s is unknown. These values are possible: %3$s.", text, key, words.joined(separator: ", "))
  }

  static func unknownColumn(_ name: String, of key: String, _ columns: [String]) -> String {
    tr(
      "The column %1$s of %2$s is unknown. These columns are possible: %3$s.", name, key,
      columns.joined(separator: ", "))
  }

  static func invalidColor(_ text: String, of role: ColorRole) -> String {
    role == .background
      ? tr(
        "%1$s of %2$s is not a colour. Write six hexadecimal digits such as #1e1e2e, or terminal.", text, role.rawValue)
      : tr("%1$s of %2$s is not a colour. Write six hexadecimal digits such as #a6e3a1.", text, role.rawValue)
  }

  static func unknownCommand(_ name: String, _ nearest: String?) -> String {
    guard let nearest else {
      return tr("The command %1$s is unknown. The manual page segue-ui(1) lists all commands.", name)
    }
    return tr(
      "The command %1$s is unknown. Did you mean %2$s? The manual page segue-ui(1) lists all commands.", name, nearest)
  }

  static func invalidKey(_ word: String, of command: String, _ error: InvalidKeyName) -> String {
    switch error {
    case .unknown(nearest: nil):
      tr("The key %1$s of %2$s is unknown. Keys are separated by spaces.", word, command)
    case .unknown(let nearest?):
      tr("The key %1$s of %2$s is unknown. Did you mean %3$s? Keys are separated by spaces.", word, command, nearest)
    case .sameAs(let name):
      tr(
        "Terminals send the same for the key %1$s of %2$s as for %3$s. Write %3$s or another key.", word, command, name)
    case .shiftedCharacter:
      tr("The key %1$s of %2$s is the character that Shift enters. Write this character without Shift.", word, command)
    }
  }

  static func tooManyKeys(of command: String, _ maximum: Int) -> String {
    tr("The command %1$s has too many keys: %2$d are possible.", command, maximum)
  }

  static func conflict(_ conflict: KeyConflict, of command: Command) -> String {
    switch conflict {
    case .taken(let key, let other, let screen):
      tr(
        "The key %1$s of %2$s belongs to %3$s on the screen “%4$s” already. " + "Choose another key for one of them.",
        key.name, command.rawValue, other.rawValue, screen)
    case .lost(let key, let other, let screen):
      tr(
        "The key %1$s belongs to %2$s now, so that %3$s has no key on the screen "
          + "“%4$s”. Choose another key for one of them.", key.name, command.rawValue, other.rawValue, screen)
    }
  }

  /// Returns the message about a change that could not be written to the file.
  static func notSaved(_ error: SystemError) -> String {
    guard [EACCES, EPERM].contains(error.code) else {
      return tr(
        "The setting applies now but is not saved, because ui.conf cannot be written: %1$s.", error.translatedReason)
    }
    return tr(
      "The setting applies now but is not saved, because ui.conf cannot be written: %1$s. "
        + "Check the permissions of the folder ~/.config/segue.", error.translatedReason)
  }

  /// Returns the message at the start about errors in the file.
  static func summary(_ warnings: [INIWarning]) -> String {
    guard let first = warnings.first else { return noErrors }
    if warnings.count == 1 { return "\(first)" }
    return "\(first) "
      + trn(
        "To see the only error, run: segue ui --check-config", "To see all %1$d errors, run: segue ui --check-config",
        warnings.count)
  }
}
