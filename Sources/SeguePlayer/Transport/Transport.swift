internal import SegueRing
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A state machine of playback, as a value: `handle(event)` changes the state and returns the actions to perform. It
/// does no I/O, and has no clock and no queue, so that every state can be tested with every event.
///
/// While something is played it holds a *plan*: the current track, and after it every track that has been passed on to
/// the worker and the sink already. The sink holds two seconds and the ring ten, so that a plan of very short tracks is
/// long. The owner of the queue says which tracks should follow (`successors`); where the plan differs, it is cut off.
struct Transport: Equatable, Sendable {
  private(set) var state: State = .stopped
  /// The number of jumps within a track or to another one, so that observers can distinguish them from normal progress.
  private(set) var jumps: UInt64 = 0
  private var lastGeneration: UInt32 = 0

  enum State: Equatable, Sendable {
    /// No stream is open, except during the grace period.
    case stopped
    /// Paused, with nothing of the track decoded: after a restart, a jump while paused, or a long pause.
    case dormant(Track, at: MediaTime, pause: PauseReason)
    /// The plan is never empty. Its first item is audible, or about to be. `pause`: why it is paused; nil if it is not.
    case active([Item], pause: PauseReason?)
    /// Playing, but without a server: playback continues at this position once the server is back.
    case lost(Track, at: MediaTime)
  }

  /// The reason why playback is paused. A request of a user makes the pause one of the user.
  enum PauseReason: Equatable, Sendable {
    /// A user has paused, or playback was not possible: only a user resumes it.
    case user
    /// The server has requested the pause, for example for a call, and requests its end.
    case server
    /// The machine sleeps, or is about to.
    case sleep
  }

  private(set) var plan: [Item] {
    get { if case .active(let plan, _) = state { plan } else { [] } }
    set { state = .active(newValue, pause: pause) }
  }

  /// Handles an event, and returns the actions to perform. An event without a meaning in this state has no effect.
  mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .play(let track, let position): play(track, from: position)
    case .jump(let track, let position): jump(to: track, at: position)
    case .pause(let reason): pause(for: reason)
    case .resume(let reason): resume(after: reason)
    case .stop: stop()
    case .restored(let track, let position): restore(track, at: position)
    case .restart(let track, let position): restart(track, at: position)
    case .successors(let starts): replan(starts)

    case .opened(let generation, let info): handleOpened(generation, info)
    case .ended(let generation): handleEnd(of: generation)
    case .faded(let generation, let time, let next): handleFade(of: generation, from: time, into: next)
    case .failed(let generation, let failure): handleFailure(of: generation, failure)
    case .cutOff(let generation, let failure, let time): handleCutOff(of: generation, failure, at: time)
    case .connectionChanged(let generation, let isLost): setInterrupted(generation, isLost)
    case .workerDied(let failure, let audible, let time): attributeCrash(failure, audible, at: time)
    case .workerLost(let failure, let audible, let time): continueWithAnotherWorker(failure, audible, at: time)
    case .corrupted(let generation, let failure, let isLate):
      handleCorruption(of: generation, failure, isLate: isLate)
    case .workerNotStarted: continueWithoutWorker(mayRetry: true)
    case .noDecoder: continueWithoutWorker(mayRetry: false)

    case .audible(let generation): advance(to: generation)
    case .finished(let generation): finish(generation)
    case .lost(let audible, let time): loseServer(audible, at: time)
    case .connected: continueAfterLoss()
    case .refused: handleRefusedStream()
    case .starved: handleStarvation()

