internal import SegueLink
internal import SegueRing
internal import SegueSystem
internal import SegueWire

/// A state machine of playback, as a value: `handle(event)` changes the state and returns the actions to perform. It does
/// no I/O, and has no clock and no queue, so that every state can be tested with every event.
///
/// While something is played it holds a *plan*: the current track, and after it every track that has been passed on to
/// the worker and the sink already. The sink holds two seconds and the ring ten, so that a plan of very short tracks is
/// long. The owner of the queue says which entries should follow (`successors`); where the plan differs, it is cut off.
struct Transport: Equatable, Sendable {
  private(set) var state: State = .stopped
  private var lastGeneration: UInt32 = 0
  /// Whether the server paused playback, for example during a phone call: playback resumes afterwards, unless a user has
  /// requested something in between.
  private(set) var isPausedByServer = false

  enum State: Equatable, Sendable {
    /// No stream is open, except during the grace period.
    case stopped
    /// Paused, with nothing of the track decoded: after a restart, a jump while paused, or a long pause.
    case dormant(EntryID, at: MediaTime)
    /// The plan is never empty. Its first item is audible, or about to be.
    case active([Item], isPaused: Bool)
    /// Playing, but without a server: playback continues at this position once the server is back.
    case lost(EntryID, at: MediaTime)
  }

  var plan: [Item] {
    if case .active(let plan, _) = state { plan } else { [] }
  }

  /// The entry that is played, or would be if that were possible; nil while stopped.
  var entry: EntryID? {
    switch state {
    case .stopped: nil
    case .dormant(let entry, _), .lost(let entry, _): entry
    case .active(let plan, _): plan[0].entry
    }
  }

  var playState: PlayState {
    switch state {
    case .stopped: .stopped
    case .dormant, .active(_, isPaused: true): .paused
    case .active(_, isPaused: false), .lost: .playing
    }
  }

  /// Handles an event, and returns the actions to perform. An event without a meaning in this state has no effect.
  mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .play(let entry, let position): play(entry, from: position)
    case .jump(let entry, let position): jump(to: entry, at: position)
    case .pause: pause()
    case .resume: resume()
    case .stop: stop()
    case .restored(let entry, let position): restore(entry, at: position)
    case .successors(let entries, let starts): replan(entries, from: starts)

    case .opened(let generation, let continuation): handleOpened(generation, continuation)
    case .ended(let generation): handleEnd(of: generation)
    case .faded(let generation, let time, let next): handleFade(of: generation, from: time, into: next)
    case .failed(let generation, let failure): handleFailure(of: generation, failure)
    case .cutOff(let generation, let failure, let time): handleCutOff(of: generation, failure, at: time)
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
    case .corkRequested: pauseForServer()
    case .uncorkRequested: resumeForServer()

    case .graceElapsed(let position): release(at: position)
    }
  }

  mutating func setPausedByServer(_ isPaused: Bool) { isPausedByServer = isPaused }

  /// Starts a new plan with one new item.
  private mutating func start(_ entry: EntryID, from position: MediaTime) -> [Action] {
    let item = newItem(entry, from: position)
    state = .active([item], isPaused: false)
    return [.engine(.cancelGrace), .engine(.open(item))]
  }

  private mutating func newItem(_ entry: EntryID, from position: MediaTime) -> Item {
    lastGeneration += 1
    return Item(entry: entry, generation: Generation(lastGeneration), start: position)
  }

  /// Returns whether the generation exists and is later than `other`.
  private func isKnown(_ generation: Generation, after other: Generation) -> Bool {
    generation.number > other.number && generation.number <= lastGeneration
  }

  private mutating func release(at position: MediaTime?) -> [Action] {
    switch state {
    case .active(let plan, isPaused: true):
      state = .dormant(plan[0].entry, at: position ?? plan[0].start)
      return isPausedByServer
        ? [.engine(.haltWorker), .engine(.releaseWorker)] : [.engine(.silence), .engine(.release)]
    case .dormant where isPausedByServer: return [.engine(.releaseWorker)]
    case .stopped, .dormant: return [.engine(.release)]
    case .active, .lost: return []
    }
  }
}

