internal import SegueSystem

/// The state of playback, which decides what is written to the server and when the sound starts and stops. It is a pure
/// value: the controller reports what happens, and does the step that follows.
struct PlaybackState: Equatable {
  enum Phase: Equatable {
    /// There is nothing to play.
    case idle
    /// The stream is corked until enough PCM is written.
    case prebuffering
    /// The stream is uncorked. If the server has run dry, it plays the rest, and PCM waits in the ring.
    case playing
    /// The stream is corked after an underrun, until enough PCM is written.
    case rebuffering
    /// Everything is written, and nothing follows: the end is to be played.
    case ending
    /// Everything that the stream can take is written: what follows has another format, and waits for the end.
    case changingFormat
  }

  /// What the controller has to do.
  enum Step: Equatable {
    case nothing
    /// Writes the PCM that is there.
    case write
    /// Uncorks the stream.
    case uncork
    /// Recovers from an underrun once the rest of the sound has been played.
    case awaitSilence
    /// Lets the server play everything that is written, and waits for the end.
    case playToEnd
    /// Handles that everything is written.
    case handleEnd
    /// Reports the end of the last generation.
    case finish
    /// Closes the stream, and opens one with the format of what follows.
    case changeStream
  }

  /// A report that the server has run dry.
  enum DryReport: Equatable {
    /// The end of the sound is being played: nothing more comes.
    case atEnd
    /// More was to come. `isNew`: whether it is the first report of this underrun.
    case underrun(isNew: Bool)
  }

  private(set) var phase = Phase.idle
  private(set) var isPaused = false
  private var underruns = UnderrunDetector()
  /// Whether PCM is there after an underrun, and the server accepts too little of it.
  private var lacksRoom = false

  // MARK: Facts

  /// Whether what follows is written as soon as it is there.
  var isWriting: Bool {
    switch phase {
    case .prebuffering, .playing, .rebuffering: true
    case .idle, .ending, .changingFormat: false
    }
  }

  /// Whether the server plays the rest of what it has, and nothing more is written.
  var isRunningDry: Bool { phase == .playing && underruns.isDry }

  /// Whether the server owes the corked stream a request for more PCM, after an underrun.
  var awaitsRoom: Bool { phase == .rebuffering && !isPaused && lacksRoom }

  // MARK: Commands

  /// Begins with a new sound.
  mutating func play(paused: Bool) {
    isPaused = paused
    phase = .prebuffering
  }

  /// Returns false if playback was paused already.
  mutating func pause() -> Bool {
    defer { isPaused = true }
    return !isPaused
  }

  /// Returns false if playback was not paused.
  mutating func resume() -> Bool {
    defer { isPaused = false }
    return isPaused
  }

  /// Records that there is nothing to play any more.
  mutating func end() { phase = .idle }

  /// Forgets a pause, because everything was stopped.
  mutating func stop() { isPaused = false }

  /// Returns how to continue with what is written, or to wait for its end, after a pause or a fade.
  var continuation: Step {
    switch phase {
    case .idle: .nothing
    case .prebuffering, .rebuffering: .write
    case .playing: underruns.isDry ? .awaitSilence : .uncork
    case .ending, .changingFormat: isPaused ? .nothing : .playToEnd
    }
  }

  /// Returns how to continue after what follows was changed. `hasMore`: whether there is a generation to be written.
  func continuationAfterEdit(hasMore: Bool) -> Step { !isWriting ? .nothing : hasMore ? .write : .handleEnd }

  // MARK: Start and end

  /// Starts a sound of which enough is written. `hasMore`: whether there is a generation to be written.
  mutating func start(hasMore: Bool) -> Step {
    guard phase == .prebuffering, !isPaused else { return .nothing }
    guard hasMore else { return startWithoutFollower(hasMore: hasMore) }
    phase = .playing
    return .uncork
  }

  /// Starts a sound that is written completely.
  mutating func startWithoutFollower(hasMore: Bool) -> Step {
    phase == .prebuffering && !hasMore ? playToEnd() : .nothing
  }

  /// Records that everything is written, and that nothing follows.
  mutating func playToEnd() -> Step { wait(in: .ending) }

  /// Records that what follows has another format.
  mutating func awaitFormatChange() -> Step { wait(in: .changingFormat) }

  private mutating func wait(in phase: Phase) -> Step {
    self.phase = phase
    return continuation
  }

  /// Records that the last frame has been played.
  mutating func handleEndOfStream() -> Step {
    switch phase {
    case .ending: return .finish
    case .changingFormat:
      phase = .prebuffering
      return .changeStream
    case .idle, .prebuffering, .playing, .rebuffering: return .nothing
    }
  }

  /// Waits for enough PCM again, because what was written is discarded.
  mutating func prebuffer() { phase = .prebuffering }

  /// Continues to write after what is written, even if that was to be the end. Returns whether the server has run dry
  /// there.
  mutating func resumeWriting() -> Bool {
    guard !isWriting else { return false }
    phase = .playing
    return underruns.isDry
  }

  // MARK: Underruns

  /// Records that the stream was uncorked.
  mutating func handleUncork() { underruns.reset() }

  /// Records that the server's timing shows the present sound playing.
  mutating func confirmPlaying() { underruns.confirmPlaying() }

  /// Records that the server has taken everything up to the end.
  mutating func handleDrained() { underruns.markDry() }

  /// Records the report that the server played everything up to `end`; nil if the end is not known. Returns nil if the
  /// report is about an earlier sound.
  mutating func handleDryReport(at end: Frames?, written: Frames) -> DryReport? {
    guard phase != .idle, underruns.acceptsDryReport(at: end, written: written) else { return nil }
    let isNew = !underruns.isDry
    underruns.markDry()
    return phase == .playing ? .underrun(isNew: isNew) : .atEnd
  }

  /// Counts an underrun, and returns the total.
  mutating func countUnderrun() -> UInt64 { underruns.count() }

  /// Begins to wait for a head start after the rest of the sound has been played. Returns false if that is not to be
  /// done.
  mutating func rebuffer() -> Bool {
    guard isRunningDry, !isPaused else { return false }
    phase = .rebuffering
    lacksRoom = false
    return true
  }

  /// Records whether the server accepts too little PCM for a head start. Returns whether that has changed.
  mutating func setLacksRoom(_ lacksRoom: Bool) -> Bool {
    defer { self.lacksRoom = lacksRoom }
    return self.lacksRoom != lacksRoom
  }

  /// Continues after an underrun. Returns false if that is not to be done.
  mutating func endRebuffering() -> Bool {
    guard phase == .rebuffering, !isPaused else { return false }
    phase = .playing
    return true
  }
}