    case .graceElapsed(let position): release(at: position)
    }
  }

  /// Updates the facts about every track of the state.
  mutating func updateTracks(_ update: (inout Track) -> Void) {
    switch state {
    case .stopped: break
    case .dormant(var track, let position, let pause):
      update(&track)
      state = .dormant(track, at: position, pause: pause)
    case .lost(var track, let position):
      update(&track)
      state = .lost(track, at: position)
    case .active(let plan, _):
      for index in plan.indices {
        var track = plan[index].track
        update(&track)
        // After most events, no track differs, and the plan is not copied.
        if track != plan[index].track { self.plan[index].track = track }
      }
    }
  }

  /// Starts a new plan with one new item.
  private mutating func start(_ track: Track, from position: MediaTime) -> [Action] {
    let item = newItem(track, from: position)
    state = .active([item], pause: nil)
    return [.engine(.cancelGrace), .engine(.open(item))]
  }

  private mutating func newItem(_ track: Track, from position: MediaTime) -> Item {
    lastGeneration += 1
    return Item(track: track, generation: Generation(lastGeneration), start: position)
  }

  /// Returns whether the generation exists and is later than `other`.
  private func isKnown(_ generation: Generation, after other: Generation) -> Bool {
    generation.number > other.number && generation.number <= lastGeneration
  }

  private mutating func release(at position: MediaTime?) -> [Action] {
    switch state {
    case .active(let plan, let pause?):
      state = .dormant(plan[0].track, at: position ?? plan[0].start, pause: pause)
      return pause == .user ? [.engine(.silence), .engine(.release)] : [.engine(.haltWorker), .engine(.releaseWorker)]
    case .dormant(_, _, pause: .server), .dormant(_, _, pause: .sleep): return [.engine(.releaseWorker)]
    case .stopped, .dormant(_, _, pause: .user): return [.engine(.release)]
    case .active(_, pause: nil), .lost: return []
    }
  }
}

// MARK: - Requests

extension Transport {
  private mutating func play(_ track: Track, from position: MediaTime) -> [Action] {
    switch state {
    case .lost:
      state = .lost(track, at: position)
      return []
    case .stopped, .dormant, .active: return start(track, from: position)
    }
  }

  private mutating func jump(to track: Track, at position: MediaTime) -> [Action] {
    jumps += 1
    switch state {
    case .active(_, pause: nil): return start(track, from: position)
    case .active(_, pause: _?):
      state = .dormant(track, at: position, pause: .user)
      return [.engine(.silence), .engine(.startGrace)]
    case .dormant(_, _, let pause):
      state = .dormant(track, at: position, pause: .user)
      return endActions(of: pause)
    case .lost:
      state = .lost(track, at: position)
      return []
    case .stopped: return []
    }
  }

  private mutating func pause(for reason: PauseReason) -> [Action] {
    switch (state, reason) {
    case (.active(let plan, pause: nil), _):
      state = .active(plan, pause: reason)
      return [.engine(.pauseSink), .engine(.startGrace)]
    case (.active(let plan, pause: _?), .user):
      state = .active(plan, pause: .user)
      return []
    case (.dormant(let track, let position, let former), .user):
      state = .dormant(track, at: position, pause: .user)
      return endActions(of: former)
    case (.lost(let track, let position), .user):
      state = .dormant(track, at: position, pause: .user)
      return [.engine(.silence), .engine(.startGrace)]
    case (.active, .server), (.active, .sleep), (.dormant, .server), (.dormant, .sleep), (.lost, .server),
      (.lost, .sleep), (.stopped, _):
      return []
    }
  }

  /// Returns the actions when a user ends a pause in which the stream was open for nothing but its continuation.
  private func endActions(of pause: PauseReason) -> [Action] { pause == .user ? [] : [.engine(.startGrace)] }

  private mutating func resume(after reason: PauseReason) -> [Action] {
    guard let pause, reason == .user || reason == pause else { return [] }
    switch state {
    case .active(let plan, _):
      state = .active(plan, pause: nil)
      return [.engine(.cancelGrace), .engine(.resumeSink)]
    case .dormant(let track, let position, _): return start(track, from: position)
    case .lost, .stopped: return []
    }
  }

  private mutating func stop() -> [Action] {
    if case .stopped = state { return [] }
    state = .stopped
    return [.engine(.silence), .engine(.startGrace)]
  }

  private mutating func restore(_ track: Track, at position: MediaTime) -> [Action] {
    if case .stopped = state { state = .dormant(track, at: position, pause: .user) }
    return []
  }

