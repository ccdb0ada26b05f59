// Thread: the loop. Files are walked on FileWorker's thread and looked into by workers; this puts the pieces together.

internal import SegueLibrary
internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// One `queue.add` on its way: what was named is found, looked into, sorted, and handed on piece by piece.
///
/// Up to `mostLookedInto` tracks are looked into first: folders are then in disc and track order, and what cannot be
/// decoded is refused with its reason. What is beyond goes in at once, in the natural order of names, and is looked
/// into later.
@MainActor
final class Addition {
  /// A piece to be put into the queue, in order.
  typealias Deliver = @MainActor ([NewEntry]) -> Void

  private(set) var refusals: [AddResult.Refusal] = []

  private let uris: [String]
  private let files: FileWorker
  private let prober: Prober
  private let mailbox: Mailbox
  private var deliver: Deliver?
  private var finish: (@MainActor () -> Void)?
  private var batches = FIFO<FoundBatch>()
  private var isFoundAll = false
  private var isBusy = false
  private var count = 0

  static let mostLookedInto = 1_000
  /// So many go into the queue in one turn of the loop.
  private static let portion = 1_000

  init(_ uris: [String], files: FileWorker, prober: Prober, mailbox: Mailbox) {
    self.uris = uris
    self.files = files
    self.prober = prober
    self.mailbox = mailbox
  }

  func start(deliver: @escaping Deliver, finish: @escaping @MainActor () -> Void) {
    self.deliver = deliver
    self.finish = finish
    files.resolve(uris) { [mailbox, weak self] progress in
      mailbox.post {
        guard let self else { return }
        switch progress {
        case .found(let batch): self.batches.append(batch)
        case .finished: self.isFoundAll = true
        }
        self.proceed()
      }
    }
  }

  /// Takes the next batch if the one before is done with.
  private func proceed() {
    guard !isBusy else { return }
    guard let batch = batches.popFirst() else {
      if isFoundAll {
        let finish = finish
        self.finish = nil
        finish?()
      }
      return
    }
    isBusy = true
    refusals += batch.failures.map { AddResult.Refusal(uri: $0.uri, failure: $0.failure) }
    count += batch.tracks.count
    if count <= Self.mostLookedInto { lookInto(batch) } else { handOn(batch.tracks[...]) }
  }

  private func handOn(_ tracks: ArraySlice<FoundTrack>) {
    deliver?(tracks.prefix(Self.portion).map { NewEntry(uri: $0.uri, info: EntryInfo(playlist: $0)) })
    let rest = tracks.dropFirst(Self.portion)
    mailbox.post { [self] in
      if rest.isEmpty {
        isBusy = false
        proceed()
      } else {
        handOn(rest)
      }
    }
  }

  private func lookInto(_ batch: FoundBatch) {
    let answers = Answers(count: batch.tracks.count)
    guard !batch.tracks.isEmpty else { return complete(batch, answers) }
    for (index, track) in batch.tracks.enumerated() {
      // A stream is looked into when it is played: it may be slow, or count listeners.
      guard case .file = try? MediaURI(track.uri) else {
        answers.give(nil, at: index)
        if answers.isComplete { complete(batch, answers) }
        continue
      }
      prober.probe(track.uri) { [weak self] answer in
        answers.give(answer, at: index)
        if answers.isComplete { self?.complete(batch, answers) }
      }
    }
  }

  private func complete(_ batch: FoundBatch, _ answers: Answers) {
    var entries: [NewEntry] = []
    for (track, answer) in zip(batch.tracks, answers.results) {
      var entry = NewEntry(uri: track.uri, info: EntryInfo(playlist: track))
      switch answer {
      case nil: break
      case .success(let found):
        entry = NewEntry(uri: track.uri, info: EntryInfo(found: found, uri: track.uri, before: entry.info))
      case .failure(let failure):
        refusals.append(AddResult.Refusal(uri: track.uri, failure: failure))
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
  fileprivate init(playlist track: FoundTrack) {
    self.init(metadata: track.metadata, duration: track.duration, durationKind: track.durationKind)
  }
}
