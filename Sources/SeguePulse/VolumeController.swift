// Pulse thread only.

extension Sink {
  func setVolume(_ volume: Volume) {
    if let stream, stream.isReady {
      stream.setVolume(volume)
    } else {
      // Kept, and given to the next stream: to the listener it holds from now on.
      isVolumeOwed = stream != nil
      noteVolume(volume, muted: isMuted)
    }
  }

  func setMute(_ muted: Bool) {
    if let stream, stream.isReady {
      stream.setMute(muted)
    } else {
      isVolumeOwed = stream != nil
      noteVolume(volume, muted: muted)
    }
  }

  /// A stream that was being made knows nothing of what was set meanwhile.
  func payVolume() {
    guard isVolumeOwed, let stream else { return }
    isVolumeOwed = false
    if let volume { stream.setVolume(volume) }
    if let isMuted { stream.setMute(isMuted) }
  }

  func sinkInputChanged(_ index: UInt32) {
    guard let stream, stream.isReady, stream.sinkInput == index else { return }
    readVolume()
  }

  func readVolume() {
    stream?.readVolume { [unowned self] volume, muted in noteVolume(volume, muted: muted) }
  }

  private func noteVolume(_ new: Volume?, muted: Bool?) {
    guard new != volume || muted != isMuted else { return }
    volume = new
    isMuted = muted
    if let new { emit(.volume(percent: new.percent, muted: muted ?? false)) }
  }
}