  private mutating func restart(_ track: Track, at position: MediaTime) -> [Action] {
    guard case .active(_, let pause) = state else { return [] }
    jumps += 1
    guard let pause else { return start(track, from: position) }
    state = .dormant(track, at: position, pause: pause)
    return [.engine(.silence), .engine(.startGrace)]
  }

  /// Keeps the beginning of the plan that agrees with `starts`, cuts off the rest, and plans one more item once the
  /// last one is known to open.
  private mutating func replan(_ starts: [Start]) -> [Action] {
    guard !plan.isEmpty else { return [] }
    let (agreed, planned) = plan.commonPrefix(with: starts.map(\.track.entry))
    let cut = cut(after: agreed - 1)
    let last = plan[agreed - 1]
    var next: Item
    // One file is opened at a time, so that not all files of a folder of damaged files are opened at once.
    if let fade = last.fade {
      // The item into which the last part was mixed is not played: that part is played alone before anything else
      // follows.
      next = newItem(last.track, from: fade.from)
      next.isContinuation = true
      plan[agreed - 1].fade?.into = next.generation
    } else if starts.count > planned, last.phase != .opening {
      next = newItem(starts[planned].track, from: starts[planned].position)
    } else {
      return cut
    }
    plan.append(next)
    return [.engine(.follow(next, after: last.generation))]
  }
}

// MARK: - Events of the worker

/// A generation that is not in the plan any more belongs to a track that is not wanted: its events are stale.
extension Transport {
  private mutating func handleOpened(_ generation: Generation, _ info: MediaInfo) -> [Action] {
    guard let index = plan.index(of: generation), plan[index].phase == .opening else { return [] }
    plan[index].open(info)
    return [.queue(.opened(plan[index]))] + (index == plan.count - 1 ? [.queue(.plan)] : [])
  }

  private mutating func handleEnd(of generation: Generation) -> [Action] {
    guard let index = plan.index(of: generation) else { return [] }
    plan[index].phase = .decoded
    // The plan may have changed before the event about the fade arrived.
    guard let fade = plan[index].fade else { return [] }
    return plan.dropFirst(index + 1).first?.generation == fade.into ? [] : [.queue(.plan)]
  }

  private mutating func handleFade(
    of generation: Generation, from time: MediaTime, into next: Generation
  ) -> [Action] {
    guard let index = plan.index(of: generation), plan[index].phase != .decoded, isKnown(next, after: generation)
    else { return [] }
    plan[index].fade = Fade(from: time, into: next)
    return []
  }

  private mutating func handleFailure(of generation: Generation, _ failure: Failure) -> [Action] {
    plan.index(of: generation).map { fail($0, failure) } ?? []
  }

  private mutating func setInterrupted(_ generation: Generation, _ isInterrupted: Bool) -> [Action] {
    if let index = plan.index(of: generation) { plan[index].isInterrupted = isInterrupted }
    return []
  }

  /// Attributes the crash of the worker to the first item that is not decoded; to none if all are in the ring. A live
  /// stream is opened again: it does not send again what may be the cause.
  private mutating func attributeCrash(
    _ failure: Failure, _ audible: Generation?, at time: MediaTime
  ) -> [Action] {
    guard let index = plan.firstIndex(where: { $0.phase != .decoded }) else { return [] }
    let item = plan[index]
    switch item.continuation {
    case .live: return reopen(index, at: audible == item.generation ? time : item.start, failure)
    case .none, .atPosition: return fail(index, failure)
    }
  }

  /// Continues with another worker after the end of one for which no item need be the cause. PCM of the current item
  /// that was not played yet is decoded again.
  private mutating func continueWithAnotherWorker(
    _ failure: Failure, _ audible: Generation?, at time: MediaTime
  ) -> [Action] {
    guard let index = plan.firstIndex(where: { $0.phase != .decoded }) else { return [] }
    let item = plan[index]
    let isAudible = audible == item.generation
    switch (item.phase, item.continuation) {
    case (.decoding, .live) where isAudible, (.decoding, .none) where isAudible:
      return attributeCrash(failure, audible, at: time)
    default:
      return continueWithoutWorker(index, at: isAudible ? max(time, item.start) : nil, mayRetry: true)
    }
  }

