internal import SegueLibrary
internal import SegueLoop
internal import SegueSystem
public import SegueWire

/// What is in the queue. A change is on disk before its answer.
extension Player {
  /// `isFilling`: nobody waits for it but the queue; see `Addition`. Without a place of its own, and for playing, what the
  /// daemon has put into the queue by itself is not added when it is first named: the entry stays where it is, and is
  /// part of the answer.
  public func add(
    _ uris: [String], at placement: Placement, play: Bool, isFilling: Bool = false,
    then: @escaping Completion<AddResult>
  ) {
    if case .index(let index) = placement, !(0...queue.count).contains(index) {
      return then(
        .failure(Failure(.outOfRange, "at is \(index); it must be \"end\", \"next\", or 0 to \(queue.count)")))
    }
    let addition = addition(of: uris, isFilling: isFilling)
    var point: InsertionPoint =
      switch placement {
      case .end: .end
      case .next: .next
      case .index(let index): .index(index)
      }
    let claims = !isFilling && (play || placement == .end)
    var added: [EntryID] = []
    let stops = stops
    enqueue(
      addition,
      deliver: { [weak self] entries in
        guard let self, !entries.isEmpty else { return }
        let isFirst = added.isEmpty
        let claimed = claims ? self.filling.claim(entries, in: self.queue) : entries.map { _ in nil }
        let new = zip(entries, claimed).filter { $0.1 == nil }.map(\.0)
        let insertion = self.queue.insert(new, at: point)
        var ids = insertion.ids[...]
        added += claimed.compactMap { $0 ?? ids.popFirst() }
        if let last = insertion.ids.last { point = .after(last) }
        self.noteUnprobed(insertion.range)
        if isFilling { self.filling.append(insertion.ids, new.prefix(insertion.ids.count)) }
        self.refuse(insertion.refused, of: addition, isFilling)
        self.apply(insertion.change)
        self.plan()
        self.note(.player)
        if isFirst, play, self.stops == stops, let first = added.first { self.begin(first) }
      },
      finish: { [weak self] in
        guard let self else { return }
        guard play else { return self.answer(added, addition.refusals, then: then) }
        // Begun by then, too.
        self.bookmarks.whenRead { self.answer(added, addition.refusals, then: then) }
      }, end: { then(.failure($0)) })
  }

  /// Refuses what the queue has no room for. Of the music folders, which nobody named, nothing is listed.
  private func refuse(_ entries: ArraySlice<NewEntry>, of addition: Addition, _ isFilling: Bool) {
    guard isFilling, !entries.isEmpty else { return addition.refuse(entries) }
    Log.warning("not all of the music folders is in the queue: \(Failure.fullQueue.message)")
    addition.stop()
  }

  private func begin(_ id: EntryID) {
    bookmarks.whenRead { [weak self] in
      guard let self, self.queue.setCurrent(id) else { return }
      self.dispatch(.play(id, from: self.beginning(of: id)))
      self.keeper.savePlayhead()
    }
  }

  /// Ends what is being added. Nothing else changes if `uris` names something and nothing of it can be had.
  public func replace(with uris: [String], isFilling: Bool = false, then: @escaping Completion<AddResult>) {
    let addition = addition(of: uris, isFilling: isFilling)
    var entries: [NewEntry] = []
    endAdditions(because: "the queue was replaced")
    enqueue(
      addition,
      deliver: { new in
        let room = PlayQueue.capacity - entries.count
        entries += new.prefix(room)
        addition.refuse(new.dropFirst(room))
      },
      finish: { [weak self] in
        guard let self else { return }
        guard !entries.isEmpty || uris.isEmpty else { return self.answer([], addition.refusals, then: then) }
        self.filling.end()
        let (insertion, removal) = self.queue.replaceAll(entries)
        self.noteUnprobed(insertion.range)
        self.apply(insertion.change, freeing: removal.discarded)
        self.goOn(after: removal, orFrom: insertion.ids.first)
        self.answer(insertion.ids, addition.refusals, then: then)
      }, end: { then(.failure($0)) })
  }

  /// Finds what `uris` stand for, and puts it nowhere.
  func collect(_ uris: [String], then: @escaping @MainActor ([NewEntry], URIFailureList) -> Void) {
    let addition = addition(of: uris)
    var entries: [NewEntry] = []
    enqueue(addition, deliver: { entries += $0 }, finish: { then(entries, addition.refusals) }, end: nil)
  }

