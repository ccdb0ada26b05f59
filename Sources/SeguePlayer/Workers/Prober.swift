// Thread: the loop.

internal import SegueFiles
internal import SegueLoop
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A prober: it reads metadata, lyrics and covers of files through workers of its own, so that a file that crashes a
/// demuxer affects no other file.
///
/// Requests are completed in any order. Each worker has a few of them at once, to be busy while the next file is
/// opened. If a worker crashes, the request for the file that it was reading fails, and its other requests are retried
/// with another worker. If a worker hangs, all are retried; the request fails if a second worker hangs on its file.
@MainActor
final class Prober {
  private let loop: EventLoop
  private let pool: WorkerPool
  private let opener: MediaOpener
  private var timeoutTimer: Timer?
  private var waiting = Deque<ProbeRequest>()
  private var slots: [WorkerSlot] = []
  private var lastTicket: UInt32 = 0
  private var isAssignmentPosted = false
  private var waitsForPlayback = false
  private var supervisor = WorkerSupervisor()

  private static let maximumWorkers = 2
  private static let maximumRequestsPerWorker = 8
  /// The time after which a worker that reads one file is ended.
  private static let timeout = MediaTime.seconds(5)

  /// A worker, and the requests it has not completed.
  private final class WorkerSlot {
    let worker: WorkerProcess
    /// The requests that were sent to the worker, in that order.
    var pending: [ProbeRequest] = []
    /// The requests whose files are still being opened, by ticket.
    var opening: [UInt32: ProbeRequest] = [:]
    /// The progress with the first of `pending`.
    var progress = WorkerProgress()

    init(_ worker: WorkerProcess) { self.worker = worker }

    var load: Int { pending.count + opening.count }

    /// Removes and returns the requests whose files are still being opened, in their order.
    func takeOpening() -> [ProbeRequest] {
      defer { opening = [:] }
      return opening.values.sorted { $0.ticket < $1.ticket }
    }
  }

  init(loop: EventLoop, pool: WorkerPool, opener: MediaOpener) throws(SystemError) {
    self.loop = loop
    self.pool = pool
    self.opener = opener
    timeoutTimer = try Timer(on: loop, slack: .milliseconds(500)) { [weak self] in self?.killHungWorkers() }
  }

  func probe(_ uri: String, then: @escaping @MainActor (Result<MediaInfo, Failure>) -> Void) {
    enqueue(ProbeRequest(uri: uri, subject: .info(then)))
  }

  /// Reads the lyrics in the file at `uri`, or the text of an `.lrc` file: plain or with LRC timestamps; nil if it has
  /// none.
  func lyrics(_ uri: String, then: @escaping @MainActor (Result<String?, Failure>) -> Void) {
    enqueue(ProbeRequest(uri: uri, subject: .lyrics(then)))
  }

  /// Reads the picture that `lookup` describes into `lookup.target`; nil if there is none.
  func cover(_ lookup: ArtLookup, then: @escaping @MainActor (Result<CoverInfo?, Failure>) -> Void) {
    enqueue(ProbeRequest(uri: FileURI.encode(lookup.file.path), subject: .cover(lookup, then)))
  }

  // MARK: Assignment

  private func enqueue(_ request: ProbeRequest) {
    waiting.append(request)
    guard !isAssignmentPosted else { return }
    isAssignmentPosted = true
    // The request that has added files may play one of them: its worker starts first.
    loop.mailbox.post { [weak self] in
      self?.isAssignmentPosted = false
      self?.assign()
    }
  }

  /// Assigns waiting requests to workers for as long as one has capacity.
  private func assign() {
    while !waiting.isEmpty {
      guard let slot = freeSlot() else { return }
      guard var request = waiting.popFirst() else { return }
      lastTicket &+= 1
      request.ticket = lastTicket
      if case .cover(let lookup, _) = request.subject {
        let source = MediaSource(name: String(decoding: lookup.file.path.lastComponent, as: UTF8.self))
        send(request, OpenedMedia(source: source, input: .file(lookup.file)), to: slot)
        continue
      }
      slot.opening[request.ticket] = request
      opener.open(request.uri) { [weak self, ticket = request.ticket] result in
        self?.handleOpened(ticket, result, for: slot)
      }
    }
  }

  private func freeSlot() -> WorkerSlot? {
    let mustWait = pool.delaysPlayback(.files)
    if mustWait, !waitsForPlayback {
      waitsForPlayback = true
      pool.waitForPlayback { [weak self] in
        self?.waitsForPlayback = false
        self?.assign()
      }
    }
    if let free = slots.min(by: { $0.load < $1.load }),
      free.load == 0 || slots.count == Self.maximumWorkers || mustWait
    {
      return free.load < Self.maximumRequestsPerWorker ? free : nil
    }
    if mustWait { return nil }
    do {
      let slot = WorkerSlot(try pool.take(.files))
      slot.worker.setHandlers(
        onEvent: { [weak self, weak slot] event in
          if let self, let slot { self.handle(event, of: slot) }
        },
        onEnd: { [weak self, weak slot] end, failure in
          if let self, let slot { self.handleEnd(of: slot, end, failure) }
        })
      slots.append(slot)
      return slot
    } catch {
      giveUp(Failure(.unavailable, "cannot start a decoder: \(error)"))
      return nil
    }
  }

