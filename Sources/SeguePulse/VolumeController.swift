// Runs on the pulse thread only.

/// A controller of the stream's volume and mute, which keeps them for the next stream.
final class VolumeController {
  private let emit: (SinkEvent) -> Void
  /// The volume and mute as last set or reported; nil if unknown: then the server decides.
  private(set) var volume: Volume?
  private(set) var isMuted: Bool?
  /// Whether they were set while the stream was being opened. That stream must get them once it is ready.
  private var isPending = false
  /// Whether the next values that the server returns are emitted although they are not new: they may be those from before
  /// a change that was set on the stream, if a mixer has changed them back.
  private var isReportDue = false

  init(_ emit: @escaping (SinkEvent) -> Void) { self.emit = emit }

  func setVolume(_ volume: Volume, on stream: PlaybackStream?) {
    if let stream, stream.isReady {
      isReportDue = true
      stream.setVolume(volume)
    } else {
      isPending = stream != nil
      update(volume, muted: isMuted)
    }
  }

  func setMute(_ muted: Bool, on stream: PlaybackStream?) {
    if let stream, stream.isReady {
      isReportDue = true
      stream.setMute(muted)
    } else {
      isPending = stream != nil
      update(volume, muted: muted)
    }
  }

  /// Applies to a new stream the values that were set while it was being opened.
  func applyPending(to stream: PlaybackStream) {
    guard isPending else { return }
    isPending = false
    if let volume { stream.setVolume(volume) }
    if let isMuted { stream.setMute(isMuted) }
  }

  /// Requests the values that the server has for the stream.
  func read(from stream: PlaybackStream) {
    stream.readVolume { [unowned self] volume, muted in update(volume, muted: muted) }
  }

  private func update(_ newVolume: Volume?, muted: Bool?) {
    guard isReportDue || newVolume != volume || muted != isMuted else { return }
    isReportDue = false
    volume = newVolume
    isMuted = muted
    if let newVolume { emit(.volume(percent: newVolume.percent, muted: muted ?? false)) }
  }
}
