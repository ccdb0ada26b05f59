internal import SegueClientKit
internal import SegueWire

/// The messages of the settings. Each is a whole sentence or a label of its own, so that it can be translated.
enum SettingsMessages {
  static var keys: String { tr("Keys") }
  static var allCommands: String { tr("all commands…") }

  static var interface: String { tr("Interface") }
  static var lists: String { tr("Lists") }

  /// Returns the heading of the settings in a section of `segue.conf`. A later daemon may have others.
  static func heading(_ section: String) -> String {
    switch DaemonSection(rawValue: section) {
    case .library: tr("Library")
    case .output: tr("Output")
    case .player: tr("Playback")
    case .desktop: tr("Desktop")
    case .network: tr("Network")
    case .catalog: tr("Catalogues")
    case nil: section.isEmpty ? tr("Other settings") : section.visible
    }
  }

  /// A section of `segue.conf`.
  private enum DaemonSection: String {
    case library = "Library"
    case output = "Output"
    case player = "Player"
    case desktop = "Desktop"
    case network = "Network"
    case catalog = "Catalog"
  }

  static var web: String { tr("Web remote") }
  static let webCommand = "segue web on --lan"
  static var aboutWeb: String { tr("With  %1$s , phones control the music with a page.", webCommand) }
  static var editing: String { tr("Type the value. Enter saves it, Esc keeps the old one.") }

  /// Returns where a setting is changed that only `segue.conf` has.
  static func onlyInFile(_ setting: SettingReport) -> String {
    tr(
      "Write %1$s= into the section [%2$s] of segue.conf, and run: systemctl --user reload segued",
      setting.key.visible, setting.section.visible)
  }

  static var notReset: String { tr("This setting has its default already.") }

  static func label(_ setting: InterfaceSetting) -> String {
    switch setting {
    case .theme: tr("Theme")
    case .clock: tr("Clock")
    case .ratings: tr("Ratings")
    case .title: tr("Title of the terminal")
    case .visualizer: tr("Visualizer")
    case .paneVisualizer: tr("Visualizer beside the queue")
    case .coverAccent: tr("Accent from the cover")
    case .defaultAction: tr("Default action")
    case .albumHeadings: tr("Headings of albums")
    case .language: tr("Language")
    }
  }

  static func summary(_ setting: InterfaceSetting, _ state: SharedState) -> String {
    switch setting {
    case .theme: tr("The colours: those of the terminal, or those of a palette.")
    case .clock: tr("Whether the position of the track changes by itself on the screen.")
    case .ratings: tr("Whether ratings are displayed as stars.")
    case .title: tr("Whether the title of the terminal is that of the track.")
    case .visualizer: tr("Whether the visualizer can be displayed: the spectrum and the level of the sound.")
    case .paneVisualizer:
      tr("Whether the visualizer is displayed beside the queue, on a screen of 110 columns and 28 rows or more.")
    case .coverAccent: tr("Whether the accent is a colour of the cover of the current track.")
    case .defaultAction: tr("The action of %1$s on something that is not in the queue.", state.named(.open))
    case .albumHeadings: tr("Whether albums in the queue have headings.")
    case .language: tr("The language of the interface.")
    }
  }

  /// Returns the name of a word that a setting can have.
  static func word(_ word: String, of setting: InterfaceSetting) -> String {
    switch (setting, word) {
    case (.language, InterfaceConfiguration.environmentLanguage): tr("that of the environment")
    case (.language, _): Language.name(of: word)
    case (.theme, "light"): tr("light")
    case (.theme, "dark"): tr("dark")
    case (.theme, "terminal"): tr("that of the terminal")
    case (.theme, "monochrome"): tr("monochrome")
    // The names of palettes are the same in every language.
    case (.theme, _):
      word.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    case (_, "yes"): tr("yes")
    case (.visualizer, "no"): tr("no")
    case (.clock, _), (.ratings, _), (.title, _), (.albumHeadings, _), (.paneVisualizer, _), (.coverAccent, _): tr("no")
    case (.visualizer, _): tr("yes, except over SSH")
    case (.defaultAction, "insert"): tr("play, then the queue")
    case (.defaultAction, "add"): tr("add to the queue")
    case (.defaultAction, "details"): tr("show details")
    case (.defaultAction, _): tr("play on in the list")
    }
  }

  static func label(_ setting: SettingReport) -> String { translated(text: setting.label) }

  /// Returns the description of a setting, after the name that the command line and the protocol use for the setting.
  static func summary(_ setting: SettingReport) -> String { "\(setting.name): \(translated(text: setting.summary))" }

  static func value(_ setting: SettingReport) -> String {
    let text = setting.inUse.text
    guard !text.isEmpty else { return tr("none") }
    return switch setting.type {
    case .whole(_, let unit), .number(_, let unit): "\(decimalText(text)) \(translated(text: unit))"
    case .flag: text == "yes" ? tr("yes") : tr("no")
    case .choice, .name, .paths: text
    }
  }

  /// Returns the value for editing. The daemon also accepts the decimal mark of the language.
  static func editable(_ setting: SettingReport) -> String {
    let text = setting.value.text
    if case .number = setting.type { return decimalText(text) }
    return text
  }

  static func saved(_ label: String, _ value: String) -> String {
    tr("%1$s: %2$s. The setting is saved in ui.conf.", label, value)
  }

  static func changed(_ setting: SettingReport) -> String { "\(label(setting)): \(value(setting))." }

  /// Returns the message about a value that the daemon has refused.
  static func refused(_ error: ClientError) -> String { tr("The value is not accepted: %1$s.", error.message) }
}

/// The messages of the list of keys.
enum KeysMessages {
  static var title: String { tr("Keys") }
  static var none: String { tr("no key") }

  static func saved(_ command: Command, _ keys: [Key]) -> String {
    tr(
      "The keys of “%1$s” are now: %2$s. They are saved in ui.conf.", command.label,
      keys.map(\.label).joined(separator: ", "))
  }

  static func taken(_ key: Key, by other: Command, on screen: String) -> String {
    tr(
      "The key %1$s belongs to “%2$s” on the screen “%3$s” already. Choose another key.", key.label, other.label, screen
    )
  }

  static func lost(_ key: Key, by other: Command, on screen: String) -> String {
    tr(
      "The key %1$s is saved. “%2$s” has no key on the screen “%3$s” now. Choose one for it, too.", key.label,
      other.label, screen)
  }
}