  private func addition(of uris: [String], isFilling: Bool = false) -> Addition {
    Addition(uris, isFilling: isFilling, files: files, prober: prober, library: library, mailbox: loop.mailbox)
  }

  public func remove(_ ids: [UInt64], then: @escaping Completion<QueueSummary>) {
    // Of many, those that have gone meanwhile are passed over.
    if ids.count == 1 || queue.isEmpty, let unknown = unknown(among: ids) {
      return then(.failure(Failure(.noSuchTrack, "no track with id \(unknown) in the queue")))
    }
    // What is heard is what is current.
    _ = status
    let removal = queue.remove(ids.map(EntryID.init))
    settle(removal.change, then: then)
    goOn(after: removal, orFrom: nil)
  }

  public func move(_ ids: [UInt64], to index: Int, then: @escaping Completion<QueueSummary>) {
    if let unknown = unknown(among: ids) {
      return then(.failure(Failure(.noSuchTrack, "no track with id \(unknown) in the queue")))
    }
    guard (0..<max(1, queue.count)).contains(index) else {
      return then(.failure(Failure(.outOfRange, "to is \(index); it must be 0 to \(max(0, queue.count - 1))")))
    }
    settle(queue.move(ids.map(EntryID.init), to: index), then: then)
    plan()
  }

  /// Ends what is being added, too.
  public func clear(then: @escaping Completion<QueueSummary>) {
    endAdditions(because: "the queue was emptied")
    filling.end()
    let removal = queue.clear()
    settle(removal.change, freeing: removal.discarded, then: then)
    goOn(after: removal, orFrom: nil)
  }

  /// The first of `ids` that is not in the queue.
  private func unknown(among ids: [UInt64]) -> UInt64? {
    zip(ids, queue.places(of: ids.map(EntryID.init))).first { $0.1 == nil }?.0
  }

  // MARK: Additions, one after another

  private func enqueue(
    _ addition: Addition, deliver: @escaping Addition.Deliver, finish: @escaping @MainActor () -> Void,
    end: (@MainActor (Failure) -> Void)?
  ) {
    additions.append(PendingQueueAddition(addition: addition, deliver: deliver, finish: finish, end: end))
    startNextAddition()
  }

  private func startNextAddition() {
    guard addition == nil, let next = additions.popFirst() else { return }
    addition = next
    next.addition.start(deliver: next.deliver) { [weak self] in
      next.finish()
      self?.addition = nil
      self?.startNextAddition()
    }
  }

  /// Of what is on its way into the queue nothing more comes in.
  private func endAdditions(because reason: String) {
    let failure = Failure(.cancelled, "\(reason) before all of it was added")
    var others = FIFO<PendingQueueAddition>()
    var ended: [PendingQueueAddition] = []
    if let addition, addition.end != nil {
      addition.addition.end()
      ended.append(addition)
      self.addition = nil
    }
    while let next = additions.popFirst() {
      if next.end == nil { others.append(next) } else { ended.append(next) }
    }
    additions = others
    for addition in ended { addition.end?(failure) }
    startNextAddition()
  }

  private func answer(_ added: [EntryID], _ refusals: URIFailureList, then: @escaping Completion<AddResult>) {
    let result = AddResult(added: added.map(\.number), failed: refusals, version: queue.version)
    keeper.save([]) { then(.success(result)) }
  }

  // MARK: After a change

  private func settle(
    _ change: QueueChange, freeing discarded: DiscardedEntries? = nil, then: @escaping Completion<QueueSummary>
  ) {
    let summary = summary
    apply(change, freeing: discarded) { then(.success(summary)) }
    note(.player)
  }

  /// What plays is still in the queue and plays on, or its successor is played, or there is none.
  private func goOn(after removal: PlayQueue.Removal, orFrom first: EntryID?) {
    guard removal.currentChanged else { return plan() }
    let next = removal.current ?? first
    if let next { queue.setCurrent(next) }
    if let next, transport.playState != .stopped {
      dispatch(.jump(next, to: beginning(of: next)))
    } else {
      dispatch(.stop)
    }
    keeper.savePlayhead()
    note(.player)
  }
}

/// An addition and what is done with what it finds.
struct PendingQueueAddition {
  let addition: Addition
  let deliver: Addition.Deliver
  let finish: @MainActor () -> Void
  /// What is done instead if it is ended; nil for what goes elsewhere than into the queue.
  let end: (@MainActor (Failure) -> Void)?
}
