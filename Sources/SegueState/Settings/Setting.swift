internal import SegueCatalogProviders
internal import SegueSystem
public import SegueWire

/// A setting in `segue.conf`: its name, its type, and its property of `Configuration`. The table of all settings
/// defines the parser, its warnings, and the settings of the protocol.
public struct Setting: Sendable {
  /// A section of `segue.conf`, by its name.
  public enum Section: String, Sendable, CaseIterable {
    case library = "Library"
    case output = "Output"
    case player = "Player"
    case desktop = "Desktop"
    case network = "Network"
    case catalog = "Catalog"
  }

  public let section: Section
  /// The key in `segue.conf`, such as `ReplayGain`.
  public let key: String
  /// The name for users, which is understood without that of the section. It begins with a capital letter and has at
  /// most 28 characters, so that it fits beside its value.
  public let label: LocalizableMessage
  /// A description in one line, for users.
  public let summary: LocalizableMessage
  public let type: SettingType
  /// The check of a value of the type `name`, in addition to that of its length.
  let check: @Sendable (String) throws(InvalidValue) -> Void
  /// Whether the setting can be changed while the daemon runs.
  let isChangeable: Bool
  let read: @Sendable (Configuration) -> SettingValue
  /// The closure that sets a value, which has the type of the setting.
  let write: @Sendable (inout Configuration, SettingValue) -> Void

  /// The name in the protocol, such as `player.replayGain`.
  public var name: String { "\(section.rawValue.lowercased()).\(key.prefix(1).lowercased())\(key.dropFirst())" }

  public var defaultValue: SettingValue { read(Configuration()) }
}

// MARK: Rows of the table

extension Setting {
  init(
    _ section: Section, _ key: String, label: LocalizableMessage, _ summary: LocalizableMessage, _ type: SettingType,
    isChangeable: Bool = true,
    check: @escaping @Sendable (String) throws(InvalidValue) -> Void = { _ throws(InvalidValue) in },
    read: @escaping @Sendable (Configuration) -> SettingValue,
    write: @escaping @Sendable (inout Configuration, SettingValue) -> Void
  ) {
    self.section = section
    self.key = key
    self.label = label
    self.summary = summary
    self.type = type
    self.isChangeable = isChangeable
    self.check = check
    self.read = read
    self.write = write
  }

  init(
    _ section: Section, _ key: String, label: LocalizableMessage, _ summary: LocalizableMessage,
    flag place: any WritableKeyPath<Configuration, Bool> & Sendable
  ) {
    self.init(
      section, key, label: label, summary, .flag, read: { .flag($0[keyPath: place]) },
      write: {
        if case .flag(let value) = $1 { $0[keyPath: place] = value }
      })
  }

  init<Word: RawRepresentable<String> & CaseIterable & Sendable>(
    _ section: Section, _ key: String, label: LocalizableMessage, _ summary: LocalizableMessage,
    word place: any WritableKeyPath<Configuration, Word> & Sendable
  ) {
    self.init(
      section, key, label: label, summary, .choice(Word.allCases.map(\.rawValue)),
      read: { .text($0[keyPath: place].rawValue) },
      write: {
        if case .text(let text) = $1, let value = text.flatMap(Word.init) { $0[keyPath: place] = value }
      })
  }

  init(
    _ section: Section, _ key: String, label: LocalizableMessage, _ summary: LocalizableMessage,
    number place: any WritableKeyPath<Configuration, Double> & Sendable,
    in range: ClosedRange<Double>, unit: String
  ) {
    self.init(
      section, key, label: label, summary, .number(range, unit: unit), read: { .number($0[keyPath: place]) },
      write: {
        if case .number(let value) = $1 { $0[keyPath: place] = value }
      })
  }

  init(
    _ section: Section, _ key: String, label: LocalizableMessage, _ summary: LocalizableMessage,
    name place: any WritableKeyPath<Configuration, String?> & Sendable,
    check: @escaping @Sendable (String) throws(InvalidValue) -> Void = { _ throws(InvalidValue) in }
  ) {
    self.init(
      section, key, label: label, summary, .name, check: check, read: { .text($0[keyPath: place]) },
      write: {
        if case .text(let value) = $1 { $0[keyPath: place] = value }
      })
  }

  /// Creates the setting of a base URL. An empty text stands for the default. Clients cannot change it, because the
  /// token of the user is sent to the service.
  init(_ url: BaseURLSetting) {
    self.init(
      .catalog, url.key, label: url.label, url.summary, .name, isChangeable: false,
      check: { (text) throws(InvalidValue) in
        do throws(Failure) { _ = try BaseURL(text) } catch { throw InvalidValue(reason: error.localizableMessage) }
      },
      read: { .text($0.catalogs[url].text) },
      write: {
        guard case .text(let text) = $1 else { return }
        $0.catalogs[url] = text.flatMap { try? BaseURL($0) } ?? url.standard
      })
  }

  /// Creates a setting that is a time in whole units. `unit.nanoseconds` is the length of a unit.
  init(
    _ section: Section, _ key: String, label: LocalizableMessage, _ summary: LocalizableMessage,
    time place: any WritableKeyPath<Configuration, MediaTime> & Sendable, in range: ClosedRange<Int>,
    _ unit: (name: String, nanoseconds: Int64)
  ) {
    self.init(
      section, key, label: label, summary, .whole(range, unit: unit.name),
      read: { .whole(Int($0[keyPath: place].nanoseconds / unit.nanoseconds)) },
      write: {
        if case .whole(let value) = $1 {
          $0[keyPath: place] = MediaTime(nanoseconds: Int64(value) * unit.nanoseconds)
        }
      })
  }
}
