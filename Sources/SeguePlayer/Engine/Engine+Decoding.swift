// Thread: the loop.

internal import SegueLibrary
internal import SegueLink
internal import SeguePulse
internal import SegueRing
internal import SegueWire

/// From a track of the plan to a worker's order.
extension Engine {
  /// Silences what sounds, and starts `item`.
  func open(_ item: Transport.Item) {
    cut(after: nil)
    let role = role(for: item)
    if worker?.role != role { worker = nil }
    withWorker(role) { worker, ring in
      sink.send(.play(item.generation, ring, paused: false))
      begin(item, with: worker)
    }
  }

  /// Has `item` heard right behind `after`.
  func follow(_ item: Transport.Item, after: Generation) {
    let role = role(for: item)
    if let worker, worker.role != role {
      engage(role, for: item, after: after)
      return takeOver()
    }
    cut(after: after)
    withWorker(role) { worker, ring in
      sink.send(.follow(item.generation, ring, after: after))
      // A worker that knows nothing of `after` starts afresh; the sink joins the two rings.
      guard workersFirst != nil else { return begin(item, with: worker) }
      openFile(of: item, after: after) { [weak self] media in
        let order = WorkerCommand.follow(item.generation, media.source, after: after, start: item.start)
        self?.order(order, item.generation, media, to: worker)
      }
    }
  }

  /// What was to come behind `after`, or everything if that is nil, is wanted no more.
  func cut(after: Generation?) {
    successor = nil
    watch?.cut(after: after)
  }

  /// Has `worker` drop what it is at, and decode `item`.
  private func begin(_ item: Transport.Item, with worker: WorkerProcess) {
    openFile(of: item) { [weak self] media in
      self?.order(.open(item.generation, media.source, start: item.start), item.generation, media, to: worker)
    }
  }

  private func role(for item: Transport.Item) -> WorkerRole { uri(item.entry).map(MediaOpener.role) ?? .files }

  /// Has a worker of `role` stand by, and the sink know where the sound will go on.
  private func engage(_ role: WorkerRole, for item: Transport.Item, after: Generation) {
    let waiting = successor?.worker
    successor = nil
    guard let worker = waiting ?? hire(role) else { return }
    successor = (worker, item, after)
    withRing(of: worker) { ring in sink.send(.follow(item.generation, ring, after: after)) }
  }

  /// Lets the successor begin if the worker before has done with its last.
  func takeOver() {
    guard let (worker, item, after) = successor, opening != after, watch?.owes(after) != true else { return }
    successor = nil
    // What the other one decoded stays in its ring, which the sink holds.
    self.worker = worker
    workersFirst = nil
    begin(item, with: worker)
  }

  /// Runs `body` with the worker that decodes and its ring, if they can be had.
  private func withWorker(_ role: WorkerRole, _ body: (WorkerProcess, SharedRing) -> Void) {
    if worker == nil {
      worker = hire(role)
      workersFirst = nil
    }
    guard let worker else { return }
    withRing(of: worker) { ring in body(worker, ring) }
  }

  private func withRing(of worker: WorkerProcess, _ body: (SharedRing) -> Void) {
    do {
      body(try worker.decodingRing())
    } catch {
      // It is about to end, or made to; that is told then.
      worker.kill(because: "the decoder takes no ring: \(error)")
    }
  }

  /// nil if none can be started, which is reported.
  private func hire(_ role: WorkerRole) -> WorkerProcess? {
    do {
      let worker = try pool.take(role)
      worker.onReport = { [weak self, weak worker] report in
        if let self, self.worker === worker { self.hear(report) }
      }
      worker.onEnd = { [weak self, weak worker] failure in
        if let self, let worker { self.dismiss(worker, failure) }
      }
      return worker
    } catch {
      let reason = "no decoder can be started: \(error)"
      // Told on a later turn: the transport is in the middle of a list of actions.
      sink.later { [weak self] in self?.giveUp(because: reason) }
      return nil
    }
  }

  /// `after`: what it is to be joined to by the worker, if it is.
  private func openFile(
    of item: Transport.Item, after: Generation? = nil, _ then: @escaping @MainActor (OpenedMedia) -> Void
  ) {
    let generation = item.generation
    guard let uri = uri(item.entry) else {
      return fail(generation, Failure(.noSuchTrack, "the track is no longer in the queue"))
    }
    opening = generation
    level(item.entry) { [weak self] level in
      guard let self, self.opening == generation else { return }
      self.opener.open(uri) { [weak self] result in
        guard let self, self.opening == generation else { return }
        self.opening = nil
        switch result {
        case .success(var media):
          media.source.gain = level
          self.arrange(&media.source, item.entry, after)
          then(media)
        case .failure(let failure): self.fail(generation, failure)
        }
      }
    }
  }

  private func order(
    _ order: WorkerCommand, _ generation: Generation, _ media: OpenedMedia, to worker: WorkerProcess
  ) {
    // If it is gone meanwhile, that has been told and another plan made.
    guard self.worker === worker else { return }
    if workersFirst == nil { workersFirst = generation }
    let after: Generation? = if case .follow(_, _, let after, _) = order { after } else { nil }
    if let ring = worker.ring { watch?.ordered(generation, after: after, isFile: media.file != nil, into: ring) }
    worker.send(order, files: [media.file?.raw].compactMap(\.self))
  }

  /// Told on a later turn: the transport is in the middle of a list of actions.
  private func fail(_ generation: Generation, _ failure: Failure) {
    sink.later { [weak self] in self?.report?(.failed(generation, failure)) }
  }
}
