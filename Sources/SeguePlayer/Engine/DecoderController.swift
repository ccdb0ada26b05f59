// Thread: the loop. The controller waits neither for files nor for workers.

internal import SegueFiles
internal import SegueLoop
internal import SegueOutput
internal import SegueRing
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// The decoder on the loop: it holds the worker that decodes the plan into its ring, the worker that takes
/// over from it, and the opener of their sources.
@MainActor
final class DecoderController {
  weak var delegate: (any EngineDelegate)? {
    didSet { opener.delegate = delegate }
  }

  private let mailbox: Mailbox
  private let sink: SinkController
  private let pool: WorkerPool
  private let opener: SourceOpener
  private let fetcher: Fetcher
  private var watchdog = DecodeWatchdog()
  private var watchdogTimer: Timer?
  /// A track is retried only once: playback cannot wait for more.
  private var supervisor = WorkerSupervisor(maximumKills: 2)
  /// The entry whose worker was killed or hung last, with the number of such workers. It may be the cause until it is
  /// decoded.
  private var suspect: (entry: EntryID, kills: Int)?

  /// The worker that decodes, if there is one.
  private var worker: WorkerProcess? {
    willSet { bytesOfFormerWorkers += worker?.ring?.bytesRead ?? 0 }
    didSet { forgetDecodes() }
  }
  /// The generations that `worker` has to decode.
  private var queue = DecodeQueue()
  private var bytesOfFormerWorkers: UInt64 = 0
  /// The worker of the other role that takes over once `worker` has finished: for a file after a stream, or the other
  /// way round. It gets no command before that, because a stream would run ahead of playback.
  private var successor: (worker: WorkerProcess, request: DecodeRequest, after: Generation)?
  /// The first generation that `worker` was given, nil before that. Earlier generations came from other workers.
  private var firstGeneration: Generation?
  /// The reason why no worker can be started; nil if one can.
  private(set) var error: LocalizableMessage?

  init(
    loop: EventLoop, pool: WorkerPool, opener: MediaOpener, fetcher: Fetcher, sink: SinkController
  ) throws(SystemError) {
    mailbox = loop.mailbox
    self.pool = pool
    self.opener = try SourceOpener(loop: loop, opener: opener)
    self.sink = sink
    self.fetcher = fetcher
    watchdogTimer = try Timer(on: loop, slack: .seconds(1)) { [weak self] in self?.checkWorker() }
    sink.decoder = self
  }

  /// The number of bytes of PCM that were read from all workers so far.
  var bytesDecoded: UInt64 { bytesOfFormerWorkers + (worker?.ring?.bytesRead ?? 0) }

  /// The length of the PCM that is ready to be played.
  var buffered: MediaTime { sink.buffered(in: firstGeneration == nil ? nil : worker?.ring) }

  // MARK: Commands

  /// Flushes the sink, and starts an item.
  func open(_ request: DecodeRequest) {
    let item = request.item
    let decoded = decodedSource(for: item)
    cut(after: nil)
    let role = MediaOpener.role(for: item.track.uri)
    if worker?.role != role { worker = nil }
    withWorker(role) { worker, ring in
      // The worker gets its command first, if its source is open or a stream. If the flush of the sink made room in the
      // ring before that, the worker would decode more of the old track.
      if let decoded, firstGeneration != nil, worker.acceptsCommands {
        restart(request, from: decoded, with: worker)
      } else {
        begin(request, with: worker)
      }
      sink.send(.play(item.generation, ring, paused: false))
    }
  }

  /// Plays an item right after the generation `after`.
  func follow(_ request: DecodeRequest, after: Generation) {
    let item = request.item
    let role = MediaOpener.role(for: item.track.uri)
    if let worker, worker.role != role {
      prepareSuccessor(role, for: request, after: after)
      return takeOver()
    }
    cut(after: after)
    withWorker(role) { worker, ring in
      sink.send(.enqueue(item.generation, ring, after: after))
      // A worker that was not given `after` begins anew; the sink joins the two rings.
      guard firstGeneration != nil else { return begin(request, with: worker) }
      open(request, at: item.track.uri, after: after, for: worker) {
        .follow(item.generation, $0, after: after, start: item.start)
      }
    }
  }

  /// Drops everything that was to follow `after`, or everything if that is nil.
  func cut(after: Generation?) {
    successor = nil
    if opener.generation != after { opener.cancel() }
    queue.cut(after: after)
  }

  /// Lets the worker drop its tracks.
  func halt() {
    opener.cancel()
    successor = nil
    if firstGeneration != nil { worker?.send(WorkerCommand.halt) }
    forgetDecodes()
  }

