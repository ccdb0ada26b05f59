internal import Glibc
internal import SegueClientKit
internal import SegueSystem

/// The configuration of the interface in `ui.conf`. Every setting has a default.
struct InterfaceConfiguration: Equatable, Sendable {
  /// `[Interface] Theme=`.
  var theme = Theme.terminal
  /// `[Colors]`: the colours in place of those of the theme.
  var colors = ColorChoice()
  /// `[Interface] Clock=`: whether the position of the track changes by itself on the screen.
  var showsClock = true
  /// `[Interface] Ratings=`: whether ratings are displayed.
  var showsRatings = true
  /// `[Interface] Title=`: whether the title of the terminal is that of the track.
  var setsTitle = true
  /// `[Interface] Visualizer=`.
  var visualizer = VisualizerUse.auto
  /// `[Interface] PaneVisualizer=`: whether the pane beside the queue contains the visualizer.
  var showsPaneVisualizer = false
  /// `[Interface] CoverAccent=`: whether the accent is a colour of the cover.
  var takesAccentFromCover = false
  /// `[Lists] DefaultAction=`.
  var defaultAction = DefaultAction.play
  /// `[Lists] AlbumHeadings=`: whether albums in the queue have headings.
  var showsAlbumHeadings = true
  /// `[Interface] Language=`: the code of a language, or `environmentLanguage`.
  var language = InterfaceConfiguration.environmentLanguage
  /// The orders and the layouts of lists that are not the default ones.
  private var lists: [ListSetting: String] = [:]
  /// `[Lists] QueueColumns=` and `[Lists] TrackColumns=`: the columns of tables that do not have the default ones.
  fileprivate(set) var columns: [ColumnSetting: [ItemColumn]] = [:]
  /// The keys, including those of `[Keys]`.
  var bindings = KeyBindings.standard

  /// The word for the language of the environment.
  static let environmentLanguage = "system"

  /// The section of the settings of the interface itself.
  static let interfaceSection = "Interface"
  /// The section of the keys.
  static let keySection = "Keys"
  /// The section of the colours.
  static let colorSection = "Colors"
  /// The section of the settings of lists.
  static let listSection = "Lists"
  static let sections = [interfaceSection, listSection, colorSection, keySection]

  /// The default path, `$XDG_CONFIG_HOME/segue/ui.conf`.
  static var defaultPath: FilePath { Directories.config.appending("segue/ui.conf") }

  /// The maximum length of a file, which is many times what all settings and keys need. While a longer one was parsed,
  /// the interface would not react.
  static let maximumLength = 1 << 16
  /// The maximum number of keys of a command.
  static let maximumKeys = 16

  /// Returns the word that is the value of a setting of a list.
  func word(of setting: ListSetting) -> String { lists[setting] ?? setting.words[0] }

  /// Returns whether a list has the layout of tiles.
  func showsTiles(_ setting: ListSetting) -> Bool { word(of: setting) == ListSetting.tiles }

  /// Sets a setting of a list to one of its words. Other words have no effect.
  mutating func set(_ setting: ListSetting, to word: String) {
    guard setting.words.contains(word) else { return }
    lists[setting] = word == setting.words[0] ? nil : word
  }

  /// Has the messages displayed in a language, by the value of `[Interface] Language=`.
  static func select(language: String) {
    if language == environmentLanguage { Language.selectEnvironment() } else { Language.select(language) }
  }

  /// Reads the configuration at `path`. A missing file counts as an empty one. Invalid lines are ignored and cause
  /// warnings. Blocks on the disk.
  static func read(_ path: FilePath) -> (InterfaceConfiguration, [INIWarning]) {
    do {
      return parse(try SmallFile.read(path, upTo: maximumLength), path)
    } catch {
      return standard(becauseOf: error, path)
    }
  }

  /// Returns the configuration in place of a file that cannot be read, with a warning unless the file is missing.
  static func standard(becauseOf error: SystemError, _ path: FilePath) -> (InterfaceConfiguration, [INIWarning]) {
    let isMissing = error.code == ENOENT || error.code == ENOTDIR
    let message = tr("The file cannot be read: %1$s.", error.translatedReason)
    return (InterfaceConfiguration(), isMissing ? [] : [INIWarning(path: path, line: 0, message: message)])
  }

  /// Parses `bytes`, the contents of `path`, in the format that `INILine` describes. If a key occurs twice, the last
  /// value counts. An empty value stands for the default.
  static func parse(_ bytes: [UInt8], _ path: FilePath) -> (InterfaceConfiguration, [INIWarning]) {
    var parser = Parser()
    var warnings: [INIWarning] = []
    func warn(_ line: Int, _ message: String) {
      warnings.append(INIWarning(path: path, line: line, message: message))
    }
    for (number, text) in TextLines(bytes) {
      guard let line = INILine(text), let message = parser.read(line, number) else { continue }
      warn(number, message)
    }
    for conflict in parser.applyKeys() { warn(conflict.line, conflict.message) }
    return (parser.configuration, warnings.sorted { $0.line < $1.line })
  }
}

/// A key of a setting that is neither a colour nor the keys of a command.
private enum SettingKey {
  case interface(InterfaceSetting)
  case list(ListSetting)
  case columns(ColumnSetting)

