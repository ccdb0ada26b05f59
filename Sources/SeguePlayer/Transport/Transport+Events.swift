internal import SegueRing
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

extension Transport {
  /// An event that the state machine handles.
  enum Event: Equatable, Sendable {
    // Requests.
    case play(Track, from: MediaTime)
    /// Like `play`, but a paused player stays paused, and a stopped one stays stopped.
    case jump(Track, to: MediaTime)
    /// Pauses. Only a user pauses a player that does not play.
    case pause(PauseReason)
    /// Ends a pause with this reason. A user ends every pause.
    case resume(PauseReason)
    case stop
    /// The daemon has started, and the previous daemon was paused at this position.
    case restored(Track, at: MediaTime)
    /// The plan is to be decoded again, from this position, in another way. No user has requested something else.
    case restart(Track, at: MediaTime)
    /// The tracks to play after the first one of the plan, in order; only one more than is planned already is needed.
    case successors([Start])

    // Events of the worker.
    case opened(Generation, MediaInfo)
    case ended(Generation)
    /// Sent right before `ended`: the track is decoded up to that time, and the rest of it is mixed into the other
    /// generation.
    case faded(Generation, from: MediaTime, into: Generation)
    case failed(Generation, Failure)
    /// The fetch process ended. The generation is decoded up to that time.
    case cutOff(Generation, Failure, at: MediaTime)
    /// The connection of the generation's stream was lost, or is there again.
    case connectionChanged(Generation, isLost: Bool)
    /// The worker ended. The generation and the time were audible last, nil if nothing was.
    case workerDied(Failure, audible: Generation? = nil, at: MediaTime = .zero)
    /// The worker was killed or hung, for which the file need not be the cause: another worker continues. The
    /// generation and the time were audible last.
    case workerLost(Failure, audible: Generation? = nil, at: MediaTime = .zero)
    /// The data in the ring for this generation is invalid, and cannot be played. `isLate`: whether the worker that
    /// wrote it has been replaced already.
    case corrupted(Generation, Failure, isLate: Bool)
    /// The worker ended before any file had reached it. Another one may work.
    case workerNotStarted
    /// No worker can be started.
    case noDecoder

    // Events of the sink.
    case audible(Generation)
    case finished(Generation)
    /// The connection to the server is lost. The generation and the time were audible last. If the generation is nil,
    /// nothing was audible, and playback continues at the position at which it was started.
    case lost(Generation? = nil, at: MediaTime = .zero)
    case connected
    /// The server refused to open a stream.
    case refused
    /// Everything that was decoded of the audible generation is played, and its worker delivers no more.
    case starved

    // The timer.
    case graceElapsed(at: MediaTime?)
  }

  /// A consequence of an event. Actions are performed in the order in which `handle` returns them.
  enum Action: Equatable, Sendable {
    case engine(EngineAction)
    case queue(QueueDecision)
  }

  /// An action for the worker and the sink.
  enum EngineAction: Equatable, Sendable {
    /// Flush the sink, and start this item.
    case open(Item)
    /// Play the item right after the generation.
    case follow(Item, after: Generation)
    /// Play nothing after the generation.
    case finish(after: Generation)
    /// The generation gets no more PCM: play what there is of it, then continue.
    case endOfInput(Generation)
    case pauseSink
    case resumeSink
    /// Flush the sink at once, and let the worker drop its tracks.
    case silence
    /// Let the worker drop its tracks. The sink has lost its server and reconnects by itself.
    case haltWorker
    /// Close the stream, and end the worker.
    case release
    /// End the worker. The stream stays, so that the server can request its continuation.
    case releaseWorker
    case startGrace
    case cancelGrace
  }

  /// A decision that needs the queue.
  enum QueueDecision: Equatable, Sendable {
    /// Determine which entries come next, and send `successors`.
    case plan
    /// The file of the item was opened, which has its description now.
    case opened(Item)
    /// The entry cannot be played, for this reason.
    case markUnplayable(EntryID, Failure)
    /// The first entry of the plan cannot be played: choose another, and pause it if this one was paused.
    case skip(EntryID, pause: PauseReason?)
    /// The entry was played to its end, and the next one of the plan is audible now.
    case trackEnded(EntryID)
    /// The last entry of the plan was played to its end. What follows is paused if that entry was paused.
    case planEnded(EntryID, pause: PauseReason?)
  }
}
