// Thread: the loop. Files are found on FileService's thread and probed by workers; this class combines their results.

internal import SegueCatalogService
internal import SegueFiles
internal import SegueLoop
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A request to add the tracks of URIs: it finds their tracks, probes and sorts them, and delivers them batch by batch.
///
/// Up to `maximumProbed` tracks are probed first: folders are then in disc and track order, and undecodable files are
/// refused with a reason. Further tracks are delivered at once, in the natural order of their names, and are probed
/// later. The same applies to tracks of the initial population whose files the running scan reads.
@MainActor
final class AddRequest {
  /// Handles a batch of entries, in order.
  typealias Deliver = @MainActor ([NewEntry]) -> Void

  /// The URIs that could not be added, and why.
  private(set) var refusals: URIFailureList

  /// The URIs of the request. Once it was prepared, the items of online catalogues are replaced by those that are
  /// played.
  private var uris: [String]
  private let isPopulation: Bool
  private let files: FileService
  private let prober: Prober
  private let index: LibraryIndex
  private let playlists: PlaylistStore
  private let scan: LibraryScan
  private let catalogs: CatalogService
  private let mailbox: Mailbox
  private var deliver: Deliver?
  private var finish: (@MainActor () -> Void)?
  private var batches = Deque<FoundBatch>()
  private var search: FileService.ResolveTask?
  private var state = State.searching
  private var isBatchInProgress = false
  private var trackCount = 0
  /// The `segue:playlist/` URIs of the request. The keys are the URIs of the playlists' files.
  private var playlistURIs: [String: String] = [:]
  /// The descriptions of items by online catalogues, by the items' URIs.
  private var items: [String: EntryInfo] = [:]
  private let catalogRequests = CatalogRequestGroup(remembersFailures: true)

  private enum State {
    case searching
    /// No more tracks will be found, or no more are wanted.
    case found
    /// The request ended early. Nothing more is delivered, and `finish` is not called.
    case cancelled
  }

  /// The number of tracks that are probed before they are delivered.
  static let maximumProbed = 1_000

  /// `isPopulation`: whether the daemon populates its queue, for which no user waits.
  init(
    _ uris: [String], isPopulation: Bool, files: FileService, prober: Prober, index: LibraryIndex,
    playlists: PlaylistStore, scan: LibraryScan, catalogs: CatalogService, mailbox: Mailbox
  ) {
    self.uris = uris
    refusals = URIFailureList(naming: uris)
    self.isPopulation = isPopulation
    self.files = files
    self.prober = prober
    self.index = index
    self.playlists = playlists
    self.scan = scan
    self.catalogs = catalogs
    self.mailbox = mailbox
  }

  /// Finds the items that are played in place of items of online catalogues. `then` is called before this returns if
  /// there are none; it is not called after `cancel`.
  func prepare(then: @escaping @MainActor () -> Void) {
    catalogs.expand(uris, in: catalogRequests, on: mailbox) { [weak self] expansion in
      guard let self, self.state != .cancelled else { return }
      for refusal in expansion.refusals { self.refusals.append(refusal) }
      (self.uris, self.items) = (expansion.uris, expansion.info)
      then()
    }
  }

  /// Finds the tracks. To be called after `prepare`.
  func start(deliver: @escaping Deliver, finish: @escaping @MainActor () -> Void) {
    self.deliver = deliver
    self.finish = finish
    index.expand(uris, playlists) { [weak self] expansion in
      self?.refusals.append(contentsOf: expansion.refusals)
      self?.playlistURIs = expansion.playlists
      self?.findTracks(of: expansion.uris)
    }
  }

  /// Whether the request was cancelled.
  var isCancelled: Bool { state == .cancelled }

  /// Ends the request without calling `finish`.
  func cancel() {
    state = .cancelled
    catalogRequests.cancel()
    search?.cancel()
    (deliver, finish) = (nil, nil)
    batches = Deque()
  }

  /// Refuses entries that were delivered and for which the queue has no capacity.
  func refuse(_ entries: some Sequence<NewEntry>) {
    for entry in entries { refusals.append(URIFailure(uri: entry.uri, failure: .fullQueue)) }
  }

  /// Delivers nothing more, and finishes.
  func stop() {
    search?.cancel()
    batches = Deque()
    if state == .searching { state = .found }
  }

