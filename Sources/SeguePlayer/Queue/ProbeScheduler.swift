// Thread: the loop.

internal import SegueFiles
internal import SegueIndex
internal import SegueLink
internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// A scheduler of probes for entries that were added unprobed. If a scan reads their files anyway, it uses the results of
/// the scan; otherwise it lets the prober probe a few entries at a time.
@MainActor
final class ProbeScheduler {
  private let queue: QueueController
  private let prober: Prober
  private let library: MusicLibrary
  private let mailbox: Mailbox

  /// Entries that wait for the prober, or were not examined yet.
  private var waiting = ProbeList()
  /// Whether more entries are examined in the next iteration of the loop.
  private var isExaminationPosted = false
  private var runningProbes = 0
  /// Outcomes that are not in the queue yet.
  private var outcomes: [(EntryID, ProbeOutcome)] = []
  /// Entries whose files the scan reads, by their URIs.
  private var awaitingScan: [String: EntryID] = [:]
  /// Entries that have the same URIs as those of `awaitingScan`.
  private var duplicates: [EntryID] = []

  private static let maximumProbes = 16
  /// The number of outcomes that are stored at once, so that a long queue does not cause as many events and transactions.
  private static let batchSize = 64
  /// The number of entries that are looked up in the index at once.
  private static let lookupSize = 1_000

  init(queue: QueueController, prober: Prober, library: MusicLibrary, mailbox: Mailbox) {
    self.queue = queue
    self.prober = prober
    self.library = library
    self.mailbox = mailbox
  }

  /// Schedules those of the entries at `indices` that have not been probed. A stream is probed when it is played.
  func schedule(_ indices: AscendingRanges<Int>) {
    let ids = queue.contents.ids
    for range in indices.ranges { for index in range { waiting.append(EntryID(ids[index])) } }
    startProbes()
  }

  /// Stores what the scan has found in `files`. Tracks of cue sheets wait for the end of the scan.
  func handleScanned(_ files: [ScannedFile]) {
    guard !awaitingScan.isEmpty else { return }
    var found: [(EntryID, ProbeOutcome)] = []
    for file in files where file.cueTracks.isEmpty {
      guard case .success(let facts) = file.result,
        let id = awaitingScan.removeValue(forKey: FileURI.encode(file.path))
      else { continue }
      found.append((id, .info(facts.info)))
    }
    queue.update(found)
  }

  /// Looks up the remaining entries in the index, and probes those that it does not have.
  func handleScanEnd() {
    let ids = (awaitingScan.values + duplicates).sorted()
    (awaitingScan, duplicates) = ([:], [])
    lookUp(ids[...])
  }

  private func lookUp(_ ids: ArraySlice<EntryID>) {
    guard !ids.isEmpty else { return }
    let batch = Array(ids.prefix(Self.lookupSize))
    let places = queue.contents.places(of: batch)
    let uris = places.map { $0.map { queue.contents.entries[$0].uri } ?? "" }
    library.tracks(uris) { [weak self] tracks in
      guard let self else { return }
      self.queue.update(zip(batch, tracks).compactMap { id, track in track.map { (id, .track($0)) } })
      for (id, track) in zip(batch, tracks) where track == nil { self.waiting.append(id) }
      self.startProbes()
      self.lookUp(ids.dropFirst(batch.count))
    }
  }

  private func startProbes() {
    while runningProbes < Self.maximumProbes, let index = waiting.popFirst(in: queue.contents) {
      let entry = queue.contents.entries[index]
      // It may have been played meanwhile.
      guard !entry.probed, case .file = try? MediaURI(entry.uri) else { continue }
      runningProbes += 1
      prober.probe(entry.uri) { [weak self] result in self?.finish(entry.id, result) }
    }
    guard runningProbes < Self.maximumProbes, waiting.hasScheduled, !isExaminationPosted else { return }
    isExaminationPosted = true
    mailbox.post { [weak self] in
      guard let self else { return }
      self.isExaminationPosted = false
      self.waiting.locate(in: self.queue.contents) { self.needsProbe($0) }
      self.startProbes()
    }
  }

  /// Returns whether an entry is to be probed now. If the scan reads its file, it waits for that.
  private func needsProbe(_ entry: QueueEntry) -> Bool {
    guard !entry.probed, entry.failure == nil, MediaURI.isFile(entry.uri) else { return false }
    guard library.isScanning(entry.uri) else { return true }
    if let other = awaitingScan.updateValue(entry.id, forKey: entry.uri) { duplicates.append(other) }
    return false
  }

  private func finish(_ id: EntryID, _ result: Result<MediaInfo, Failure>) {
    runningProbes -= 1
    switch result {
    case .success(let info): outcomes.append((id, .info(info)))
    case .failure(let failure): outcomes.append((id, .failure(failure)))
    }
    startProbes()
    guard runningProbes == 0 || outcomes.count >= Self.batchSize else { return }
    queue.update(outcomes)
    outcomes = []
  }
}