  /// Stops waiting for anything of the worker.
  private func forgetDecodes() {
    queue = DecodeQueue()
    watchdogTimer?.disarm()
  }

  /// Ends the workers of playback, and the idle ones of the pool.
  func release() {
    opener.cancel()
    worker = nil
    successor = nil
    pool.drain()
  }

  /// Makes `worker` drop its tracks, and decode an item, which is at `uri`; by default at the URI of its track.
  private func begin(_ request: DecodeRequest, at uri: String? = nil, with worker: WorkerProcess) {
    let item = request.item
    open(request, at: uri ?? item.track.uri, after: nil, for: worker) { .open(item.generation, $0, start: item.start) }
  }

  /// Opens the source of an item, and sends it to `worker` with the command that `command` makes. `after`: the
  /// generation that the worker joins it to, if it does.
  private func open(
    _ request: DecodeRequest, at uri: String, after: Generation?, for worker: WorkerProcess,
    command: @escaping @MainActor (MediaSource) -> WorkerCommand
  ) {
    opener.open(request, at: uri, isJoined: after != nil) { [weak self, mailbox] result in
      switch result {
      case .success(let media):
        self?.send(
          command(media.source), to: worker, files: [media.descriptor], after: after,
          DecodeQueue.Decode(request: request, uri: uri, source: media.source, isFile: media.isFile))
      case .failure(let failure):
        // The loop goes on between the failures of many tracks that cannot be opened.
        mailbox.post { self?.delegate?.handle(.failed(request.item.generation, failure)) }
      }
    }
  }

  /// Sends a command with which `worker` gets the generation `pending`.
  private func send(
    _ command: WorkerCommand, to worker: WorkerProcess, files: [Int32] = [], after: Generation? = nil,
    _ pending: DecodeQueue.Decode
  ) {
    // If the worker has ended meanwhile, that was handled, and the plan is another one.
    guard self.worker === worker else { return }
    if firstGeneration == nil { firstGeneration = pending.generation }
    var pending = pending
    if let suspect, suspect.entry == pending.item.entry { pending.kills = suspect.kills }
    queue.cut(after: after)
    queue.append(pending)
    watchdog.began(bytesRead: worker.ring?.bytesRead ?? 0)
    watchdogTimer?.arm(after: DecodeWatchdog.shortInterval)
    worker.send(command, files: files)
  }

  // MARK: Seeking

  /// Returns what the worker decodes if that is the source of `item`, and `item` need not wait.
  private func decodedSource(for item: Transport.Item) -> DecodeQueue.Decode? {
    guard item.delay == .zero, let decoded = queue.undecoded.first else { return nil }
    return item.track.uri == decoded.uri ? decoded : nil
  }

  /// Makes `worker` decode an item from the source that it decodes as `decoded`. If it cannot, it responds with
  /// `sourceNeeded`.
  private func restart(
    _ request: DecodeRequest, from decoded: DecodeQueue.Decode, with worker: WorkerProcess
  ) {
    let item = request.item
    opener.prepare(decoded.source, for: request) { [weak self] source in
      self?.send(
        .restart(item.generation, source, of: decoded.generation, start: item.start), to: worker,
        DecodeQueue.Decode(
          request: request, uri: decoded.uri, source: source, isFile: decoded.isFile, isRestarting: true))
    }
  }

  /// Handles that the worker needs the source of the first pending generation.
  private func handleSourceRequest() {
    // A malicious worker may ask for a source that it has.
    guard let pending = queue.pending.first, pending.isRestarting, let worker else { return }
    // It has nothing to do until the source is open.
    queue.cut(after: nil)
    begin(pending.request, at: pending.uri, with: worker)
  }

  // MARK: Workers

  /// Starts a worker of `role` that is to take over, and tells the sink from which ring playback will continue.
  /// Playback does not wait for it: the worker before it is still decoding, or has decoded the rest of its track.
  private func prepareSuccessor(_ role: WorkerRole, for request: DecodeRequest, after: Generation) {
    let prepared = successor?.worker
    successor = nil
    guard let worker = prepared ?? takeWorker(role, for: .other) else { return }
    successor = (worker, request, after)
    withRing(of: worker) { ring in sink.send(.enqueue(request.item.generation, ring, after: after)) }
  }

  /// Lets the successor begin if the worker before it has finished its last track.
  private func takeOver() {
    guard let (worker, request, after) = successor, opener.generation != after, !queue.contains(after)
    else { return }
    successor = nil
    // The PCM of the former worker stays in its ring, which the sink holds.
    self.worker = worker
    firstGeneration = nil
    begin(request, with: worker)
  }

