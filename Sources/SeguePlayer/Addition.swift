// Thread: the loop. Files are walked on FileService's thread and looked into by workers; this puts the pieces together.

internal import SegueLibrary
internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// One `queue.add` on its way: what was named is found, looked into, sorted, and handed on piece by piece.
///
/// Up to `mostLookedInto` tracks are looked into first: folders are then in disc and track order, and what cannot be
/// decoded is refused with its reason. What is beyond goes in at once, in the natural order of names, and is looked
/// into later; so does what fills a daemon's queue at its start while the scan is about to look into it.
@MainActor
final class Addition {
  /// A piece to be put into the queue, in order.
  typealias Deliver = @MainActor ([NewEntry]) -> Void

  private(set) var refusals: URIFailureList
  private let uris: [String]
  private let isFilling: Bool
  private let files: FileService
  private let prober: Prober
  private let library: MusicLibrary
  private let mailbox: Mailbox
  private var deliver: Deliver?
  private var finish: (@MainActor () -> Void)?
  private var batches = FIFO<FoundBatch>()
  private var search: FileService.Ticket?
  private var isFoundAll = false
  private var isEnded = false
  private var isBusy = false
  private var count = 0
  /// Playlists, by their files, that were asked for by name.
  private var playlists: [String: String] = [:]

  static let mostLookedInto = 1_000

  init(
    _ uris: [String], isFilling: Bool, files: FileService, prober: Prober, library: MusicLibrary, mailbox: Mailbox
  ) {
    self.uris = uris
    refusals = URIFailureList(naming: uris)
    self.isFilling = isFilling
    self.files = files
    self.prober = prober
    self.library = library
    self.mailbox = mailbox
  }

  func start(deliver: @escaping Deliver, finish: @escaping @MainActor () -> Void) {
    self.deliver = deliver
    self.finish = finish
    library.expand(uris) { [weak self] expansion in
      self?.refusals.append(contentsOf: expansion.refusals)
      self?.playlists = expansion.playlists
      self?.resolve(expansion.uris)
    }
  }

  /// Nothing more comes of it, and nobody is told.
  func end() {
    isEnded = true
    search?.cancel()
    (deliver, finish) = (nil, nil)
    batches = FIFO()
  }

  /// Refuses what was delivered and has no room in the queue.
  func refuse(_ entries: some Sequence<NewEntry>) {
    for entry in entries { refusals.append(URIFailure(uri: entry.uri, failure: .fullQueue)) }
  }

  /// Delivers nothing more, and finishes.
  func stop() {
    search?.cancel()
    batches = FIFO()
    isFoundAll = true
  }

  private func resolve(_ uris: [String]) {
    guard !isEnded else { return }
    search = files.resolve(uris) { [mailbox, weak self] progress in
      mailbox.post {
        guard let self, !self.isEnded else { return }
        switch progress {
        case .found(let batch): if !self.isFoundAll { self.take(batch) }
        case .finished: self.isFoundAll = true
        }
        self.proceed()
      }
    }
  }

  /// Keeps the tracks of a batch for their turn, and refuses the rest at once: a playlist may name 200,000 files that are
  /// not there.
  private func take(_ batch: FoundBatch) {
    var batch = batch
    for failed in batch.failures { refusals.append(refusal(failed)) }
    batch.failures = []
    if !batch.tracks.isEmpty { batches.append(batch) }
  }

  /// Takes the next batch if the one before is done with.
  private func proceed() {
    guard !isBusy, !isEnded else { return }
    guard let batch = batches.popFirst() else {
      if isFoundAll {
        let finish = finish
        (deliver, self.finish) = (nil, nil)
        finish?()
      }
      return
    }
    isBusy = true
    count += batch.tracks.count
    let isLeftToScan = isFilling && batch.tracks.allSatisfy { library.isScanning($0.uri) }
    let isLookedInto = count <= Self.mostLookedInto && !isLeftToScan
    library.known(batch) { [weak self] known in
      guard let self, !self.isEnded else { return }
      if isLookedInto { self.lookInto(batch, known) } else { self.handOn(batch, known) }
    }
  }

  /// Returns the failure as one of the URI that the request names for the playlist, if it is one of a playlist.
  private func refusal(_ failed: URIFailure) -> URIFailure {
    guard let name = playlists[failed.uri] else { return failed }
    let failure =
      failed.failure.kind == .notFound
      ? Failure(.notFound, "there is no such playlist, or nothing in it")
      : failed.failure
    return URIFailure(uri: name, failure: failure)
  }

  /// No batch is longer than what may go into the queue in one turn of the loop.
  private func handOn(_ batch: FoundBatch, _ known: [EntryInfo?]) {
    deliver?(zip(batch.tracks, known).map { NewEntry(uri: $0.uri, info: $1 ?? EntryInfo(playlist: $0)) })
    mailbox.post { [self] in
      isBusy = false
      proceed()
    }
  }

  private func lookInto(_ batch: FoundBatch, _ known: [EntryInfo?]) {
    let answers = Answers(count: batch.tracks.count)
    for (index, track) in batch.tracks.enumerated() {
      // A stream is looked into when it is played: it may be slow, or count listeners.
      guard known[index] == nil, case .file = try? MediaURI(track.uri) else {
        answers.give(nil, at: index)
        if answers.isComplete { complete(batch, known, answers) }
        continue
      }
      prober.probe(track.uri) { [weak self] answer in
        answers.give(answer, at: index)
        if answers.isComplete { self?.complete(batch, known, answers) }
      }
    }
  }

  private func complete(_ batch: FoundBatch, _ known: [EntryInfo?], _ answers: Answers) {
    var entries: [NewEntry] = []
    for (index, track) in batch.tracks.enumerated() {
      var entry = NewEntry(uri: track.uri, info: known[index] ?? EntryInfo(playlist: track))
      switch answers.results[index] {
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
    isBusy = false
    proceed()
  }

  /// What the workers said of a batch, in its order.
  private final class Answers {
    private(set) var results: [Prober.Answer?]
    private var missing: Int

    init(count: Int) {
      results = Array(repeating: nil, count: count)
      missing = count
    }

    var isComplete: Bool { missing == 0 }

    func give(_ answer: Prober.Answer?, at index: Int) {
      results[index] = answer
      missing -= 1
    }
  }
}

extension EntryInfo {
  /// What a playlist says, until the file is looked into.
  init(playlist track: FoundTrack) {
    self.init(metadata: track.metadata, duration: track.duration, durationKind: track.durationKind)
  }
}
