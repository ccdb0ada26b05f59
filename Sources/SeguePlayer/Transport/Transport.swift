internal import SegueLink
internal import SegueRing
internal import SegueSystem
internal import SegueWire

/// What the player is doing, as a value: `handle(event)` changes it and says what is to be done. No I/O, no clock, no
/// queue inside, so that every state can be tested against every event.
///
/// While something sounds it holds a *plan*: the track that is heard, and behind it every track that has been handed on
/// to worker and sink already. With the sink's two seconds and the ring's ten, tracks of a tenth of a second make a
/// long one. Whoever owns the queue says what should follow (`successors`); what is planned otherwise is cut off.
struct Transport: Equatable, Sendable {
  private(set) var state: State = .stopped
  private var lastGeneration: UInt32 = 0
  /// A phone call corked us: play on when it is over, unless somebody pressed a key meanwhile.
  private var isPausedByServer = false

  enum State: Equatable, Sendable {
    /// Nothing is open, or at most kept for a grace period.
    case stopped
    /// Paused, with nothing of the track decoded: after a restart, a jump while paused, a long pause.
    case dormant(EntryID, at: MediaTime)
    /// The plan is never empty; its first is heard, or about to be.
    case active([Item], isPaused: Bool)
    /// Asked to play, and no server: plays on from here by itself.
    case lost(EntryID, at: MediaTime)
  }

  /// One track on its way from file to ear.
  struct Item: Equatable, Sendable {
    let entry: EntryID
    let generation: Generation
    /// Where in the track it was started.
    let start: MediaTime
    var phase: Phase = .opening
    /// From where on the rest of it is heard in one that comes behind it, mixed or alone.
    var fade: Fade?
    /// Whether it is such a rest: more of the track before it.
    var isRest = false
  }

  /// The end of a track that is no part of its own sound.
  struct Fade: Equatable, Sendable {
    let from: MediaTime
    /// What has it. Where something else follows, the rest has to be decoded again.
    var into: Generation
  }

  enum Phase: Equatable, Sendable {
    case opening
    case decoding
    /// Everything that will ever come of it is in the ring.
    case decoded
  }

  enum Event: Equatable, Sendable {
    // What people ask for.
    case play(EntryID, from: MediaTime)
    /// As `play`, but paused stays paused, and stopped stays stopped.
    case jump(EntryID, to: MediaTime)
    case pause
    case resume
    case stop
    /// As the last daemon left it.
    case restored(EntryID, at: MediaTime)
    /// What should come after the first of the plan, in order; one more than is planned is enough. Each begins at its
    /// start, or where `from` says, by its place among them.
    case successors([EntryID], from: [Int: MediaTime] = [:])
    // What the worker says.
    case opened(Generation)
    case ended(Generation)
    /// Right before `ended`: it is decoded up to that moment; the rest is mixed into the other one.
    case faded(Generation, from: MediaTime, into: Generation)
    case failed(Generation, Failure)
    case workerDied(Failure)
    /// What was written for this generation, or over it, cannot be played. `isLate`: by a worker that another one has
    /// taken the place of already.
    case corrupted(Generation, Failure, isLate: Bool)
    /// The worker ended before any file had reached it; another may do.
    case workerNotStarted
    /// No worker can be had.
    case noDecoder
    // What the sink says.
    case audible(Generation)
    case finished(Generation)
    /// The server is gone. What was heard last, where anything was: else it stays where it was started.
    case lost(Generation? = nil, at: MediaTime = .zero)
    case connected
    /// The server would open no stream.
    case refused
    case corkRequested
    case uncorkRequested
    // The clock.
    case graceElapsed(at: MediaTime?)
  }

  enum Action: Equatable, Sendable {
    /// Silence what sounds, and start this.
    case open(Item)
    case follow(Item, after: Generation)
    case finish(after: Generation)
    /// No more PCM will come for it: play what there is and go on.
    case endOfInput(Generation)
    case pauseSink
    case resumeSink
    /// Silence at once, and let the worker drop what it has.
    case silence
    /// The sink has lost its server and looks for it; let the worker drop what it has meanwhile.
    case idleWorker
    /// The stream closes, the worker goes.
    case release
    case startGrace
    case cancelGrace
    /// Ask the queue and say `successors`.
    case plan
    /// The entry cannot be played, and why.
    case blame(EntryID, Failure)
    /// The first of the plan cannot be played: choose another.
    case skip(EntryID, wasPaused: Bool)
    /// This one was heard to its end and the next of the plan is heard now.
    case passed(EntryID)
    /// The last of the plan was heard to its end.
    case playedOut(EntryID, wasPaused: Bool)
  }
}

extension Transport {
  var plan: [Item] {
    if case .active(let plan, _) = state { plan } else { [] }
  }

  /// What is played, or would be if it could; nil while stopped.
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

  mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .play, .jump, .pause, .resume, .stop, .restored:
      isPausedByServer = false
      return handleRequest(event)
    case .successors(let entries, let starts): return replan(entries, from: starts)
    case .opened, .ended, .faded, .failed, .workerDied, .corrupted, .workerNotStarted, .noDecoder:
      return handleWorker(event)
    case .audible, .finished, .lost, .connected, .refused, .corkRequested, .uncorkRequested: return handleSink(event)
    case .graceElapsed(let position): return release(at: position)
    }
  }

  /// A new item at the head of a new plan.
  mutating func start(_ entry: EntryID, from position: MediaTime) -> [Action] {
    let item = newItem(entry, from: position)
    state = .active([item], isPaused: false)
    return [.cancelGrace, .open(item)]
  }

  mutating func become(_ state: State) { self.state = state }

  mutating func newItem(_ entry: EntryID, from position: MediaTime) -> Item {
    lastGeneration += 1
    return Item(entry: entry, generation: Generation(lastGeneration), start: position)
  }

  /// Whether a generation was numbered so already, and after `other`.
  func isKnown(_ generation: Generation, after other: Generation) -> Bool {
    generation.number > other.number && generation.number <= lastGeneration
  }

  mutating func noteServerPause(_ isPaused: Bool) { isPausedByServer = isPaused }

  var wasPausedByServer: Bool { isPausedByServer }

  private mutating func release(at position: MediaTime?) -> [Action] {
    switch state {
    case .active(let plan, isPaused: true):
      state = .dormant(plan[0].entry, at: position ?? plan[0].start)
      return [.silence, .release]
    case .stopped, .dormant: return [.release]
    case .active, .lost: return []
    }
  }
}