// MARK: - Requests

/// A request of a user ends a pause that the server has requested: playback does not resume by itself afterwards.
extension Transport {
  /// Ends a pause that the server has requested. If the stream is open for nothing but that, the grace period begins.
  private mutating func endPauseByServer() -> [Action] {
    defer { isPausedByServer = false }
    guard case .dormant = state, isPausedByServer else { return [] }
    return [.engine(.startGrace)]
  }

  private mutating func play(_ entry: EntryID, from position: MediaTime) -> [Action] {
    isPausedByServer = false
    switch state {
    case .lost:
      state = .lost(entry, at: position)
      return []
    case .stopped, .dormant, .active: return start(entry, from: position)
    }
  }

  private mutating func jump(to entry: EntryID, at position: MediaTime) -> [Action] {
    let release = endPauseByServer()
    switch state {
    case .active(_, isPaused: false): return start(entry, from: position)
    case .active(_, isPaused: true):
      state = .dormant(entry, at: position)
      return [.engine(.silence), .engine(.startGrace)]
    case .dormant:
      state = .dormant(entry, at: position)
      return release
    case .lost:
      state = .lost(entry, at: position)
      return []
    case .stopped: return []
    }
  }

  private mutating func pause() -> [Action] {
    let release = endPauseByServer()
    switch state {
    case .active(let plan, isPaused: false):
      state = .active(plan, isPaused: true)
      return [.engine(.pauseSink), .engine(.startGrace)]
    case .lost(let entry, let position):
      state = .dormant(entry, at: position)
      return [.engine(.silence), .engine(.startGrace)]
    case .dormant: return release
    case .active(_, isPaused: true), .stopped: return []
    }
  }

  private mutating func resume() -> [Action] {
    isPausedByServer = false
    switch state {
    case .active(let plan, isPaused: true):
      state = .active(plan, isPaused: false)
      return [.engine(.cancelGrace), .engine(.resumeSink)]
    case .dormant(let entry, let position): return start(entry, from: position)
    case .active(_, isPaused: false), .lost, .stopped: return []
    }
  }

  private mutating func stop() -> [Action] {
    isPausedByServer = false
    switch state {
    case .active, .dormant, .lost:
      state = .stopped
      return [.engine(.silence), .engine(.startGrace)]
    case .stopped: return []
    }
  }

  private mutating func restore(_ entry: EntryID, at position: MediaTime) -> [Action] {
    let release = endPauseByServer()
    if case .stopped = state { state = .dormant(entry, at: position) }
    return release
  }

  /// Keeps the beginning of the plan that agrees with `entries`, cuts off the rest, and plans one more item once the last
  /// one is known to open.
  private mutating func replan(_ entries: [EntryID], from starts: [Int: MediaTime]) -> [Action] {
    guard case .active(var plan, let isPaused) = state else { return [] }
    var actions: [Action] = []
    let (agreed, planned) = plan.agreement(with: entries)
    let wasCut = agreed < plan.count
    plan.removeSubrange(agreed...)
    let last = plan[agreed - 1]
    // One file is opened at a time, so that not all files of a folder of damaged files are opened at once.
    if let fade = last.fade {
      // The item into which the last part was mixed is not played: that part is played alone before anything else
      // follows.
      var item = newItem(last.entry, from: fade.from)
      item.isRest = true
      plan[agreed - 1].fade?.into = item.generation
      plan.append(item)
      actions = [.engine(.follow(item, after: last.generation))]
    } else if entries.count > planned, last.phase != .opening {
      let item = newItem(entries[planned], from: starts[planned] ?? .zero)
      plan.append(item)
      actions = [.engine(.follow(item, after: last.generation))]
    } else if wasCut {
      actions = [.engine(.finish(after: last.generation))]
    }
    state = .active(plan, isPaused: isPaused)
    return actions
  }
}

// MARK: - Events of the worker

