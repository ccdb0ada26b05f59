internal import SegueFrontend
internal import SegueSystem
internal import SegueWire

/// The messages of the settings. Each is a whole sentence or a label of its own, so that it can be translated.
enum SettingsMessages {
  static let title = "Settings"
  static let keys = "Keys"
  static let keysSummary = "Enter shows all commands with their keys, which can be changed."
  static let loading = "The settings of the daemon are being read."
  static let editing = "Type the value. Enter saves it, Esc keeps the old one."
  static let onlyInFile =
    "This setting cannot be changed while the daemon runs. Edit segue.conf, and run: systemctl --user reload segued"
  static let notReset = "This setting has its default already."

  static func label(_ setting: InterfaceSetting) -> String {
    switch setting {
    case .theme: "Theme"
    case .clock: "Clock"
    case .defaultAction: "Default action"
    }
  }

  static func summary(_ setting: InterfaceSetting) -> String {
    switch setting {
    case .theme: "The colours: those of the terminal, or a light or dark background."
    case .clock: "Whether the position of the track changes by itself on the screen."
    case .defaultAction: "The action of Enter on something that is not in the queue."
    }
  }

  /// Returns the name of a word that a setting can have.
  static func word(_ word: String, of setting: InterfaceSetting) -> String {
    switch (setting, word) {
    case (.theme, "light"): "light"
    case (.theme, "dark"): "dark"
    case (.theme, _): "that of the terminal"
    case (.clock, "yes"): "yes"
    case (.clock, _): "no"
    case (.defaultAction, "add"): "add to the queue"
    case (.defaultAction, "details"): "show details"
    case (.defaultAction, _): "play"
    }
  }

  /// Returns the label of a setting of the daemon.
  static func label(_ setting: SettingReport) -> String {
    setting.name == "catalog.genre" ? "Genre of the charts" : setting.name
  }

  static func value(_ setting: SettingReport) -> String {
    let text = setting.inUse.text
    guard !text.isEmpty else { return "none" }
    return switch setting.type {
    case .whole(_, let unit), .number(_, let unit): "\(text) \(unit)"
    case .flag: text == "yes" ? "yes" : "no"
    case .choice, .name, .paths: text
    }
  }

  static func saved(_ label: String, _ value: String) -> String {
    "\(label): \(value). The setting is saved in ui.conf."
  }

  static func changed(_ setting: SettingReport) -> String { "\(label(setting)): \(value(setting))." }

  static func notSaved(_ reason: String) -> String {
    "The setting applies now but is not saved, because ui.conf cannot be written: \(reason). "
      + "Check the permissions of the folder ~/.config/segue."
  }

  /// Returns the message about a value that the daemon has refused.
  static func refused(_ error: ClientError) -> String { "The value is not accepted: \(error.message)." }
}

/// The messages of the list of keys.
enum KeysMessages {
  static let title = "Keys"
  static let changed = "changed"
  static let none = "no key"
  static let alreadyStandard = "The command has its default keys already."

  static func press(_ command: Command) -> String { "Press the new key of “\(command.label)”. Esc keeps the old one." }

  static func pressAnother(_ command: Command) -> String {
    "Press another key for “\(command.label)”. Esc adds none."
  }

  static func saved(_ command: Command, _ keys: [Key]) -> String {
    "The keys of “\(command.label)” are now: \(keys.map(\.name).joined(separator: ", ")). They are saved in ui.conf."
  }

  static func taken(_ key: Key, by other: Command, on screen: String) -> String {
    "The key \(key.name) belongs to “\(other.label)” on the screen “\(screen)” already. Choose another key."
  }

  static func lost(_ key: Key, by other: Command, on screen: String) -> String {
    "The key \(key.name) is saved. “\(other.label)” has no key on the screen “\(screen)” now. Choose one for it, too."
  }
}
