// Thread: the loop.

internal import SegueState
internal import SegueWire

/// The owner of the settings: the configuration file, and the values that were chosen in its place while the daemon
/// runs.
@MainActor
final class SettingsController {
  private(set) var settings: Settings

  private let persistence: StatePersistence

  init(_ configuration: Configuration, saved: [String: SavedSetting], persistence: StatePersistence) {
    settings = Settings(file: configuration, saved: saved)
    self.persistence = persistence
  }

  /// The configuration in use.
  var configuration: Configuration { settings.effective }

  /// Changes the settings. `apply` puts the change into effect; it gets the settings before. `then` is called when the
  /// change is on disk.
  func change(
    _ body: (inout Settings) -> Void, applying apply: (_ before: Settings) -> Void,
    then: @escaping @MainActor @Sendable () -> Void
  ) {
    let before = settings
    body(&settings)
    apply(before)
    persistence.save(settings.stateChanges(since: before.chosen), then: then)
  }

  /// Removes saved values that are not valid any more, after the start. If the configuration could not be read
  /// completely, they are kept: its values are unknown then.
  func removeOutdated(from saved: [String: SavedSetting], isConfigurationComplete: Bool) {
    guard isConfigurationComplete else { return }
    let changes = settings.stateChanges(since: saved)
    if !changes.isEmpty { persistence.save(changes) }
  }
}

extension Settings {
  /// Returns the changes that turn `before` into the chosen values. Settings of a later version are kept.
  fileprivate func stateChanges(since before: [String: SavedSetting]) -> [StateChange] {
    Setting.all.filter { before[$0.name] != chosen[$0.name] }.map { .setting($0.name, chosen[$0.name]) }
  }
}
