// Thread: the loop.

internal import SegueLoop
internal import SeguePulse
internal import SegueState
internal import SegueSystem
internal import SegueWire

/// The volume of the stream, which a user can change here and at the sound server.
@MainActor
final class VolumeControl {
  private(set) var volume: VolumeState

  private let sink: SinkProxy
  private let persistence: StatePersistence
  private let notifier: ChangeNotifier
  /// The volume that was set last, until the server reports it or `echoTimer` fires. Earlier reports are taken for echoes
  /// of earlier changes.
  private var expectedEcho: VolumeState?
  /// The last report that was taken for an echo of an earlier change. If `expectedEcho` is not reported, because a mixer
  /// changed the volume at the same time, this report is the volume.
  private var ignoredReport: VolumeState?
  private var echoTimer: Timer?

  /// The time within which a server that responds reports a change.
  private static let echoTimeout = MediaTime.seconds(1)

  init(
    _ saved: SavedVolume, loop: EventLoop, sink: SinkProxy, persistence: StatePersistence, notifier: ChangeNotifier
  ) throws(SystemError) {
    self.sink = sink
    self.persistence = persistence
    self.notifier = notifier
    volume = VolumeState(volume: saved.level, muted: saved.muted)
    echoTimer = try Timer(on: loop) { [weak self] in self?.endExpectation() }
  }

  /// The volume, as it is saved.
  var saved: SavedVolume { SavedVolume(level: volume.volume, muted: volume.muted) }

  /// Sends a volume other than the default to the sink, after the start.
  func restore() {
    guard saved != SavedVolume() else { return }
    sink.send(.volume(percent: volume.volume))
    sink.send(.mute(volume.muted))
  }

  /// `then` is called when the volume is on disk.
  func set(_ change: VolumeChange, then: @escaping Completion<VolumeState>) {
    var wanted = volume
    switch change.level {
    case nil: break
    case .level(let level): wanted.volume = level
    case .delta(let delta): wanted.volume = (wanted.volume + delta).clamped(to: 0...100)
    }
    if let muted = change.muted { wanted.muted = muted }
    if wanted.volume != volume.volume { sink.send(.volume(percent: wanted.volume)) }
    if wanted.muted != volume.muted { sink.send(.mute(wanted.muted)) }
    if wanted != volume {
      (expectedEcho, ignoredReport) = (wanted, nil)
      echoTimer?.arm(after: Self.echoTimeout)
    }
    volume = wanted
    notifier.notify(.player)
    save { then(.success(wanted)) }
  }

  /// Handles a change of the stream's volume at the server.
  func handleServerChange(_ state: VolumeState) {
    guard let expectedEcho else { return adopt(state) }
    ignoredReport = state == expectedEcho ? nil : state
    if state == expectedEcho { endExpectation() }
  }

  /// Handles a change of the output. A stream or server that is gone sends no echo.
  func handleOutputChange() {
    if sink.output.state != .open { endExpectation() }
  }

  private func endExpectation() {
    let report = ignoredReport
    (expectedEcho, ignoredReport) = (nil, nil)
    echoTimer?.disarm()
    if let report { adopt(report) }
  }

  private func adopt(_ state: VolumeState) {
    guard state != volume else { return }
    volume = VolumeState(volume: state.volume.clamped(to: 0...100), muted: state.muted)
    notifier.notify(.player)
    save {}
  }

  private func save(then: @escaping @MainActor @Sendable () -> Void) {
    persistence.save([.volume(saved)], then: then)
  }
}
