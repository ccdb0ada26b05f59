public import SegueWire

/// The settings: the configuration in `segue.conf`, and the values that were chosen instead while the daemon ran.
public struct Settings: Sendable {
  /// The values in effect.
  public private(set) var effective: Configuration
  private var file: Configuration
  /// The chosen values, by the names of the settings.
  public private(set) var chosen: [String: SavedSetting] = [:]

  /// Restores saved settings. If `file` has changed since a value was chosen, the value in the file takes precedence.
  public init(file: Configuration, saved: [String: SavedSetting]) {
    (self.file, effective) = (file, file)
    for setting in Setting.all where setting.isChangeable { chosen[setting.name] = saved[setting.name] }
    combine()
  }

  /// Chooses a value instead of the one in the file.
  public mutating func choose(_ setting: Setting, _ value: SettingValue) {
    chosen[setting.name] = SavedSetting(value: value.text, replaced: setting.read(file).text)
    combine()
  }

  /// Returns to the value in the file.
  public mutating func reset(_ setting: Setting) {
    chosen[setting.name] = nil
    combine()
  }

  /// Applies a file that was read again. Where it has changed, its values take precedence over chosen ones.
  public mutating func reload(_ file: Configuration) {
    self.file = file
    combine()
  }

  /// Determines the values in effect.
  private mutating func combine() {
    effective = file
    for setting in Setting.all {
      guard let choice = chosen[setting.name] else { continue }
      let configured = setting.read(file).text
      guard choice.replaced ?? configured == configured, let value = try? setting.value(of: choice.value.utf8) else {
        chosen[setting.name] = nil
        continue
      }
      chosen[setting.name]?.replaced = configured
      setting.write(&effective, value)
    }
  }

  public func report(of setting: Setting) -> SettingReport {
    SettingReport(
      name: setting.name, section: setting.section.rawValue, key: setting.key, label: setting.label.text,
      summary: setting.summary.text,
      type: setting.type, value: setting.read(effective), standard: setting.defaultValue,
      source: chosen[setting.name] != nil ? .chosen : file.settingsInFile.contains(setting.name) ? .file : .standard,
      isChangeable: setting.isChangeable)
  }

  public var list: SettingList { SettingList(settings: Setting.all.map(report)) }
}