  static let all: [SettingKey] =
    InterfaceSetting.allCases.map(SettingKey.interface) + ListSetting.allCases.map(SettingKey.list)
    + ColumnSetting.allCases.map(SettingKey.columns)

  var name: String {
    switch self {
    case .interface(let setting): setting.key
    case .list(let setting): setting.rawValue
    case .columns(let setting): setting.rawValue
    }
  }

  /// The name of the section in which the key stands.
  var section: String {
    switch self {
    case .interface(let setting): setting.section
    case .list, .columns: InterfaceConfiguration.listSection
    }
  }
}

/// A reading of `ui.conf`.
private struct Parser {
  private(set) var configuration = InterfaceConfiguration()
  private var section: String?
  /// The keys of commands with the numbers of their lines.
  private var keys: [Command: (line: Int, keys: [Key])] = [:]

  /// Reads a line with its number. Returns a warning if it is invalid.
  mutating func read(_ line: INILine, _ number: Int) -> String? {
    switch line {
    case .unclosedSection: return tr("The name of the section must end with ].")
    case .unknown: return tr("The line is neither a section such as [Keys] nor a setting such as next = n.")
    case .section(let name):
      section = name
      let sections = InterfaceConfiguration.sections
      return sections.contains(name)
        ? nil : ConfigurationMessages.unknownSection(name, EditDistance.nearest(to: name, in: sections), sections)
    case .value(let key, let value):
      guard let section else {
        return tr("The setting %1$s comes before any section. Put a line such as [Interface] above it.", key)
      }
      // There was a warning about the section already.
      guard InterfaceConfiguration.sections.contains(section) else { return nil }
      let text = value.text ?? ""
      switch section {
      case InterfaceConfiguration.keySection: return readKeys(key, text, number)
      case InterfaceConfiguration.colorSection: return readColor(key, text)
      default: return readSetting(key, text, in: section)
      }
    }
  }

  private mutating func readSetting(_ key: String, _ text: String, in section: String) -> String? {
    guard let setting = SettingKey.all.first(where: { $0.name == key }) else {
      let known = SettingKey.all.filter { $0.section == section }.map(\.name)
      return ConfigurationMessages.unknownKey(key, EditDistance.nearest(to: key, in: known))
    }
    guard setting.section == section else { return ConfigurationMessages.belongs(key, in: setting.section) }
    switch setting {
    case .columns(let setting): return readColumns(setting, text)
    case .interface(let setting):
      guard let word = word(text, among: setting.words) else {
        return ConfigurationMessages.unknownValue(text, of: key, setting.words)
      }
      setting.set(to: word, in: &configuration)
    case .list(let setting):
      guard let word = word(text, among: setting.words) else {
        return ConfigurationMessages.unknownValue(text, of: key, setting.words)
      }
      configuration.set(setting, to: word)
    }
    return nil
  }

  /// Returns the word that a text names, of which the first one is the default; nil if it names none.
  private func word(_ text: String, among words: [String]) -> String? {
    let word = text.isEmpty ? words[0] : text.lowercased()
    return words.contains(word) ? word : nil
  }

  private mutating func readColumns(_ setting: ColumnSetting, _ text: String) -> String? {
    do throws(ColumnSetting.UnknownColumn) {
      let columns = try setting.columns(in: text)
      configuration.columns[setting] = columns.isEmpty ? nil : columns
      return nil
    } catch {
      return ConfigurationMessages.unknownColumn(
        error.name, of: setting.rawValue, ColumnSetting.possible.map(\.rawValue))
    }
  }

  private mutating func readColor(_ key: String, _ text: String) -> String? {
    guard let role = ColorRole(rawValue: key) else {
      return ConfigurationMessages.unknownKey(
        key, EditDistance.nearest(to: key, in: ColorRole.allCases.map(\.rawValue)))
    }
    return configuration.colors.set(role, to: text) ? nil : ConfigurationMessages.invalidColor(text, of: role)
  }

  private mutating func readKeys(_ name: String, _ text: String, _ number: Int) -> String? {
    guard let command = Command(rawValue: name) else {
      return ConfigurationMessages.unknownCommand(
        name, EditDistance.nearest(to: name, in: Command.allCases.map(\.rawValue)))
    }
    keys[command] = nil
    var parsed: [Key] = []
    for word in text.split(separator: " ") {
      do throws(InvalidKeyName) {
        let key = try Key(named: String(word))
        if parsed.contains(key) { continue }
        guard parsed.count < InterfaceConfiguration.maximumKeys else {
          return ConfigurationMessages.tooManyKeys(of: name, InterfaceConfiguration.maximumKeys)
        }
        parsed.append(key)
      } catch {
        return ConfigurationMessages.invalidKey(String(word), of: name, error)
      }
    }
    if !parsed.isEmpty { keys[command] = (number, parsed) }
    return nil
  }

  /// Applies the keys in the order of their lines. Returns the conflicts among them and with the default keys.
  mutating func applyKeys() -> [(line: Int, message: String)] {
    let lines = keys.sorted { $0.value.line < $1.value.line }
    for (command, (_, keys)) in lines { configuration.bindings.set(keys, for: command) }
    return lines.flatMap { command, value in
      configuration.bindings.conflicts(of: command).map {
        (value.line, ConfigurationMessages.conflict($0, of: command))
      }
    }
  }
}