/// A generation that is not in the plan any more belongs to a track that is not wanted: its events are stale.
extension Transport {
  private mutating func handleOpened(_ generation: Generation, _ continuation: Continuation) -> [Action] {
    guard case .active(var plan, let isPaused) = state, let index = plan.index(of: generation),
      plan[index].phase == .opening
    else { return [] }
    plan[index].phase = .decoding
    plan[index].continuation = continuation
    state = .active(plan, isPaused: isPaused)
    return index == plan.count - 1 ? [.queue(.plan)] : []
  }

  private mutating func handleEnd(of generation: Generation) -> [Action] {
    guard case .active(var plan, let isPaused) = state, let index = plan.index(of: generation) else { return [] }
    plan[index].phase = .decoded
    state = .active(plan, isPaused: isPaused)
    // The plan may have changed before the event about the fade arrived.
    guard let fade = plan[index].fade else { return [] }
    return plan.dropFirst(index + 1).first?.generation == fade.into ? [] : [.queue(.plan)]
  }

  private mutating func handleFade(
    of generation: Generation, from time: MediaTime, into next: Generation
  ) -> [Action] {
    guard case .active(var plan, let isPaused) = state, let index = plan.index(of: generation),
      plan[index].phase != .decoded, isKnown(next, after: generation)
    else { return [] }
    plan[index].fade = Fade(from: time, into: next)
    state = .active(plan, isPaused: isPaused)
    return []
  }

  private mutating func handleFailure(of generation: Generation, _ failure: Failure) -> [Action] {
    guard case .active(let plan, let isPaused) = state, let index = plan.index(of: generation) else { return [] }
    return fail(index, of: plan, isPaused: isPaused, failure)
  }

  /// Attributes the crash of the worker to the first item that is not decoded; to none if all are in the ring. A live stream
  /// is opened again: it does not send again what may be the cause.
  private mutating func attributeCrash(
    _ failure: Failure, _ audible: Generation?, at time: MediaTime
  ) -> [Action] {
    guard case .active(let plan, let isPaused) = state,
      let index = plan.firstIndex(where: { $0.phase != .decoded })
    else { return [] }
    let item = plan[index]
    switch item.continuation {
    case .live:
      return reopen(
        index, of: plan, isPaused: isPaused, at: audible == item.generation ? time : item.start, failure)
    case .none, .atPosition: return fail(index, of: plan, isPaused: isPaused, failure)
    }
  }

  /// Continues with another worker after the end of one for which no item need be the cause. PCM of the current item that was not
  /// played yet is decoded again.
  private mutating func continueWithAnotherWorker(
    _ failure: Failure, _ audible: Generation?, at time: MediaTime
  ) -> [Action] {
    guard case .active(let plan, let isPaused) = state,
      let index = plan.firstIndex(where: { $0.phase != .decoded })
    else { return [] }
    let item = plan[index]
    let isAudible = audible == item.generation
    switch (item.phase, item.continuation) {
    case (.decoding, .live) where isAudible, (.decoding, .none) where isAudible:
      return attributeCrash(failure, audible, at: time)
    default:
      return continueWithoutWorker(
        index, of: plan, isPaused: isPaused, at: isAudible ? max(time, item.start) : nil, mayRetry: true)
    }
  }

  private mutating func handleCutOff(
    of generation: Generation, _ failure: Failure, at time: MediaTime
  ) -> [Action] {
    guard case .active(let plan, let isPaused) = state, let index = plan.index(of: generation),
      plan[index].phase != .decoded
    else { return [] }
    if plan[index].phase == .decoding, plan[index].continuation == .none {
      return fail(index, of: plan, isPaused: isPaused, failure)
    }
    return reopen(index, of: plan, isPaused: isPaused, at: time, failure)
  }

  /// The number of consecutive attempts without a second of audio after which a stream fails.
  private static let maximumAttempts = 4

