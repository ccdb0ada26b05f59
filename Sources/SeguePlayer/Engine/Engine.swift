// Thread: the loop. It joins opener, worker and sink; it waits for none of them.

internal import SegueLibrary
internal import SegueLink
internal import SegueLoop
internal import SeguePulse
internal import SegueRing
internal import SegueSystem
internal import SegueWire

/// Carries out what the transport decides, and tells it what came of it.
@MainActor
final class Engine {
  /// What the transport is told. Set once, by the player.
  var report: (@MainActor (Transport.Event) -> Void)?
  /// What the file of a generation turned out to be.
  var onOpened: (@MainActor (Generation, MediaInfo) -> Void)?
  var onLength: (@MainActor (Generation, MediaTime) -> Void)?
  var onStreamTitle: (@MainActor (Generation, String) -> Void)?
  var onOutput: (@MainActor () -> Void)?
  /// The server would not open a stream, and why.
  var onRefusal: (@MainActor (String) -> Void)?
  var onVolume: (@MainActor (VolumeState) -> Void)?
  var uri: @MainActor (EntryID) -> String? = { _ in nil }
  /// How long stream and worker outlive a pause or stop.
  var gracePeriod: @MainActor () -> MediaTime = { .zero }

  let sink: SinkPort
  private let pool: WorkerPool
  private let opener: MediaOpener
  private var grace: Timer?
  private var watch: WorkerWatch?

  /// The worker that decodes, if one does.
  private var worker: WorkerProcess? {
    willSet { bytesOfOldWorkers += worker?.ring?.bytesRead ?? 0 }
    didSet { watch?.forget() }
  }
  private var bytesOfOldWorkers: UInt64 = 0
  /// The worker of the other role that takes over once `worker` has done with what it has: a file after a stream, or the
  /// other way round. It is given nothing before, for a stream would run away from its listener.
  private var successor: (worker: WorkerProcess, item: Transport.Item, after: Generation)?
  /// Whether `worker` has been given anything to decode.
  private var workerIsFresh = true
  /// The first generation `worker` was given; those before came from others.
  private var workersFirst = Generation(1)
  /// Workers in a row that ended before any file had reached them.
  private var failedStarts = 0
  private static let mostFailedStarts = 3
  /// Why there is no decoder, for people; nil while there is one to be had.
  private(set) var trouble: String?
  /// The one generation whose file is being opened.
  private var opening: Generation?

  init(loop: EventLoop, pool: WorkerPool, opener: MediaOpener) throws(SystemError) {
    self.pool = pool
    self.opener = opener
    sink = try SinkPort(loop: loop)
    sink.onEvent = { [weak self] event in self?.hear(event) }
    grace = try Timer(on: loop, slack: MediaTime(seconds: 1)) { [weak self] in
      guard let self else { return }
      self.report?(.graceElapsed(at: self.sink.position?.time))
    }
    watch = try WorkerWatch(
      loop: loop, awaitsPCM: { [weak self] in self?.sink.awaitsPCM == true },
      hangs: { [weak self] in self?.worker?.kill(because: "the decoder got stuck in this file") })
  }

  /// PCM that was taken over from workers so far.
  var bytesDecoded: UInt64 { bytesOfOldWorkers + (worker?.ring?.bytesRead ?? 0) }

  /// Does what concerns sound; false for what is the player's own.
  func perform(_ action: Transport.Action) -> Bool {
    switch action {
    case .open(let item): open(item)
    case .follow(let item, let after): follow(item, after: after)
    case .followNothing(let after):
      successor = nil
      watch?.cut(after: after)
      sink.send(.followNothing(after: after))
    case .endOfInput(let generation): sink.send(.endOfInput(generation))
    case .pauseSink: sink.send(.pause)
    case .resumeSink: sink.send(.resume)
    case .silence:
      sink.send(.stop)
      idleWorker()
    case .idleWorker: idleWorker()
    case .release: release()
    case .startGrace: grace?.arm(after: gracePeriod())
    case .cancelGrace: grace?.disarm()
    case .plan, .blame, .skip, .passed, .playedOut: return false
    }
    return true
  }

  func shutdown() {
    worker = nil
    successor = nil
    pool.drain()
    sink.shutdown()
  }

  // MARK: Decoding

  private func open(_ item: Transport.Item) {
    successor = nil
    watch?.cut(after: nil)
    let role = role(for: item)
    if worker?.role != role { worker = nil }
    withWorker(role) { worker, ring in
      sink.send(.play(item.generation, ring, paused: false))
      send(item) { [weak self] source, file in
        self?.order(.open(item.generation, source, start: item.start), item.generation, file, to: worker)
      }
    }
  }

