// Pulse thread only.

extension Sink {
  func setVolume(_ volume: Volume) {
    if let stream, stream.isReady {
      stream.setVolume(volume)
    } else {
      // Kept, and given to the next stream: to the listener it holds from now on.
      noteVolume(volume, muted: isMuted)
    }
  }

  func setMute(_ muted: Bool) {
    if let stream, stream.isReady {
      stream.setMute(muted)
    } else {
      noteVolume(volume, muted: muted)
    }
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