  private mutating func handleCutOff(
    of generation: Generation, _ failure: Failure, at time: MediaTime
  ) -> [Action] {
    guard let index = plan.index(of: generation), plan[index].phase != .decoded else { return [] }
    if plan[index].phase == .decoding, plan[index].continuation == .none { return fail(index, failure) }
    return reopen(index, at: time, failure)
  }

  /// The number of consecutive attempts without a second of audio after which a stream fails.
  private static let maximumAttempts = 4

  /// Opens the stream of an item again, which was played up to `time`. It fails with `failure` after too many attempts.
  private mutating func reopen(_ index: Int, at time: MediaTime, _ failure: Failure) -> [Action] {
    let item = plan[index]
    var retries = item.retries
    let delay = retries.delay(afterSuccess: time - item.start >= RetrySchedule.sufficientTime)
    guard retries.failures < Self.maximumAttempts else { return fail(index, failure) }
    let isOpening = item.phase == .opening
    if isOpening, index == 0, pause != nil { return continueWithoutWorker(0, mayRetry: true) }
    var next = again(item)
    (next.retries, next.delay) = (retries, delay)
    plan.removeSubrange((isOpening ? index : index + 1)...)
    if !isOpening {
      plan[index].phase = .decoded
      plan[index].fade = nil
      next.isContinuation = true
      // A live stream has no other position than its current one.
      next.start = item.continuation == .live ? .zero : max(time, item.start)
    }
    plan.append(next)
    guard plan.count > 1 else { return [.engine(.open(next))] }
    let end: [Action] = isOpening ? [] : [.engine(.endOfInput(item.generation))]
    return end + [.engine(.follow(next, after: plan[plan.count - 2].generation))]
  }

  /// Returns an item that replaces `item`.
  private mutating func again(_ item: Item) -> Item {
    var next = newItem(item.track, from: item.start)
    (next.isContinuation, next.continuation) = (item.isContinuation, item.continuation)
    (next.retries, next.delay) = (item.retries, item.delay)
    return next
  }

  private mutating func handleCorruption(
    of generation: Generation, _ failure: Failure, isLate: Bool
  ) -> [Action] {
    guard let index = plan.index(of: generation) else {
      // The worker wrote over a track that is not wanted any more. Another worker decodes what is left.
      guard !isLate, let index = plan.firstIndex(where: { $0.phase != .decoded }) else { return [] }
      return continueWithoutWorker(index, mayRetry: true)
    }
    guard plan[index].phase == .decoded else { return fail(index, failure) }
    let culprit = plan[index...].first { $0.phase != .decoded } ?? plan[index]
    // The crash of a worker that has been replaced was attributed when it ended.
    let marking: [Action] = isLate ? [] : [.queue(.markUnplayable(culprit.entry, failure))]
    // This item was written completely, and overwritten while a later one was decoded: it ends here, and the later ones
    // are decoded again.
    return marking + cut(after: index) + [.queue(.plan)]
  }

  /// Continues after a worker that no file had reached has ended, or after none could be started.
  private mutating func continueWithoutWorker(mayRetry: Bool) -> [Action] {
    plan.firstIndex { $0.phase == .opening }.map { continueWithoutWorker($0, mayRetry: mayRetry) } ?? []
  }

  /// Continues without marking a track unplayable. What is in the ring is played to its end. If the first item of the
  /// plan is not decoded, it is started again, at `position` or, without one, from its start. If that is not possible
  /// or playback is paused, it is left paused there.
  private mutating func continueWithoutWorker(
    _ index: Int, at position: MediaTime? = nil, mayRetry: Bool
  ) -> [Action] {
    let item = plan[index]
    let position = position ?? item.start
    if index > 0 {
      plan.removeSubrange(index...)
      let previous = plan[index - 1].generation
      if mayRetry, item.continuation != .none {
        let next = again(item)
        plan.append(next)
        return [.engine(.follow(next, after: previous))]
      }
      return [.engine(.finish(after: previous))] + (mayRetry ? [.queue(.plan)] : [])
    }
    if mayRetry, pause == nil { return start(item.track, from: position) }
    state = .dormant(item.track, at: position, pause: pause ?? .user)
    return [.engine(.silence), .engine(.startGrace)]
  }