  private func follow(_ item: Transport.Item, after: Generation) {
    let role = role(for: item)
    if let worker, worker.role != role {
      engage(role, for: item, after: after)
      return takeOver()
    }
    successor = nil
    watch?.cut(after: after)
    withWorker(role) { worker, ring in
      sink.send(.follow(item.generation, ring, after: after))
      // A worker that knows nothing of `after` starts afresh; the sink joins the two rings.
      let startsAfresh = workerIsFresh
      send(item) { [weak self] source, file in
        let order: WorkerOrder =
          startsAfresh
          ? .open(item.generation, source, start: item.start) : .follow(item.generation, source, after: after)
        self?.order(order, item.generation, file, to: worker)
      }
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
  private func takeOver() {
    guard let (worker, item, after) = successor, opening != after, watch?.owes(after) != true else { return }
    successor = nil
    // What the other one decoded stays in its ring, which the sink holds.
    self.worker = worker
    workerIsFresh = true
    send(item) { [weak self] source, file in
      self?.order(.open(item.generation, source, start: item.start), item.generation, file, to: worker)
    }
  }

  /// Runs `body` with the worker that decodes and its ring, if they can be had.
  private func withWorker(_ role: WorkerRole, _ body: (WorkerProcess, SharedRing) -> Void) {
    if worker == nil {
      worker = hire(role)
      workerIsFresh = true
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
        guard let self else { return }
        if self.worker === worker {
          self.dismiss(failure)
        } else if self.successor?.worker === worker {
          self.dismissSuccessor(failure)
        }
      }
      return worker
    } catch {
      let reason = "no decoder can be started: \(error)"
      // Told on a later turn: the transport is in the middle of a list of actions.
      sink.later { [weak self] in self?.giveUp(because: reason) }
      return nil
    }
  }

  private func send(_ item: Transport.Item, _ order: @escaping @MainActor (MediaSource, OpenedMedia) -> Void) {
    let generation = item.generation
    guard let uri = uri(item.entry) else {
      return fail(generation, Failure(.noSuchTrack, "the track is no longer in the queue"))
    }
    opening = generation
    opener.open(uri) { [weak self] result in
      guard let self, self.opening == generation else { return }
      self.opening = nil
      switch result {
      case .success(let media): order(media.source, media)
      case .failure(let failure): self.fail(generation, failure)
      }
    }
  }

  private func order(
    _ order: WorkerOrder, _ generation: Generation, _ media: OpenedMedia, to worker: WorkerProcess
  ) {
    // If it is gone meanwhile, that has been told and another plan made.
    guard self.worker === worker else { return }
    if workerIsFresh { workersFirst = generation }
    workerIsFresh = false
    let after: Generation? = if case .follow(_, _, let after) = order { after } else { nil }
    if let ring = worker.ring { watch?.ordered(generation, after: after, isFile: media.file != nil, into: ring) }
    worker.send(order, file: media.file?.raw)
  }

  /// Told on a later turn: the transport is in the middle of a list of actions.
  private func fail(_ generation: Generation, _ failure: Failure) {
    sink.later { [weak self] in self?.report?(.failed(generation, failure)) }
  }

  private func idleWorker() {
    opening = nil
    successor = nil
    if !workerIsFresh { worker?.send(.halt) }
    watch?.forget()
  }

  private func release() {
    opening = nil
    sink.send(.release)
    worker = nil
    successor = nil
    pool.drain()
    // A daemon that will sleep for hours keeps nothing of what an evening's commands took.
    Memory.giveBack()
  }

  private func dismiss(_ failure: Failure) {
    // What it was to decode next has not reached it yet.
    let owedNothing = watch?.owesNothing == true
    worker = nil
    successor = nil
    pool.noteLoss()
    Log.warning("\(failure.message)")
    guard workerIsFresh || owedNothing || failure.kind == .unavailable else {
      report?(.workerDied(failure))
      return
    }
    startAgain(failure)
  }

  /// It had been given nothing.
  private func dismissSuccessor(_ failure: Failure) {
    successor = nil
    pool.noteLoss()
    Log.warning("\(failure.message)")
    startAgain(failure)
  }

  /// No file had a part in it: another worker is tried, a few times.
  private func startAgain(_ failure: Failure) {
    failedStarts += 1
    if failedStarts < Self.mostFailedStarts {
      report?(.workerNotStarted)
    } else {
      giveUp(because: failure.message)
    }
  }

  /// Until somebody asks again.
  private func giveUp(because reason: String) {
    failedStarts = 0
    trouble = reason
    Log.error("\(reason); nothing can be played")
    report?(.noDecoder)
  }

  // MARK: News

  private func hear(_ workerReport: WorkerReport) {
    guard let generation = workerReport.generation, let watch else { return }
    switch watch.hear(of: generation) {
    case .old: return
    case .early: worker?.kill(because: "the decoder spoke of a track it cannot have reached")
    case .due: hear(workerReport, of: generation, watch)
    }
  }

  private func hear(_ workerReport: WorkerReport, of generation: Generation, _ watch: WorkerWatch) {
    switch workerReport {
    case .opened(_, let info):
      failedStarts = 0
      trouble = nil
      onOpened?(generation, info)
      report?(.opened(generation))
    case .ended(_, let duration):
      watch.paid(generation)
      // Its end is marked in the ring before it is reported: what is not there by now will never be.
      sink.send(.endOfInput(generation))
      onLength?(generation, duration)
      report?(.ended(generation))
      takeOver()
    case .failed(_, let failure):
      // Who knows in what state the file has left it: the next one is not to suffer for it.
      worker = nil
      report?(.failed(generation, failure))
    case .title(_, let title, let time):
      sink.whenAudible(generation, time) { [weak self] in self?.onStreamTitle?(generation, title) }
    case .ready, .probed, .failedProbe: break
    }
  }

  private func hear(_ event: SinkPort.Event) {
    switch event {
    case .audible(let generation): report?(.audible(generation))
    case .finished(let generation): report?(.finished(generation))
    case .lost(let heard, let time): report?(.lost(heard, at: time))
    case .connected: report?(.connected)
    case .corkRequested: report?(.corkRequested)
    case .uncorkRequested: report?(.uncorkRequested)
    case .volume(let state): onVolume?(state)
    case .output: onOutput?()
    case .refused(let reason): onRefusal?(reason)
    case .corrupt(let generation, let what):
      Log.error("a decoder wrote what no decoder writes (\(what)); it is ended")
      // Late news of one that is gone already is no fault of its successor's.
      if !workerIsFresh, generation.number >= workersFirst.number {
        worker = nil
        successor = nil
      }
      report?(.corrupted(generation, Failure(.unplayable, "the decoder broke down on this file")))
    }
  }
}
