// Pulse thread only.
internal import SegueRing
internal import SegueSystem

extension Sink: StreamDelegate {
  /// False if the server cannot play such a format at all.
  func openStream(_ format: AudioFormat, on connection: Connection) -> Bool {
    openStream(format, on: connection, device: device)
  }

  private func openStream(_ format: AudioFormat, on connection: Connection, device: String?) -> Bool {
    let wish = StreamOptions(device: device, volume: volume, muted: isMuted, properties: properties)
    isMoving = false
    stream = PlaybackStream(connection, format: format, wish: wish, owner: self)
    if stream == nil {
      refuse("the sound server takes no \(format.rate) with \(format.channels.count) channels")
      return false
    }
    stream?.keepsHistory = fadeLength > .zero
    keepVigil()
    return true
  }

  func closeStream() {
    stream = nil
    drain = nil
    guard isOpen else { return }
    isOpen = false
    connection?.watch(.nothing)
    keepVigil()
    emit(.closed)
  }

  /// There is no stream to be had: drops what there is to play.
  private func refuse(_ reason: String) {
    dropGenerations()
    closeStream()
    isWanted = false
    giveUpConnecting()
    emit(.streamRefused(reason))
  }

  func streamIsReady(_ stream: PlaybackStream) {
    pour()
    stream.describe(properties)
    connection?.watch(.sinkInputs)
    isOpen = true
    patience = Self.shortest
    noteSign()
    connection?.describeSink(stream.sinkIndex) { [unowned self] in emit(.opened($0)) }
    payVolume()
    readVolume()
  }

  func streamFailed(_ stream: PlaybackStream, _ failure: StreamFailure) {
    guard isOpen else { return openElsewhere(than: stream, failure) }
    // The server is there and took the stream away: its sink went, or somebody killed it. To whoever waits for sound
    // that is a loss that is over already.
    if lose(.stream, failure.reason) { emit(.connected) }
  }

  /// The stream was not to be had. If the sink that was chosen is away, the server's own choice will do; where there is
  /// no sink at all, that is a loss like that of the server. A PipeWire that has just begun says so, too, of a sink that is
  /// there already: it is asked again soon, and later when one appears.
  private func openElsewhere(than stream: PlaybackStream, _ failure: StreamFailure) {
    guard let connection else { return }
    if let device = stream.device {
      emit(
        .deviceUnavailable("the sink \(device) cannot be played on (\(failure.reason)); the server's default is used"))
      _ = openStream(stream.format, on: connection, device: nil)
      return
    }
    let isLost =
      failure.isSinkMissing
      ? lose(.sink, "the sound server has no output device (sink); connect one, and playback goes on by itself")
      : lose(.stream, failure.reason)
    guard isLost else { return }
    connection.watch(.sinks)
    another = connection.timer(after: losePatience(longest: Self.longestWatching)) { [unowned self] in tryAnother() }
  }

  /// Drops the stream and what there is to play. True if somebody wants sound, and was told.
  private func lose(_ loss: OutputLoss, _ reason: String) -> Bool {
    let heard = heardFrame
    dropGenerations()
    closeStream()
    guard isWanted else { return false }
    emit(.lost(loss, reason: reason, position: heard))
    return true
  }

  func sinkAppeared() {
    if another != nil { tryAnother() }
  }

  private func tryAnother() {
    another = nil
    if isWanted { emit(.connected) }
  }

  func streamWants(_ stream: PlaybackStream) {
    noteSign()
    pour()
    if !stream.isCorked, isTimingOld { askTiming() }
  }

  func streamStarted(_ stream: PlaybackStream) {
    isDry = false
    noteSign()
    askTiming()
  }

  func streamUnderflowed(_ stream: PlaybackStream) {
    // A server that renders ahead comes to the end of each piece that is written again before it has the next. And
    // where the end cannot be told yet, it is that of another sound.
    guard let end = stream.dryFrame, end >= timeline.rewritten, ranDry(at: end) else { return }
    publish()
    countUnderrun()
  }

  /// The server played all it had, to the frame `end` if that can be told: something may have been written since. False if
  /// that is no news of this sound. The end may have been handed over before it was heard of.
  func ranDry(at end: Frames?) -> Bool {
    // What came before the last start is about another sound.
    guard phase != .idle, fade == nil, hasStarted, !isDry, let stream, !stream.isCorked else { return false }
    isDry = true
    noteSign()
    timeline.starve(at: end ?? timeline.written)
    return true
  }

  func countUnderrun() {
    // At the end there is nothing more to come.
    guard phase == .playing, !endsAtShortNotice else { return }
    underruns += 1
    emit(.underrun(total: underruns))
  }

  func streamMoved(_ stream: PlaybackStream) {
    isMoving = false
    // Where the other sink is on the ramp nobody knows.
    settle()
    guard self.stream === stream else { return }
    askTiming()
    connection?.describeSink(stream.sinkIndex) { [unowned self] in emit(.moved($0)) }
  }

  func streamSuspended(_ stream: PlaybackStream, _ suspended: Bool) {
    // A suspended sink asks for nothing, and that is no sign of trouble.
    noteSign()
    if suspended {
      settle()
      timeline.freeze(at: .now)
      publish()
    } else {
      askTiming()
    }
  }

  func streamCorkRequested(_ stream: PlaybackStream, _ cork: Bool) {
    emit(cork ? .corkRequested : .uncorkRequested)
  }

  func setDevice(_ name: String?) {
    device = name
    guard let connection, let stream, stream.isReady else { return }
    isMoving = true
    connection.move(stream.sinkInput, to: name) { [unowned self] reason in
      isMoving = false
      emit(.deviceUnavailable(reason))
    }
  }
}
