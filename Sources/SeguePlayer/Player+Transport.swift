internal import SegueLibrary
internal import SegueLink
internal import SegueSystem
public import SegueWire

/// Play, pause and their kin. Each answers the state that it made.
extension Player {
  public func play(_ target: PlayTarget, then: @escaping Completion<Status>) {
    switch target {
    case .resume:
      switch transport.playState {
      case .playing: then(.success(status))
      case .paused: perform(.resume, then: then)
      case .stopped: playCurrentOrFirst(then: then)
      }
    case .index(let index):
      guard queue.entries.indices.contains(index) else { return then(.failure(noTrack(at: index))) }
      play(queue.entries[index].id, then: then)
    case .id(let id):
      guard queue.index(of: EntryID(id)) != nil else { return then(.failure(noTrack(withID: id))) }
      play(EntryID(id), then: then)
    case .uri(let uri):
      add([uri], at: .next, play: true) { [weak self] result in
        guard let self else { return }
        switch result {
        case .failure(let failure): then(.failure(failure))
        case .success(let result):
          if result.added.isEmpty, let refusal = result.failed.listed.first { return then(.failure(refusal.failure)) }
          then(.success(self.status))
        }
      }
    }
  }

  public func pause(then: @escaping Completion<Status>) { perform(.pause, then: then) }

  public func toggle(then: @escaping Completion<Status>) {
    if transport.playState == .playing { pause(then: then) } else { play(.resume, then: then) }
  }

  public func stop(then: @escaping Completion<Status>) {
    stops += 1
    perform(.stop, then: then)
  }

  public func next(by unit: StepUnit, then: @escaping Completion<Status>) { step(.next, by: unit, then: then) }
  public func previous(by unit: StepUnit, then: @escaping Completion<Status>) { step(.prev, by: unit, then: then) }

  public func seek(_ target: SeekTarget, then: @escaping Completion<Status>) {
    // First of all: asking may find that the next one is heard by now.
    let status = status
    guard let current = queue.currentEntry else {
      return then(.failure(noCurrentTrack))
    }
    guard transport.playState != .stopped else {
      return then(.failure(Failure(.unavailable, "stopped: there is nothing to seek in; play first")))
    }
    guard isSeekable else {
      return then(.failure(Failure(.notSeekable, "this stream cannot be sought in")))
    }
    // Nothing is clamped on an estimate.
    let end = current.durationKind == .exact ? current.duration : nil
    let position: MediaTime
    switch target {
    case .position(let time):
      guard time >= .zero, end.map({ time <= $0 }) ?? true else {
        // The position is not repeated: what is beyond `MediaTime.maximum` has become that.
        let range = end.map { "from 0 to \($0.seconds) seconds" } ?? "0 seconds or more"
        return then(.failure(Failure(.outOfRange, "the position is outside the track; it must be \(range)")))
      }
      position = time
    case .offset(let offset):
      position = max(.zero, (status.position ?? .zero) + offset)
      if let end, position >= end { return next(by: .track, then: then) }
    case .fraction(let fraction):
      guard (0...1).contains(fraction) else {
        return then(.failure(Failure(.outOfRange, "fraction is \(fraction); it must be 0 to 1")))
      }
      guard let duration = current.duration else {
        return then(.failure(Failure(.notSeekable, "the length of this track is not known, so neither is its part")))
      }
      position = MediaTime(seconds: duration.seconds * fraction)
    }
    perform(.jump(current.id, to: position), then: then)
  }

  /// Whether there is a current track whose position can be moved, as far as is known.
  public var isSeekable: Bool {
    guard let current = queue.currentEntry else { return false }
    return current.durationKind != .unbounded && currentInfo?.seekable != false
  }

  // MARK: Steps

  private func perform(_ event: Transport.Event, then: Completion<Status>) {
    dispatch(event)
    keeper.savePlayhead()
    then(.success(status))
  }

  private func playCurrentOrFirst(then: @escaping Completion<Status>) {
    guard !queue.isEmpty else { return then(.failure(.emptyQueue)) }
    let advance =
      queue.currentEntry == nil ? queue.advance(.trackEnded, skipping: isRefused).entry : queue.current
    start(advance ?? queue.entries[0].id, then: then)
  }

  private func play(_ id: EntryID, then: @escaping Completion<Status>) {
    // The track that is current already goes on from where it is.
    if id == queue.current, transport.playState == .paused { return perform(.resume, then: then) }
    if id == queue.current, transport.playState == .playing { return then(.success(status)) }
    start(id, then: then)
  }

  private func start(_ id: EntryID, then: @escaping Completion<Status>) {
    bookmarks.whenRead { [weak self] in
      guard let self else { return }
      guard self.queue.setCurrent(id) else { return then(.failure(self.noTrack(withID: id.number))) }
      self.perform(.play(id, from: self.beginning(of: id)), then: then)
    }
  }

  private func step(_ reason: PlayQueue.Reason, by unit: StepUnit, then: @escaping Completion<Status>) {
    guard unit == .chapter else { return step(reason, then: then) }
    whenChaptersAreKnown(for: reason) { [weak self] isLeft in
      guard let self else { return }
      // The track was skipped before it was known to have no chapters: this step is done.
      if isLeft { return then(.success(self.status)) }
      guard let place = self.place(reason), let entry = self.transport.entry else {
        return self.step(reason, then: then)
      }
      self.perform(.jump(entry, to: place), then: then)
    }
  }

  private func step(_ reason: PlayQueue.Reason, then: @escaping Completion<Status>) {
    guard !queue.isEmpty else { return then(.failure(.emptyQueue)) }
    // What is heard is where a step starts from.
    _ = status
    let heard = transport.entry
    let advance = queue.advance(reason, skipping: isRefused)
    if let entry = advance.entry {
      dispatch(.jump(entry, to: entry == heard ? .zero : beginning(of: entry)))
    } else {
      dispatch(.stop)
    }
    keeper.savePlayhead()
    apply(advance.change) { [weak self] in
      if let self { then(.success(self.status)) }
    }
    note(.player)
  }

  /// Why what is asked of the current track cannot be done: there is none.
  var noCurrentTrack: Failure {
    queue.isEmpty ? .emptyQueue : Failure(.noSuchTrack, "no track is current; play one first")
  }

  private func noTrack(at index: Int) -> Failure {
    if queue.isEmpty { return .emptyQueue }
    return Failure(
      .noSuchTrack, "no track at index \(index); the queue has \(queue.count), from 0 to \(queue.count - 1)")
  }

  func noTrack(withID id: UInt64) -> Failure {
    Failure(.noSuchTrack, "no track with id \(id) in the queue")
  }
}

extension Failure {
  static let emptyQueue = Failure(.emptyQueue, "the queue is empty")
  static let fullQueue = Failure(.tooLarge, "the queue holds \(PlayQueue.capacity) entries at most")
}
