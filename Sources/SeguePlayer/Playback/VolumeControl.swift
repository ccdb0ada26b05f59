// Thread: the loop.

internal import SegueOutput
internal import SegueState
internal import SegueSystem
internal import SegueWire

/// The volume of the stream, which a user can change here and at the sound server.
@MainActor
final class VolumeControl {
  /// The volume, as it is saved.
  private(set) var saved: SavedVolume

  private let sink: SinkController
  private let persistence: StatePersistence
  private let notifier: ChangeNotifier
  /// The number of the last command to the sink.
  private var lastCommand: UInt64 = 0

  private static let levels = 0...100

  init(_ saved: SavedVolume, sink: SinkController, persistence: StatePersistence, notifier: ChangeNotifier) {
    self.saved = saved
    self.sink = sink
    self.persistence = persistence
    self.notifier = notifier
    sink.volume = self
  }

  var volume: VolumeState { VolumeState(volume: saved.level, muted: saved.muted) }

  /// Sends a volume other than the default to the sink, after the start. With the default, the server decides on the
  /// volume.
  func restore() {
    if saved.level != SavedVolume().level || saved.balance != nil {
      sink.send(.balance(saved.balance))
      sendLevel()
    }
    if saved.muted { sendMute() }
  }

  /// `then` is called when the volume is on disk.
  func set(_ change: VolumeRequest, then: @escaping Completion<VolumeState>) {
    switch change.level {
    case nil: break
    // A mixer may have raised the volume above the maximum. A raise must not lower it.
    case .delta(0...) where saved.level == Self.levels.upperBound: break
    case .delta(let delta): setLevel((saved.level + delta).clamped(to: Self.levels))
    case .level(let level): setLevel(level)
    }
    if let muted = change.muted { saved.muted = muted }
    if change.muted != nil { sendMute() }
    let confirmed = volume
    notifier.notify(.player)
    save { then(.success(confirmed)) }
  }

  /// Sets the level, at the server as well if it is the same: it may have changed there, and the command prevails.
  private func setLevel(_ level: Int) {
    saved.level = level
    sendLevel()
  }

  private func sendLevel() {
    lastCommand += 1
    sink.send(.volume(percent: saved.level, number: lastCommand))
  }

  private func sendMute() {
    lastCommand += 1
    sink.send(.mute(saved.muted, number: lastCommand))
  }

  /// Handles that the sink has this volume after the command with this number. If that is not the last command, the
  /// volume is outdated, and another report follows.
  func handleReport(_ report: SavedVolume, after command: UInt64) {
    guard command == lastCommand, report != saved else { return }
    saved = report
    notifier.notify(.player)
    save {}
  }

  private func save(then: @escaping @MainActor @Sendable () -> Void) {
    persistence.save([.volume(saved)], then: then)
  }
}