  /// Removes the items after the one at `index`, and returns the action that lets the sink drop them. Otherwise it
  /// would wait for them, if none takes their place.
  private mutating func cut(after index: Int) -> [Action] {
    guard index + 1 < plan.count else { return [] }
    plan.removeSubrange((index + 1)...)
    return [.engine(.finish(after: plan[index].generation))]
  }

  private mutating func fail(_ index: Int, _ failure: Failure) -> [Action] {
    let item = plan[index]
    let marking = Action.queue(.markUnplayable(item.entry, failure))
    switch item.phase {
    case .decoded:
      return []
    case .decoding:
      // The part that was decoded is played, and the next track follows it.
      plan[index].phase = .decoded
      // An item that was not decoded to its end has no valid fade.
      plan[index].fade = nil
      return [marking, .engine(.endOfInput(item.generation))] + cut(after: index) + [.queue(.plan)]
    case .opening where index == 0:
      let skipping = Action.queue(.skip(item.entry, pause: pause))
      state = .stopped
      return [marking, .engine(.silence), .engine(.startGrace), skipping]
    case .opening:
      plan.removeSubrange(index...)
      // The rest of a track is decoded once. If its file cannot be opened, that is not retried.
      if item.isContinuation || plan[index - 1].isContinuation { plan[index - 1].fade = nil }
      return [marking, .engine(.finish(after: plan[index - 1].generation)), .queue(.plan)]
    }
  }
}

// MARK: - Events of the sink

extension Transport {
  /// Makes the item that has become audible the first one of the plan.
  private mutating func advance(to generation: Generation) -> [Action] {
    guard let index = plan.index(of: generation) else { return [] }
    let ended = plan.endedTracks(before: index)
    plan.removeSubrange(..<index)
    plan[0].isAudible = true
    return ended
  }

  /// Stops playback if the generation is the last one of the plan. If not, another track was planned while the sink
  /// drained, and the sink starts that by itself.
  private mutating func finish(_ generation: Generation) -> [Action] {
    guard let last = plan.last, last.generation == generation else { return [] }
    let ended = plan.endedTracks(before: plan.count - 1) + [.engine(.startGrace)]
    let end = Action.queue(.planEnded(last.entry, pause: pause))
    state = .stopped
    return ended + [end]
  }

  private mutating func loseServer(_ audible: Generation?, at time: MediaTime) -> [Action] {
    switch state {
    case .active(let plan, let pause):
      let index = audible.flatMap(plan.index)
      let position = index == nil ? plan[0].start : time
      let track = plan[index ?? 0].track
      let ended = plan.endedTracks(before: index ?? 0)
      // A pause that the server has requested ends with the server.
      guard let pause, pause != .server else {
        state = .lost(track, at: position)
        return ended + [.engine(.haltWorker)]
      }
      state = .dormant(track, at: position, pause: pause)
      return ended + [.engine(.silence)]
    case .dormant(let track, let position, pause: .server):
      state = .lost(track, at: position)
      return []
    // The stream was kept, and is not wanted before the machine wakes up.
    case .dormant(_, _, pause: .sleep): return [.engine(.silence)]
    case .dormant(_, _, pause: .user), .lost, .stopped: return []
    }
  }

  private mutating func continueAfterLoss() -> [Action] {
    guard case .lost(let track, let position) = state else { return [] }
    return start(track, from: position)
  }

  private mutating func handleRefusedStream() -> [Action] {
    guard case .active(let plan, let pause) = state else { return [] }
    state = .dormant(plan[0].track, at: plan[0].start, pause: pause ?? .user)
    return [.engine(.silence), .engine(.startGrace)]
  }

  private mutating func handleStarvation() -> [Action] {
    if !plan.isEmpty { plan[0].isAudible = false }
    return []
  }
}
