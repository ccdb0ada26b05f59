internal import SegueLoop
internal import SegueState
internal import SegueSystem
public import SegueWire

/// Requests that change the queue. A change is on disk before the response to its request.
extension Player {
  /// Adds the tracks of `uris`. `play`: whether the first of them is played.
  ///
  /// The first request to play a track, or to add it with `endIfMissing`, does not add the track if the daemon has done
  /// so already when it populated the queue: the entry stays where it is, and is part of the response.
  ///
  /// `command`, here and below: a number that requests have in common which are parts of one command of a user. Such
  /// requests that follow one another are one step of the history.
  public func add(
    _ uris: [String], at placement: Placement, play: Bool, ofCommand command: Int? = nil,
    then: @escaping Completion<AddResult>
  ) {
    add(uris, at: placement, play: play, ofCommand: command, isPopulation: false, then: then)
  }

  /// `isPopulation`: whether the daemon populates its queue.
  private func add(
    _ uris: [String], at placement: Placement, play: Bool, ofCommand command: Int? = nil, isPopulation: Bool,
    then: @escaping Completion<AddResult>
  ) {
    guard Self.hasMemory(for: uris) else { return then(.failure(.memoryLimit)) }
    let count = queue.contents.count
    if case .index(let index) = placement, !(0...count).contains(index) {
      return then(.failure(Failure(.outOfRange, "at is \(index); it must be \"end\", \"next\", or 0 to \(count)")))
    }
    let tracks = tracks(of: uris, isPopulation: isPopulation)
    var point: InsertionPoint =
      switch placement {
      case .end, .endIfMissing: .end
      case .next: .next
      case .index(let index): .index(index)
      case .after(let id): .after(EntryID(id))
      }
    let origin: QueueController.Origin =
      isPopulation ? .population : .request(claims: play || placement == .endIfMissing, command: command)
    var added: [EntryID] = []
    var claimed = 0
    let request = play ? playback.requests.add() : nil
    addRequests.enqueue(
      tracks,
      deliver: { [weak self] entries in
        guard let self, !entries.isEmpty else { return }
        self.queue.whenIdle {
          guard !tracks.isCancelled else { return }
          let isFirst = added.isEmpty
          let insertion = self.queue.insert(entries, at: point, from: origin)
          added += insertion.ids
          claimed += insertion.claimed
          if let last = insertion.last { point = .after(last) }
          self.probes.schedule(AscendingRanges(insertion.range))
          if isPopulation {
            self.stopPopulation(tracks, insertion.refused)
          } else {
            tracks.refuse(insertion.refused)
          }
          self.playback.plan()
          self.notifier.notify(.player)
          if isFirst, let request, let first = added.first { self.begin(first, request) }
        }
      },
      finish: { [weak self] in
        guard let self else { return }
        self.queue.finishAddition()
        guard play else { return self.respond(added, claimed: claimed, tracks.refusals, then: then) }
        // The first track is played after the bookmarks were read. The response follows that.
        self.bookmarks.whenRead { self.respond(added, claimed: claimed, tracks.refusals, then: then) }
      },
      onCancel: { [weak self] failure in
        self?.queue.finishAddition()
        then(.failure(failure))
      })
  }

  /// Stops the population of a queue that is full. No user has requested the population, so no track is listed as
  /// refused.
  private func stopPopulation(_ tracks: AddRequest, _ refused: ArraySlice<NewEntry>) {
    guard !refused.isEmpty else { return }
    Log.warning("not all tracks of the music folders were added: \(Failure.fullQueue.message)")
    tracks.stop()
  }

  /// Whether the process may allocate what an addition needs: about a kilobyte for each track in the queue, in the
  /// database and in the response, and the rest for what goes on meanwhile.
  private static func hasMemory(for uris: [String]) -> Bool {
    CurrentProcess.mayAllocate(16 << 20 + uris.count << 10)
  }

  /// Plays an entry, unless a request after `request` has determined what is played.
  private func begin(_ id: EntryID, _ request: Int) {
    bookmarks.whenRead { [weak self] in
      guard let self, self.playback.requests.settle(request), self.queue.setCurrent(id) else { return }
      self.playback.play(id)
    }
  }

  /// Replaces the queue by the tracks of `uris`, and cancels running additions. The queue does not change if `uris` is
  /// not empty, and none of them can be added. `start`: the URI of the entry that is played, or the first one if none
  /// has that URI; without it, the current track continues if the new queue contains it.
  public func replace(
    with uris: [String], playing start: String? = nil, ofCommand command: Int? = nil,
    then: @escaping Completion<AddResult>
  ) {
    replace(with: uris, playing: start, ofCommand: command, isPopulation: false, then: then)
  }

