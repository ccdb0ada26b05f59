// Thread: the loop. The entries that wait for the scan are kept by the thread "probes".

internal import SegueFiles
internal import SegueLibrary
internal import SegueLoop
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A scheduler of probes for entries that were added unprobed. If a scan reads their files anyway, it uses the results
/// of the scan; otherwise it lets the prober probe a few entries at a time.
@MainActor
final class ProbeScheduler {
  private let queue: QueueController
  private let prober: Prober
  private let index: LibraryIndex
  private let scan: LibraryScan
  private let mailbox: Mailbox

  /// Entries that wait for the prober, or were not examined yet.
  private var waiting = ProbeList()
  /// Whether more entries are examined in the next iteration of the loop.
  private var isExaminationPosted = false
  private var runningProbes = 0
  /// Outcomes that are not in the queue yet.
  private var outcomes: [(EntryID, ProbeOutcome)] = []
  /// The thread that has the entries whose files the scan reads.
  private let awaitedFiles = SerialThread<AwaitedFiles>(name: "probes") { AwaitedFiles() }
  /// Whether the thread has entries.
  private var isAwaitingScan = false

  private static let maximumProbes = 16
  /// The number of outcomes that are stored at once, so that a long queue does not cause as many events and
  /// transactions.
  private static let batchSize = 64
  /// The number of entries that are looked up in the index at once.
  private static let lookupSize = 1_000

  init(queue: QueueController, prober: Prober, index: LibraryIndex, scan: LibraryScan, mailbox: Mailbox) {
    self.queue = queue
    self.prober = prober
    self.index = index
    self.scan = scan
    self.mailbox = mailbox
  }

  /// Schedules those of the entries at `indices` that have not been probed. A stream is probed when it is played.
  func schedule(_ indices: AscendingRanges<Int>) {
    let ids = queue.contents.ids
    for range in indices.ranges { for index in range { waiting.append(EntryID(ids[index])) } }
    startProbes()
  }

  /// Stores what the scan has found in `files`.
  func handleScanned(_ files: [ScannedFile]) {
    guard isAwaitingScan else { return }
    awaitedFiles.post { [mailbox, weak self] awaited in
      let found = awaited.remove(files)
      if !found.isEmpty { mailbox.post { self?.queue.update(found) } }
    }
  }

  /// Looks up the remaining entries in the index, and probes those that it does not have.
  func handleScanEnd() {
    guard isAwaitingScan else { return }
    isAwaitingScan = false
    awaitedFiles.post { [mailbox, weak self] awaited in
      let ids = awaited.removeAll()
      mailbox.post { self?.lookUp(ids[...]) }
    }
  }

  /// Ends the thread.
  func close() { awaitedFiles.close() }

  /// Lets entries wait for the scan.
  private func awaitScan(_ entries: [(uri: String, id: EntryID)]) {
    guard !entries.isEmpty else { return }
    isAwaitingScan = true
    awaitedFiles.post { $0.add(entries) }
  }

  private func lookUp(_ ids: ArraySlice<EntryID>) {
    guard !ids.isEmpty else { return }
    let batch = Array(ids.prefix(Self.lookupSize))
    let places = queue.contents.places(of: batch)
    let uris = places.map { $0.map { queue.contents.entries[$0].uri } ?? "" }
    index.tracks(uris) { [weak self] tracks in
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
      // If the scan reads the file of an entry, the entry waits for that.
      var awaiting: [(uri: String, id: EntryID)] = []
      self.waiting.locate(in: self.queue.contents) { entry in
        guard !entry.probed, entry.failure == nil, MediaURI.isFile(entry.uri) else { return false }
        guard self.scan.reads(entry.uri) else { return true }
        awaiting.append((entry.uri, entry.id))
        return false
      }
      self.awaitScan(awaiting)
      self.startProbes()
    }
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
