// Pulse thread only.
internal import SegueRing
internal import SegueSystem

extension Sink {
  func play(_ generation: Generation, _ ring: SharedRing, paused: Bool) {
    silence()
    isWanted = true
    isPaused = paused
    awaitStart()
    feeds = [GenerationReader(generation, from: source(of: ring))]
    forgetSources()
    connect()
    pour()
  }

  func pause() {
    guard !isPaused else { return }
    isPaused = true
    callOffDrain()
    guard let stream, stream.isReady, !stream.isCorked else { return }
    if let fade = fadeOut() {
      self.fade = fade
      return stand(at: fade.ramp.end)
    }
    stream.cork(true)
    stream.requestTiming()
    // While the server is silent, the clock stands already.
    if !isSilent { timeline.freeze(at: .now) }
    keepVigil()
    publish()
  }

  func resume() {
    guard isPaused else { return }
    isPaused = false
    if fade == nil { runOn() } else { fadeIn() }
  }

  /// What is there is heard, and its end waited for.
  func runOn() {
    switch phase {
    case .idle: break
    case .starting: pour()
    case .playing: uncork()
    case .ending, .changing:
      uncork()
      awaitEnd()
    }
  }

  func stop() {
    let fade = stream?.isCorked == true ? nil : fade ?? fadeOut()
    dropGenerations()
    self.fade = fade
    if fade == nil { hush() }
    forgetSources()
    isWanted = false
    isPaused = false
    giveUpConnecting()
  }

  /// The rings go too: the workers that fill them do not outlive the stream.
  func release() {
    stop()
    if fade == nil { closeStream() } else { fade?.closes = true }
    sources = []
  }

  func endInput(of generation: Generation) {
    for feed in feeds where feed.generation == generation { feed.isInputOver = true }
    pour()
  }

  /// Drops every generation, and ends the sound of the old ones at once.
  func silence() {
    dropGenerations()
    hush()
  }

  /// Ends the sound at once: what the server has got is forgotten.
  func hush() {
    guard let stream, stream.isReady else { return }
    if !stream.isCorked { stream.cork(true) }
    if stream.written > 0 { stream.flush() }
    drain?.note(takenBackTo: nil)
    keepVigil()
  }

  /// Forgets what there is to play; what the server has got of it is left there.
  func dropGenerations() {
    callOffDrain()
    fade = nil
    for source in sources { source.stopWaiting() }
    feeds = []
    joints = []
    finished = nil
    lastFrame = FrameCopy()
    phase = .idle
    startTimer = nil
    timeline = Timeline()
    publish()
  }

  /// Lets the stream run, with what it has.
  func uncork() {
    guard let stream, stream.isReady, stream.isCorked else { return }
    hasStarted = false
    isDry = false
    stream.cork(false)
    renewDrain()
    stream.requestTiming()
    keepVigil()
  }

  /// The source of this ring: there is one consumer to a ring.
  func source(of ring: SharedRing) -> RingSource {
    if let known = sources.first(where: { $0.ring === ring }) { return known }
    let source = RingSource(ring, loop: loop) { [unowned self] in pour() }
    sources.append(source)
    return source
  }

  /// Lets rings go that nobody plays from: their memory may be all that is left of a worker.
  func forgetSources() {
    sources.removeAll { source in !feeds.contains { $0.source === source } }
  }
}