  private func replace(
    with uris: [String], playing start: String? = nil, ofCommand command: Int? = nil, isPopulation: Bool,
    then: @escaping Completion<AddResult>
  ) {
    guard Self.hasMemory(for: uris) else { return then(.failure(.memoryLimit)) }
    let tracks = tracks(of: uris, isPopulation: isPopulation)
    var entries = QueueReplacement()
    let request = start == nil ? nil : playback.requests.add()
    addRequests.cancelAll(because: LocalizableMessage("the queue was replaced"))
    addRequests.enqueue(
      tracks,
      deliver: { [weak self] new in
        guard let self else { return }
        self.queue.whenIdle {
          if !tracks.isCancelled { tracks.refuse(self.queue.prepare(new, for: &entries)) }
        }
      },
      finish: { [weak self] in
        guard let self else { return }
        guard !entries.isEmpty || uris.isEmpty else { return self.respond([], tracks.refusals, then: then) }
        self.queue.replaceAll(entries, startingWith: start, ofCommand: command) { insertion, removal, first in
          self.probes.schedule(AscendingRanges(insertion.range))
          self.playback.continueAfter(removal, orFrom: first)
          if let request, let first { self.begin(first, request) }
          // The entry is started after the bookmarks were read. The response follows that.
          self.bookmarks.whenRead { self.respond(insertion.ids, tracks.refusals, then: then) }
        }
        // The closures keep the variable for some time.
        entries = QueueReplacement()
      },
      onCancel: { [weak self] failure in
        self?.queue.discard(entries)
        then(.failure(failure))
      })
  }

  /// Finds the tracks of `uris` without adding them to the queue.
  func collect(_ uris: [String], then: @escaping @MainActor ([NewEntry], URIFailureList) -> Void) {
    let tracks = tracks(of: uris, isPopulation: false)
    var entries: [NewEntry] = []
    addRequests.enqueue(
      tracks, deliver: { entries += $0 }, finish: { then(entries, tracks.refusals) }, onCancel: nil)
  }

  private func tracks(of uris: [String], isPopulation: Bool) -> AddRequest {
    AddRequest(
      uris, isPopulation: isPopulation, files: files, prober: prober, index: index, playlists: playlists.store,
      scan: scan, catalogs: catalogs, mailbox: loop.mailbox)
  }

  /// `claimed`: how many of the entries `added` were in the queue already.
  private func respond(
    _ added: [EntryID], claimed: Int = 0, _ refusals: URIFailureList, then: @escaping Completion<AddResult>
  ) {
    let result = AddResult(
      added: added.map(\.number), alreadyQueued: claimed, failed: refusals, version: queue.contents.version)
    persistence.save([]) { then(.success(result)) }
  }

  public func remove(_ ids: [UInt64], ofCommand command: Int? = nil, then: @escaping Completion<QueueSummary>) {
    // If several entries are to be removed, those that have left the queue meanwhile are ignored.
    if ids.count == 1 || queue.contents.isEmpty,
      let unknown = queue.contents.firstUnknown(among: ids.map(EntryID.init))
    {
      return then(.failure(noTrack(withID: unknown.number)))
    }
    let ids = ids.map(EntryID.init)
    remove({ _ in ids }, count: ids.count, ofCommand: command, then: then)
  }

  /// Removes the entries whose track another entry has.
  public func dedupe(then: @escaping Completion<QueueSummary>) {
    remove({ $0.duplicates }, count: queue.contents.count, then: then)
  }

  /// Removes all entries but these; nil: but the current one.
  public func crop(to ids: [UInt64]?, then: @escaping Completion<QueueSummary>) {
    guard let ids = ids?.map(EntryID.init) ?? queue.contents.current.map({ [$0] }) else {
      return then(.failure(Failure(.noSuchTrack, "there is no current track")))
    }
    if let unknown = queue.contents.firstUnknown(among: ids) {
      return then(.failure(noTrack(withID: unknown.number)))
    }
    remove({ $0.others(than: ids) }, count: queue.contents.count, then: then)
  }