  /// Runs `body` with the worker that decodes and its ring, if both are available.
  private func withWorker(_ role: WorkerRole, _ body: (WorkerProcess, SharedRing) -> Void) {
    if worker == nil {
      worker = takeWorker(role, for: .playback)
      firstGeneration = nil
    }
    guard let worker else { return }
    withRing(of: worker) { ring in body(worker, ring) }
  }

  private func withRing(of worker: WorkerProcess, _ body: (SharedRing) -> Void) {
    do {
      body(try worker.decodingRing())
    } catch {
      // The worker is about to end, or is ended here; its end is reported then.
      worker.kill(because: LocalizableMessage("cannot pass the ring buffer to the decoder: \(error)"))
    }
  }

  /// Returns nil, and reports it, if no worker can be started.
  private func takeWorker(_ role: WorkerRole, for purpose: WorkerPool.Purpose) -> WorkerProcess? {
    do {
      let worker = try pool.take(role, for: purpose)
      worker.setHandlers(
        onEvent: { [weak self, weak worker] event in
          if let self, self.worker === worker { self.handle(event) }
        },
        onEnd: { [weak self, weak worker] end, failure in
          if let self, let worker { self.handleEnd(of: worker, end, failure) }
        })
      return worker
    } catch {
      giveUp(because: LocalizableMessage("cannot start a decoder: \(error)"))
      return nil
    }
  }

  // MARK: Events

  private func handle(_ event: WorkerEvent) {
    guard case .decoding(let generation, let event) = event else { return }
    switch queue.order(of: event, generation) {
    case .stale: return
    case .premature:
      worker?.kill(because: LocalizableMessage("the decoder reported a track that it cannot have reached"))
    case .expected:
      watchdog.advanced()
      handle(event, of: generation)
    }
  }

  private func handle(_ event: DecodingEvent, of generation: Generation) {
    switch event {
    case .sourceNeeded: handleSourceRequest()
    case .opened(let info):
      queue.update(generation) { $0.isRestarting = false }
      supervisor.workerResponded()
      error = nil
      delegate?.handle(.opened(generation, info))
    case .decoded:
      suspect = nil
      queue.update(generation) { $0.isDecoded = true }
      delegate?.handle(.ended(generation))
    case .ended(let duration):
      suspect = nil
      queue.remove(generation)
      // The worker marks the end in the ring before it reports it: no more PCM will come.
      sink.send(.endOfInput(generation))
      delegate?.handleDuration(of: generation, duration)
      delegate?.handle(.ended(generation))
      takeOver()
    case .incomplete(let failure): delegate?.handleTruncation(of: generation, failure)
    case .faded(let time, let next): delegate?.handle(.faded(generation, from: time, into: next))
    case .failed(let failure):
      // The file may have left the worker in any state, which must not affect the next file.
      worker = nil
      delegate?.handle(.failed(generation, failure))
    case .cutOff(let failure, let time):
      worker = nil
      delegate?.handle(.cutOff(generation, failure, at: time))
    case .interrupted:
      queue.update(generation) { $0.isInterrupted = true }
      delegate?.handle(.connectionChanged(generation, isLost: true))
    case .resumed:
      queue.update(generation) { $0.isInterrupted = false }
      delegate?.handle(.connectionChanged(generation, isLost: false))
    case .title(let title, let time):
      sink.whenAudible(generation, time) { [weak self] in
        self?.delegate?.handleStreamTitle(of: generation, title)
      }
    }
  }

  /// Handles that a worker has written invalid data into its ring.
  func handleCorruption(of generation: Generation, _ reason: String) {
    Log.error("a decoder corrupted the ring buffer (\(reason)) and was terminated")
    // The data may have been written by an earlier worker, for which the current one must not be ended.
    let isLate = firstGeneration.map { generation.number < $0.number } ?? true
    if !isLate {
      endDecodedGenerations()
      worker = nil
      successor = nil
    }
    delegate?.handle(
      .corrupted(generation, Failure(.unplayable, "the decoder crashed on this file"), isLate: isLate))
  }

  /// Handles the end of `ended`: of the worker that decodes, or of its successor.
  private func handleEnd(of ended: WorkerProcess, _ end: WorkerSupervisor.End, _ failure: Failure) {
    let isDecoding = worker === ended
    guard isDecoding || successor?.worker === ended else { return }
    // A file that has not reached the worker did not cause its end.
    let pending = isDecoding && firstGeneration != nil ? Array(queue.undecoded) : []
    if isDecoding {
      endDecodedGenerations()
      worker = nil
    }
    successor = nil
    pool.countLoss()
    Log.warning("\(failure.message)")
    let end = pending.isEmpty ? WorkerSupervisor.End.failedStart : end
    let outcome = supervisor.workerEnded(end, pending: pending)
    let audible = sink.latestPosition
    if outcome.isGivingUp {
      giveUp(because: failure.localizableMessage)
    } else if outcome.culprit != nil {
      suspect = nil
      delegate?.handle(.workerDied(failure, audible: audible?.generation, at: audible?.time ?? .zero))
    } else if end != .failedStart, let retried = outcome.retries.first {
      suspect = (retried.item.entry, retried.kills)
      delegate?.handle(.workerLost(failure, audible: audible?.generation, at: audible?.time ?? .zero))
    } else {
      delegate?.handle(.workerNotStarted)
    }
  }

