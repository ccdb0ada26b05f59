internal import SegueCatalogService
internal import SegueOutput
public import SegueState
public import SegueWire
internal import SegueWorkerProtocol

/// Requests for settings and gain.
extension Player {
  public var configuration: Configuration { settings.configuration }

  /// Whether the desktop shows notifications of tracks that begin.
  public var wantsNotifications: Bool { configuration.notifies }

  public func setting(_ name: String) throws(Failure) -> SettingReport { report(of: try .named(name)) }

  public var settingList: SettingList { SettingList(settings: Setting.all.map(report)) }

  /// Chooses a value. `text`: the value as `segue.conf` would have it.
  public func set(_ name: String, to text: String, then: @escaping Completion<SettingReport>) {
    do throws(Failure) {
      let setting = try Setting.changeable(name)
      let value = try setting.requestedValue(of: text)
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

  /// Resets a setting to the value of the configuration.
  public func reset(_ name: String, then: @escaping Completion<SettingReport>) {
    do throws(Failure) {
      let setting = try Setting.changeable(name)
      change({ $0.reset(setting) }, then: { [weak self] in self?.report(setting, then) })
    } catch {
      then(.failure(error))
    }
  }

  /// Replaces the configuration, after its file was changed. A value that has changed in
  /// it replaces the value that the user chose with a client.
  public func reconfigure(_ configuration: Configuration) {
    change({ $0.reload(configuration) }, then: {})
    catalogs.reloadTokens()
    scan.reconfigure(folders: self.configuration.effectiveMusicFolders)
  }

  func choose(_ choices: [(Setting, SettingValue)], then: @escaping @MainActor @Sendable () -> Void) {
    change({ settings in for (setting, value) in choices { settings.choose(setting, value) } }, then: then)
  }

  /// Changes the settings, and puts the change into effect. `then` is called when it is on disk.
  private func change(_ body: (inout Settings) -> Void, then: @escaping @MainActor @Sendable () -> Void) {
    settings.change(body, applying: apply, then: then)
  }

  /// Puts changed settings into effect.
  private func apply(since before: Settings) {
    let (old, new) = (before.effective, configuration)
    if new.device != old.device { engine.sink.send(.device(new.device)) }
    if new.fade != old.fade { engine.sink.send(.fadeLength(new.fade)) }
    if !new.decodesLike(old) { playback.restartDecoding() }
    pool.gracePeriod = new.gracePeriod
    fetcher.authorities = new.certificateAuthorities
    catalogs.settings = CatalogSettings(new)
    if settings.settings.list != before.list { notifier.notify(.settings) }
  }

  private func report(_ setting: Setting, _ then: Completion<SettingReport>) {
    then(.success(report(of: setting)))
  }

  private func report(of setting: Setting) -> SettingReport {
    var report = settings.settings.report(of: setting)
    // If none is set, it is the one in `user-dirs.dirs`. The scan has it, so that the file is not read again.
    if setting.name == Setting.musicFolder.name { report.inUse = .paths(scan.folders) }
    return report
  }

  // MARK: Gain

  public var gain: Gain {
    let applied = playback.currentInfo?.gain
    return Gain(
      mode: configuration.gain, preamp: configuration.preamp, fallback: configuration.fallbackGain,
      preventsClipping: configuration.preventsClipping, applied: applied?.decibels, requested: applied?.requested,
      limit: applied?.limit)
  }

  /// Sets mode and preamp; nil leaves the value as it is. `preamp` must be in `Gain.range`.
  public func setGain(mode: GainMode?, preamp: Double?, then: @escaping Completion<Gain>) {
    var choices: [(Setting, SettingValue)] = []
    if let mode { choices.append((.replayGain, .text(mode.rawValue))) }
    if let preamp { choices.append((.preamp, .number(preamp))) }
    choose(choices) { [weak self] in
      if let self { then(.success(self.gain)) }
    }
  }
}

extension Configuration {
  /// Returns whether tracks are decoded in the same way with both configurations.
  fileprivate func decodesLike(_ other: Configuration) -> Bool {
    let gainIsOff = gain == .off && other.gain == .off
    let gainIsEqual =
      (gain, preamp, fallbackGain, preventsClipping)
      == (other.gain, other.preamp, other.fallbackGain, other.preventsClipping)
    return (gainIsOff || gainIsEqual) && (rate, crossfade) == (other.rate, other.crossfade)
  }
}