  /// Opens the stream of an item again, which was played up to `time`. It fails with `failure` after too many attempts.
  private mutating func reopen(
    _ index: Int, of plan: [Item], isPaused: Bool, at time: MediaTime, _ failure: Failure
  ) -> [Action] {
    var plan = plan
    let item = plan[index]
    var retries = item.retries
    let delay = retries.delay(afterSuccess: time - item.start >= RetrySchedule.sufficientTime)
    guard retries.failures < Self.maximumAttempts else { return fail(index, of: plan, isPaused: isPaused, failure) }
    let isOpening = item.phase == .opening
    if isOpening, index == 0, isPaused { return continueWithoutWorker(0, of: plan, isPaused: true, mayRetry: true) }
    var next = again(item)
    (next.retries, next.delay) = (retries, delay)
    plan.removeSubrange((isOpening ? index : index + 1)...)
    if !isOpening {
      plan[index].phase = .decoded
      plan[index].fade = nil
      next.isRest = true
      // A live stream has no other position than its current one.
      next.start = item.continuation == .live ? .zero : max(time, item.start)
    }
    plan.append(next)
    state = .active(plan, isPaused: isPaused)
    guard plan.count > 1 else { return [.engine(.open(next))] }
    let end: [Action] = isOpening ? [] : [.engine(.endOfInput(item.generation))]
    return end + [.engine(.follow(next, after: plan[plan.count - 2].generation))]
  }

  /// Returns an item that replaces `item`.
  private mutating func again(_ item: Item) -> Item {
    var next = newItem(item.entry, from: item.start)
    (next.isRest, next.continuation) = (item.isRest, item.continuation)
    (next.retries, next.delay) = (item.retries, item.delay)
    return next
  }

  private mutating func handleCorruption(
    of generation: Generation, _ failure: Failure, isLate: Bool
  ) -> [Action] {
    guard case .active(let plan, let isPaused) = state else { return [] }
    guard let index = plan.index(of: generation) else {
      // The worker wrote over a track that is not wanted any more. Another worker decodes what is left.
      guard !isLate, let index = plan.firstIndex(where: { $0.phase != .decoded }) else { return [] }
      return continueWithoutWorker(index, of: plan, isPaused: isPaused, mayRetry: true)
    }
    guard plan[index].phase == .decoded else { return fail(index, of: plan, isPaused: isPaused, failure) }
    // This item was written completely, and overwritten while a later one was decoded: it ends here, and the later ones
    // are decoded again.
    state = .active(Array(plan[...index]), isPaused: isPaused)
    // The crash of a worker that has been replaced was attributed when it ended.
    if isLate { return cutActions(after: index, of: plan) + [.queue(.plan)] }
    let culprit = plan[index...].first { $0.phase != .decoded } ?? plan[index]
    let marking = Action.queue(.markUnplayable(culprit.entry, failure))
    return [marking] + cutActions(after: index, of: plan) + [.queue(.plan)]
  }

  /// Continues after a worker that no file had reached has ended, or after none could be started.
  private mutating func continueWithoutWorker(mayRetry: Bool) -> [Action] {
    guard case .active(let plan, let isPaused) = state,
      let index = plan.firstIndex(where: { $0.phase == .opening })
    else { return [] }
    return continueWithoutWorker(index, of: plan, isPaused: isPaused, mayRetry: mayRetry)
  }

  /// Continues without marking a track unplayable. What is in the ring is played to its end. If the first item of the
  /// plan is not decoded, it is started again, at `position` or, without one, from its start. If that is not possible or playback
  /// is paused, it is left paused there.
  private mutating func continueWithoutWorker(
    _ index: Int, of plan: [Item], isPaused: Bool, at position: MediaTime? = nil, mayRetry: Bool
  ) -> [Action] {
    let item = plan[index]
    let position = position ?? item.start
    if index > 0 {
      if mayRetry, item.continuation != .none {
        let next = again(item)
        state = .active(plan[..<index] + [next], isPaused: isPaused)
        return [.engine(.follow(next, after: plan[index - 1].generation))]
      }
      state = .active(Array(plan[..<index]), isPaused: isPaused)
      return [.engine(.finish(after: plan[index - 1].generation))] + (mayRetry ? [.queue(.plan)] : [])
    }
    if mayRetry, !isPaused { return start(item.entry, from: position) }
    state = .dormant(item.entry, at: position)
    return [.engine(.silence), .engine(.startGrace)]
  }

