public import SegueWire

/// What `segue.conf` says, and what was chosen in its place while the daemon ran.
public struct Settings: Sendable {
  /// What holds.
  public private(set) var inUse: Configuration
  private var file: Configuration
  /// What was chosen, by name.
  public private(set) var chosen: [String: SavedSetting] = [:]

  /// As they were left. What `file` says otherwise by now than when something else was chosen counts for more.
  public init(file: Configuration, saved: [String: SavedSetting]) {
    (self.file, inUse) = (file, file)
    for setting in Setting.all where setting.isChangeable { chosen[setting.name] = saved[setting.name] }
    combine()
  }

  /// Takes the place of what the file says.
  public mutating func choose(_ setting: Setting, _ value: SettingValue) {
    chosen[setting.name] = SavedSetting(value: value.text, replaced: setting.read(file).text)
    combine()
  }

  /// Back to what the file says.
  public mutating func reset(_ setting: Setting) {
    chosen[setting.name] = nil
    combine()
  }

  /// The file was read again: what it says otherwise than before counts for more than what was chosen.
  public mutating func reread(_ file: Configuration) {
    self.file = file
    combine()
  }

  private mutating func combine() {
    inUse = file
    for setting in Setting.all {
      guard let choice = chosen[setting.name] else { continue }
      let standing = setting.read(file).text
      guard choice.replaced ?? standing == standing, let value = try? setting.value(of: choice.value.utf8) else {
        chosen[setting.name] = nil
        continue
      }
      chosen[setting.name]?.replaced = standing
      setting.write(&inUse, value)
    }
  }

  public func report(of setting: Setting) -> SettingReport {
    SettingReport(
      name: setting.name, section: setting.section.rawValue, key: setting.key, summary: setting.summary,
      type: setting.type, value: setting.read(inUse), standard: setting.standard,
      source: chosen[setting.name] != nil ? .chosen : file.named.contains(setting.name) ? .file : .standard,
      isChangeable: setting.isChangeable)
  }

  public var list: SettingList { SettingList(settings: Setting.all.map(report)) }
}
