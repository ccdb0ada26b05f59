internal import SegueLibrary
internal import SegueLink
internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// Entries that came in unseen are looked into while nobody waits for it: by the scan that comes by them anyway, if one
/// is under way, else a few at a time.
extension Player {
  private static let mostAtOnce = 16
  /// Findings are told in such portions, so that a long queue does not mean as many events and transactions.
  private static let portion = 64
  /// So many are asked of the index at once.
  private static let mostAsked = 1_000

  /// Has those files at `indices` probed that were not probed before. A stream is probed when it is played.
  func noteUnprobed(_ indices: Range<Int>) {
    for index in indices {
      let entry = queue.table[index]
      guard !entry.probed, entry.failure == nil, MediaURI.isFile(entry.uri) else { continue }
      let (id, uri) = (entry.id, entry.uri)
      if !library.isScanning(uri) {
        unprobed.append(id)
      } else if let other = awaited.updateValue(id, forKey: uri) {
        awaitedAgain.append(other)
      }
    }
    probeNext()
  }

  private func probeNext() {
    while probesUnderWay < Self.mostAtOnce, let id = unprobed.popFirst() {
      guard let index = queue.index(of: id, near: lastProbed) else { continue }
      lastProbed = index
      let entry = queue.entries[index]
      guard !entry.probed, case .file = try? MediaURI(entry.uri) else { continue }
      probesUnderWay += 1
      prober.probe(entry.uri) { [weak self] answer in
        guard let self else { return }
        self.probesUnderWay -= 1
        switch answer {
        case .success(let info): self.probed.append((id, .info(info)))
        case .failure(let failure): self.probed.append((id, .failure(failure)))
        }
        self.probeNext()
        guard self.probesUnderWay == 0 || self.probed.count >= Self.portion else { return }
        self.take(self.probed)
        self.probed = []
      }
    }
  }

  // MARK: What the scan looks into

  /// It has looked into `files`. Tracks of cue sheets are left to its end.
  func hear(_ files: [ScannedFile]) {
    guard !awaited.isEmpty else { return }
    var found: [(EntryID, ProbeOutcome)] = []
    for file in files where file.ranges.isEmpty {
      guard case .success(let facts) = file.result,
        let id = awaited.removeValue(forKey: FileURI.encode(file.path))
      else { continue }
      found.append((id, .info(facts.info)))
    }
    take(found)
  }

  /// What it did not tell of, the index may have; what it has not is looked into now.
  func hearScanEnd() {
    let ids = (awaited.values + awaitedAgain).sorted()
    (awaited, awaitedAgain) = ([:], [])
    askIndex(ids[...])
  }

  private func askIndex(_ ids: ArraySlice<EntryID>) {
    guard !ids.isEmpty else { return }
    let some = Array(ids.prefix(Self.mostAsked))
    let places = queue.places(of: some)
    let uris = places.map { $0.map { queue.entries[$0].uri } ?? "" }
    library.tracks(uris) { [weak self] tracks in
      guard let self else { return }
      self.take(zip(some, tracks).compactMap { id, track in track.map { (id, .track($0)) } })
      for (id, track) in zip(some, tracks) where track == nil { self.unprobed.append(id) }
      self.probeNext()
      self.askIndex(ids.dropFirst(some.count))
    }
  }

  // MARK: What was found

  /// Saves it, and tells of it.
  private func take(_ found: [(EntryID, ProbeOutcome)]) {
    var orders: [StateChange] = []
    for ((_, finding), place) in zip(found, queue.places(of: found.map(\.0))) {
      guard let place, let info = EntryInfo(finding, of: queue.entries[place]) else { continue }
      // Changed first and asked then: in one expression the queue is copied before the change, and the copy is asked.
      let change = queue.update(at: place, info)
      orders += queue.orders(for: change)
    }
    guard !orders.isEmpty else { return }
    keeper.save(orders)
    note(.queue, .player)
  }
}