  /// Returns the actions that let the sink drop what follows an item. Otherwise it would wait for items that were removed from
  /// the plan, if none takes their place.
  private func cutActions(after index: Int, of plan: [Item]) -> [Action] {
    index + 1 < plan.count ? [.engine(.finish(after: plan[index].generation))] : []
  }

  private mutating func fail(_ index: Int, of plan: [Item], isPaused: Bool, _ failure: Failure) -> [Action] {
    var plan = plan
    let item = plan[index]
    let marking = Action.queue(.markUnplayable(item.entry, failure))
    switch item.phase {
    case .decoded:
      return []
    case .decoding:
      // The part that was decoded is played, and the next track follows it.
      let cut = cutActions(after: index, of: plan)
      plan[index].phase = .decoded
      // An item that was not decoded to its end has no valid fade.
      plan[index].fade = nil
      plan.removeSubrange((index + 1)...)
      state = .active(plan, isPaused: isPaused)
      return [marking, .engine(.endOfInput(item.generation))] + cut + [.queue(.plan)]
    case .opening where index == 0:
      state = .stopped
      return [
        marking, .engine(.silence), .engine(.startGrace), .queue(.skip(item.entry, wasPaused: isPaused)),
      ]
    case .opening:
      plan.removeSubrange(index...)
      // The rest of a track is decoded once. If its file cannot be opened, that is not retried.
      if item.isRest || plan[index - 1].isRest { plan[index - 1].fade = nil }
      state = .active(plan, isPaused: isPaused)
      return [marking, .engine(.finish(after: plan[index - 1].generation)), .queue(.plan)]
    }
  }
}

// MARK: - Events of the sink

extension Transport {
  /// Makes the item that has become audible the first one of the plan.
  private mutating func advance(to generation: Generation) -> [Action] {
    guard case .active(let plan, let isPaused) = state, let index = plan.index(of: generation), index > 0 else {
      return []
    }
    state = .active(Array(plan[index...]), isPaused: isPaused)
    return plan.endedTracks(before: index)
  }

  /// Stops playback if the generation is the last one of the plan. If not, another track was planned while the sink
  /// drained, and the sink starts that by itself.
  private mutating func finish(_ generation: Generation) -> [Action] {
    guard case .active(let plan, let isPaused) = state, let last = plan.last, last.generation == generation else {
      return []
    }
    state = .stopped
    return plan.endedTracks(before: plan.count - 1)
      + [.engine(.startGrace), .queue(.planEnded(last.entry, wasPaused: isPaused))]
  }

  private mutating func loseServer(_ audible: Generation?, at time: MediaTime) -> [Action] {
    switch state {
    case .active(let plan, let isPaused):
      let index = audible.flatMap(plan.index)
      let position = index == nil ? plan[0].start : time
      let entry = plan[index ?? 0].entry
      // A pause that the server has requested ends with the server.
      let staysPaused = isPaused && !isPausedByServer
      state = staysPaused ? .dormant(entry, at: position) : .lost(entry, at: position)
      return plan.endedTracks(before: index ?? 0) + [.engine(staysPaused ? .silence : .haltWorker)]
    case .dormant(let entry, let position) where isPausedByServer:
      state = .lost(entry, at: position)
      return []
    case .dormant, .lost, .stopped: return []
    }
  }

  private mutating func continueAfterLoss() -> [Action] {
    guard case .lost(let entry, let position) = state else { return [] }
    isPausedByServer = false
    return start(entry, from: position)
  }

  private mutating func handleRefusedStream() -> [Action] {
    guard case .active(let plan, _) = state else { return [] }
    state = .dormant(plan[0].entry, at: plan[0].start)
    return [.engine(.silence), .engine(.startGrace)]
  }

  private mutating func pauseForServer() -> [Action] {
    guard case .active(let plan, isPaused: false) = state else { return [] }
    state = .active(plan, isPaused: true)
    isPausedByServer = true
    return [.engine(.pauseSink), .engine(.startGrace)]
  }

  private mutating func resumeForServer() -> [Action] { isPausedByServer ? resume() : [] }
}