  private func findTracks(of uris: [String]) {
    guard state != .cancelled else { return }
    search = files.resolve(uris) { [mailbox, weak self] progress in
      mailbox.post {
        guard let self, self.state != .cancelled else { return }
        switch progress {
        case .found(let batch): if self.state == .searching { self.append(batch) }
        case .finished: self.state = .found
        }
        self.startBatch()
      }
    }
  }

  /// Enqueues the tracks of a batch, and refuses the rest at once: a playlist may name 200,000 files that do not exist.
  private func append(_ batch: FoundBatch) {
    var batch = batch
    for failed in batch.failures { refusals.append(refusal(failed)) }
    batch.failures = []
    if !batch.tracks.isEmpty { batches.append(batch) }
  }

  /// Starts the next batch if there is none in progress.
  private func startBatch() {
    guard !isBatchInProgress, state != .cancelled else { return }
    guard let batch = batches.popFirst() else {
      if state == .found {
        let finish = finish
        (deliver, self.finish) = (nil, nil)
        finish?()
      }
      return
    }
    isBatchInProgress = true
    trackCount += batch.tracks.count
    let isReadByScan = isPopulation && batch.tracks.allSatisfy { scan.reads($0.uri) }
    let isProbed = trackCount <= Self.maximumProbed && !isReadByScan
    index.findInfo(of: batch) { [weak self] known in
      guard let self, self.state != .cancelled else { return }
      let known = zip(batch.tracks, known).map { track, known in known ?? self.items[track.uri] }
      if isProbed { self.probe(batch, known) } else { self.deliverUnprobed(batch, known) }
    }
  }

  /// Returns a failure of a playlist's file with the `segue:playlist/` URI of the request instead of the file's URI;
  /// any other failure as it is.
  private func refusal(_ failed: URIFailure) -> URIFailure {
    guard let name = playlistURIs[failed.uri] else { return failed }
    let failure =
      failed.failure.kind == .notFound
      ? Failure(.notFound, "playlist not found or empty")
      : failed.failure
    return URIFailure(uri: name, failure: failure)
  }

  /// Delivers a batch at once. A batch is small enough to be inserted in one iteration of the loop.
  private func deliverUnprobed(_ batch: FoundBatch, _ known: [EntryInfo?]) {
    deliver?(zip(batch.tracks, known).map { NewEntry(uri: $0.uri, info: $1 ?? EntryInfo(playlist: $0)) })
    mailbox.post { [self] in
      isBatchInProgress = false
      startBatch()
    }
  }

  private func probe(_ batch: FoundBatch, _ known: [EntryInfo?]) {
    let results = BatchResults(count: batch.tracks.count)
    for (index, track) in batch.tracks.enumerated() {
      // A stream is probed when it is played: it may be slow, or count listeners.
      guard known[index] == nil, case .file = try? MediaURI(track.uri) else {
        results.set(nil, at: index)
        if results.isComplete { deliverProbed(batch, known, results) }
        continue
      }
      prober.probe(track.uri) { [weak self] result in
        results.set(result, at: index)
        if results.isComplete { self?.deliverProbed(batch, known, results) }
      }
    }
  }

  private func deliverProbed(_ batch: FoundBatch, _ known: [EntryInfo?], _ results: BatchResults) {
    var entries: [NewEntry] = []
    for (index, track) in batch.tracks.enumerated() {
      var entry = NewEntry(uri: track.uri, info: known[index] ?? EntryInfo(playlist: track))
      switch results[index] {
      case nil: break
      case .success(let found):
        entry = NewEntry(uri: track.uri, info: EntryInfo(found: found, uri: track.uri, before: entry.info))
      case .failure(let failure):
        refusals.append(URIFailure(uri: track.uri, failure: failure))
        continue
      }
      entries.append(entry)
    }
    if case .folder = batch.source {
      entries = albumOrder(entries.map { ($0.info.metadata, $0.uri) }).map { entries[$0] }
    }
    deliver?(entries)
    isBatchInProgress = false
    startBatch()
  }

  /// The results of probing a batch, in its order.
  private final class BatchResults {
    private var results: [Result<MediaInfo, Failure>?]
    private var missing: Int

    init(count: Int) {
      results = Array(repeating: nil, count: count)
      missing = count
    }

    var isComplete: Bool { missing == 0 }

    subscript(index: Int) -> Result<MediaInfo, Failure>? { results[index] }

    /// Sets a result, nil for a track that is not probed.
    func set(_ result: Result<MediaInfo, Failure>?, at index: Int) {
      results[index] = result
      missing -= 1
    }
  }
}