  /// Removes the entries that `ids` returns for the queue at the time of the removal, about `count`. It may be called
  /// on another thread.
  private func remove(
    _ ids: @escaping @Sendable (PlayQueue) -> [EntryID], count: Int, ofCommand command: Int? = nil,
    then: @escaping Completion<QueueSummary>
  ) {
    queue.remove(ids, count: count, ofCommand: command, then: then) { [self] removal in
      notifier.notify(.player)
      playback.continueAfter(removal, orFrom: nil)
    }
  }

  public func move(
    _ ids: [UInt64], to place: QueuePlace, ofCommand command: Int? = nil, then: @escaping Completion<QueueSummary>
  ) {
    let count = queue.contents.count
    // An unknown entry is the better explanation.
    if case .index(let index) = place, !(0..<max(1, count)).contains(index) {
      if let unknown = queue.contents.firstUnknown(among: ids.map(EntryID.init)) {
        return then(.failure(noTrack(withID: unknown.number)))
      }
      return then(
        .failure(Failure(.outOfRange, "to is \(index); it must be \"end\", \"next\", or 0 to \(max(0, count - 1))")))
    }
    let point: InsertionPoint =
      switch place {
      case .end: .end
      case .next: .next
      case .index(let index): .index(index)
      }
    move({ _ in ids.map(EntryID.init) }, count: ids.count, to: point, ofCommand: command, then: then)
  }

  /// Puts the entries of the queue in random order, the current one first.
  public func shuffleNow(then: @escaping Completion<QueueSummary>) {
    move(
      { contents in
        let others = contents.entries.lazy.map(\.id).filter { $0 != contents.current }
        return (contents.current.map { [$0] } ?? []) + Array(others).shuffled()
      }, count: queue.contents.count, to: .index(0), then: then)
  }

  public func sort(by key: QueueSort, _ order: SortOrder, then: @escaping Completion<QueueSummary>) {
    move({ $0.sorted(by: key, order) }, count: queue.contents.count, to: .index(0), then: then)
  }

  /// Moves the entries that `ids` returns for the queue at the time of the move, about `count`. It may be called on
  /// another thread.
  private func move(
    _ ids: @escaping @Sendable (PlayQueue) -> [EntryID], count: Int, to point: InsertionPoint,
    ofCommand command: Int? = nil,
    then: @escaping Completion<QueueSummary>
  ) {
    queue.move(
      ids, count: count, to: point, ofCommand: command, then: then, orFail: { [self] in noTrack(withID: $0.number) },
      finish: { [self] in
        notifier.notify(.player)
        playback.plan()
      })
  }

  /// Removes all entries, and cancels running additions.
  public func clear(then: @escaping Completion<QueueSummary>) {
    addRequests.cancelAll(because: LocalizableMessage("the queue was cleared"))
    queue.remove(nil, count: queue.contents.count, ofCommand: nil, then: then) { [self] removal in
      notifier.notify(.player)
      playback.continueAfter(removal, orFrom: nil)
    }
  }

  func noTrack(withID id: UInt64) -> Failure { Failure(.noSuchTrack, "no track with id \(id) in the queue") }

  // MARK: Initial population

  /// Populates the queue with the arguments of the daemon; without arguments with the music folders, if there has never
  /// been a queue. To be called after `start`, so that the files that the scan reads are not probed, too.
  public func populate(from uris: [String]) {
    if uris.isEmpty {
      guard queue.mayBePopulated else { return }
      let folders = settings.configuration.effectiveMusicFolders
      add(folders.map(FileURI.encode), at: .end, play: false, isPopulation: true) { result in
        guard case .success(let result) = result else { return }
        Log.info("\(result.added.count) tracks from \(folders.map(\.description).joined(separator: ", "))")
        // Music folders without music are not worth a warning.
        if !result.added.isEmpty { Self.log(result.failed) }
      }
    } else {
      replace(with: uris, isPopulation: true) { result in
        guard case .success(let result) = result else { return }
        Log.info("\(result.added.count) tracks in the queue")
        Self.log(result.failed)
      }
    }
  }

  private static func log(_ refusals: URIFailureList) {
    for refusal in refusals.listed { Log.warning("\(WebURL.withoutUser(refusal.uri)): \(refusal.message)") }
    if refusals.unlisted > 0 { Log.warning("\(refusals.unlisted) more could not be added") }
  }
}

extension Failure {
  static let emptyQueue = Failure(.emptyQueue, "the queue is empty")
  static let memoryLimit = Failure(.tooLarge, "the limit of memory of the daemon does not permit more tracks")
  static let fullQueue = Failure(.tooLarge, "the queue is full (at most \(PlayQueue.capacity) entries)")
}