  /// Lets the sink continue after the generations that the worker has decoded, whose end it will not put into the ring
  /// any more.
  private func endDecodedGenerations() {
    for decoded in queue.pending where decoded.isDecoded { sink.send(.endOfInput(decoded.generation)) }
  }

  /// Ends a worker that hangs.
  private func checkWorker() {
    guard let worker, let ring = worker.ring,
      let verdict = watchdog.check(queue, bytesRead: ring.bytesRead, awaitsPCM: sink.awaitsPCM)
    else { return }
    if verdict.isStreamSilent { fetcher.killIfHung() }
    guard verdict.isHung else {
      watchdogTimer?.arm(after: verdict.interval)
      return
    }
    // A server that sends nothing to one worker sends nothing to the next one either.
    if worker.role == .stream {
      worker.kill(because: LocalizableMessage("nothing was decoded from the stream for too long"))
    } else {
      worker.kill(because: LocalizableMessage("the decoder hung on this file"), .timeout)
    }
  }

  /// Starts no more workers until the next request.
  private func giveUp(because reason: LocalizableMessage) {
    supervisor.gaveUp()
    error = reason
    Log.error("\(reason); playback is not possible")
    delegate?.handle(.noDecoder)
  }
}

/// The generations that a worker was given and has not finished, in the order in which it decodes them. It contains
/// only facts that this process knows itself: a worker that a malicious file controls may report anything.
struct DecodeQueue {
  /// A generation that the worker has to decode.
  struct Decode: SupervisedJob {
    let request: DecodeRequest
    /// The URI at which the file or stream was found, and the source that was opened there.
    let uri: String
    let source: MediaSource
    let isFile: Bool
    /// Whether the worker should decode it from a source that is open already, and has not responded.
    var isRestarting = false
    /// Whether its connection is lost. The fetch process tries to connect again for as long as the generation is
    /// wanted.
    var isInterrupted = false
    /// Whether all of it is decoded, and only its end is not in the ring yet. The worker may decode the next
    /// generation.
    var isDecoded = false
    var kills = 0

    var item: Transport.Item { request.item }
    var generation: Generation { item.generation }
  }

  /// The relation of an event's generation to those of the queue.
  enum EventOrder {
    /// The generation is the one that the worker decodes.
    case expected
    /// The generation was cut off, or has ended, or is decoded, which the event contradicts.
    case stale
    /// Another generation comes first: only a malicious worker reports this one already.
    case premature
  }

  private(set) var pending: [Decode] = []

  /// The pending generations that are not decoded. The worker decodes the first one.
  var undecoded: ArraySlice<Decode> { pending.drop(while: \.isDecoded) }

  func contains(_ generation: Generation) -> Bool { pending.contains { $0.generation == generation } }

  /// Returns how `event` of `generation` relates to the queue.
  func order(of event: DecodingEvent, _ generation: Generation) -> EventOrder {
    guard let index = pending.firstIndex(where: { $0.generation == generation }) else { return .stale }
    guard index == 0 else { return .premature }
    return pending[0].isDecoded && !event.canFollowDecoding ? .stale : .expected
  }

  mutating func append(_ new: Decode) { pending.append(new) }

  /// Removes everything after `after`, or everything if that is nil. Later events of it are stale, though the worker
  /// may not have received the command yet.
  mutating func cut(after: Generation?) {
    pending.removeSubrange((pending.firstIndex { $0.generation == after }.map { $0 + 1 } ?? 0)...)
  }

  /// Removes a generation that was decoded to its end, which is in the ring.
  mutating func remove(_ generation: Generation) { pending.removeAll { $0.generation == generation } }

  /// Changes the facts about a generation.
  mutating func update(_ generation: Generation, _ body: (inout Decode) -> Void) {
    guard let index = pending.firstIndex(where: { $0.generation == generation }) else { return }
    body(&pending[index])
  }
}

extension DecodingEvent {
  /// Whether the event may be sent of a generation after `decoded`.
  fileprivate var canFollowDecoding: Bool {
    switch self {
    case .ended, .incomplete, .title, .resumed: true
    case .opened, .sourceNeeded, .failed, .cutOff, .decoded, .faded, .interrupted: false
    }
  }
}
