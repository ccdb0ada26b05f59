/// A change of the configuration, which is applied to the interface and written to `ui.conf`.
enum ConfigurationChange: Equatable, Sendable {
  case setting(InterfaceSetting, to: String)
  case list(ListSetting, to: String)
  /// New keys of a command; nil for the default ones.
  case keys(Command, [Key]?)

  static func layout(_ setting: ListSetting, showsTiles: Bool) -> ConfigurationChange {
    .list(setting, to: showsTiles ? ListSetting.tiles : ListSetting.table)
  }

  func apply(to configuration: inout InterfaceConfiguration) {
    switch self {
    case .setting(let setting, let word): setting.set(to: word, in: &configuration)
    case .list(let setting, let word): configuration.set(setting, to: word)
    case .keys(let command, let keys?): configuration.bindings.set(keys, for: command)
    case .keys(let command, nil): configuration.bindings.reset(command)
    }
  }

  /// The section, the key and the value in `ui.conf`. Without a value, the key is removed.
  var entry: (section: String, key: String, value: String?) {
    switch self {
    case .setting(let setting, let word): (setting.section, setting.key, word)
    case .list(let setting, let word): (InterfaceConfiguration.listSection, setting.rawValue, word)
    case .keys(let command, let keys):
      (InterfaceConfiguration.keySection, command.rawValue, keys?.map(\.name).joined(separator: " "))
    }
  }
}
