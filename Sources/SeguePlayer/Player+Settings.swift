public import SegueLibrary
internal import SeguePulse
public import SegueWire

/// What the configuration says, and what is chosen in its place while the daemon runs.
extension Player {
  public var configuration: Configuration { settings.inUse }

  /// Whether the desktop is to show which track begins.
  public var wantsNotifications: Bool { configuration.notifies }

  public func setting(_ name: String) throws(Failure) -> SettingReport { report(of: try .named(name)) }

  public var settingList: SettingList { SettingList(settings: Setting.all.map(report)) }

  /// `text`: as `segue.conf` would have it. Answers once it is saved.
  public func set(_ name: String, to text: String, then: @escaping Completion<SettingReport>) {
    do throws(Failure) {
      let setting = try Setting.changeable(name)
      let value = try setting.choice(of: text)
      guard setting.name == Setting.device.name else {
        return choose([(setting, value)]) { [weak self] in self?.report(setting, then) }
      }
      moveOutput(to: text.isEmpty ? nil : text) { [weak self] failure in
        if let failure { then(.failure(failure)) } else { self?.report(setting, then) }
      }
    } catch {
      then(.failure(error))
    }
  }

  /// Back to what the configuration says.
  public func reset(_ name: String, then: @escaping Completion<SettingReport>) {
    do throws(Failure) {
      let setting = try Setting.changeable(name)
      change({ $0.reset(setting) }, then: { [weak self] in self?.report(setting, then) })
    } catch {
      then(.failure(error))
    }
  }

  /// Takes what may change while running. What is said otherwise than before counts for more than what was chosen.
  public func reconfigure(_ configuration: Configuration) {
    change({ $0.reread(configuration) }, then: {})
    library.reconfigure(folders: configuration.effectiveMusicFolders)
  }

  /// `then` is called when that is saved.
  func choose(_ choices: [(Setting, SettingValue)], then: @escaping @MainActor @Sendable () -> Void) {
    change({ settings in for (setting, value) in choices { settings.choose(setting, value) } }, then: then)
  }

  private func report(_ setting: Setting, _ then: Completion<SettingReport>) {
    then(.success(report(of: setting)))
  }

  private func report(of setting: Setting) -> SettingReport {
    var report = settings.report(of: setting)
    // Which folder the desktop names was read when the scan began: looking again would read a file.
    if setting.name == Setting.musicFolder.name { report.inUse = .paths(library.folders) }
    return report
  }

  /// Has what is changed take effect at once.
  private func change(_ body: (inout Settings) -> Void, then: @escaping @MainActor @Sendable () -> Void) {
    let (before, gainBefore) = (settings, gain)
    body(&settings)
    let (old, new) = (before.inUse, configuration)
    if new.device != old.device {
      engine.sink.send(.device(new.device))
      note(.output)
    }
    if new.fade != old.fade { engine.sink.send(.fade(new.fade)) }
    let isGainHeard = (old.gain, new.gain) != (.off, .off)
    if isGainHeard && gain != gainBefore || (new.rate, new.crossfade) != (old.rate, old.crossfade) { decodeAnew() }
    pool.gracePeriod = new.gracePeriod
    if settings.list != before.list { note(.settings) }
    keeper.save(settings.orders(since: before.chosen), then: then)
  }

  /// At the start: what was `saved` and holds no longer is not to come back. It does if the configuration was not read as
  /// a whole: then nobody knows what it says.
  func takeSettings(_ saved: [String: SavedSetting], isConfigurationComplete: Bool) {
    pool.gracePeriod = configuration.gracePeriod
    guard isConfigurationComplete else { return }
    let orders = settings.orders(since: saved)
    if !orders.isEmpty { keeper.save(orders) }
  }
}

extension Settings {
  /// What makes of `before` what is chosen now. Names of a later version's settings stay.
  fileprivate func orders(since before: [String: SavedSetting]) -> [StateChange] {
    Setting.all.filter { before[$0.name] != chosen[$0.name] }.map { .setting($0.name, chosen[$0.name]) }
  }
}