  private func handleOpened(_ ticket: UInt32, _ result: Result<OpenedMedia, Failure>, for slot: WorkerSlot) {
    // If the worker has ended meanwhile, the request waits for another one.
    guard let request = slot.opening.removeValue(forKey: ticket) else { return }
    switch result {
    case .failure(let failure):
      request.fail(failure)
      reassign(slot)
    case .success(let media):
      send(request, media, to: slot)
    }
  }

  private func send(_ request: ProbeRequest, _ media: OpenedMedia, to slot: WorkerSlot) {
    if slot.pending.isEmpty { slot.progress.advanced() }
    slot.pending.append(request)
    slot.worker.send(request.command(media.source), files: [media.descriptor, request.target].compactMap(\.self))
    if timeoutTimer?.isArmed == false { timeoutTimer?.arm(after: Self.timeout) }
  }

  /// Gives the worker more requests, or returns it to the pool.
  private func reassign(_ slot: WorkerSlot) {
    assign()
    guard slot.load == 0, waiting.isEmpty, let index = slots.firstIndex(where: { $0 === slot }) else { return }
    slots.remove(at: index)
    pool.keep(slot.worker)
    if slots.isEmpty { timeoutTimer?.disarm() }
  }

  // MARK: Events

  private func handle(_ event: WorkerEvent, of slot: WorkerSlot) {
    guard case .response(let ticket, let response) = event,
      let index = slot.pending.firstIndex(where: { $0.ticket == ticket })
    else { return }
    supervisor.workerResponded()
    slot.progress.advanced()
    let request = slot.pending.remove(at: index)
    // Only a malicious worker sends a response of another kind.
    if !request.complete(with: response) { request.fail(Failure(.unplayable, "unexpected response from the decoder")) }
    reassign(slot)
  }

  private func handleEnd(of slot: WorkerSlot, _ end: WorkerSupervisor.End, _ failure: Failure) {
    pool.countLoss()
    slots.removeAll { $0 === slot }
    let outcome = supervisor.workerEnded(end, pending: slot.pending)
    if let culprit = outcome.culprit {
      Log.warning("probing \(WebURL.withoutUser(culprit.uri)): \(failure.message)")
      culprit.fail(failure)
    }
    for request in outcome.retries + slot.takeOpening() { waiting.append(request) }
    if outcome.isGivingUp { giveUp(failure) }
    assign()
  }

  /// Fails all requests that wait, in a later iteration of the loop: a completion may send the next request.
  private func giveUp(_ failure: Failure) {
    supervisor.gaveUp()
    Log.error("\(failure.message); files cannot be probed")
    let failed = waiting
    waiting = Deque()
    loop.mailbox.post {
      var failed = failed
      while let request = failed.popFirst() { request.fail(failure) }
    }
  }

  private func killHungWorkers() {
    let now = MonotonicTime.now
    for slot in slots where !slot.pending.isEmpty && slot.progress.hasExceeded(Self.timeout, at: now) {
      slot.worker.kill(
        because: LocalizableMessage("the decoder did not respond for \(Self.timeout.nanoseconds / 1_000_000_000) s"),
        .timeout)
    }
    if slots.contains(where: { !$0.pending.isEmpty }) { timeoutTimer?.arm(after: Self.timeout) }
  }
}

/// A request to read something from a file, with its completion.
private struct ProbeRequest: SupervisedJob {
  enum Subject {
    case info(@MainActor (Result<MediaInfo, Failure>) -> Void)
    case lyrics(@MainActor (Result<String?, Failure>) -> Void)
    case cover(ArtLookup, @MainActor (Result<CoverInfo?, Failure>) -> Void)
  }

  let uri: String
  let subject: Subject
  /// The number by which the worker's response names the request.
  var ticket: UInt32 = 0
  var kills = 0

  func command(_ source: MediaSource) -> WorkerCommand {
    switch subject {
    case .info: .request(ticket: ticket, .probe(source))
    case .lyrics: .request(ticket: ticket, .lyrics(name: source.name))
    case .cover(let lookup, _): .request(ticket: ticket, .cover(name: source.name, lookup.request))
    }
  }

  /// The file to which the worker writes, if it needs one.
  var target: Int32? {
    if case .cover(let lookup, _) = subject { lookup.target.raw } else { nil }
  }

  @MainActor func fail(_ failure: Failure) {
    switch subject {
    case .info(let then): then(.failure(failure))
    case .lyrics(let then): then(.failure(failure))
    case .cover(_, let then): then(.failure(failure))
    }
  }

  /// Returns false, and completes nothing, if `response` is that to another kind of request.
  @MainActor func complete(with response: WorkerResponse) -> Bool {
    switch response {
    case .probed(let info):
      guard case .info(let then) = subject else { return false }
      then(.success(info))
    case .lyrics(let text):
      guard case .lyrics(let then) = subject else { return false }
      then(.success(text))
    case .cover(let cover):
      guard case .cover(_, let then) = subject else { return false }
      then(.success(cover))
    case .failed(let failure): fail(failure)
    case .scanned, .measured, .collated, .transcoded: return false
    }
    return true
  }
}
