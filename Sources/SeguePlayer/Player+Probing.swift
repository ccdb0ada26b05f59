internal import SegueLibrary
internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// Entries that came in unseen are looked into while nobody waits for it, a few at a time.
extension Player {
  private static let mostAtOnce = 16
  /// Findings are told in such portions, so that a long queue does not mean as many events and transactions.
  private static let portion = 64

  /// Remembers those of `ids` nobody has looked into.
  func noteUnprobed(_ ids: some Sequence<EntryID>) {
    for id in ids { unprobed.append(id) }
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
        self.probed.append((id, answer))
        self.probeNext()
        if self.probesUnderWay == 0 || self.probed.count >= Self.portion { self.tellProbed() }
      }
    }
  }

  private func tellProbed() {
    var orders: [StoreOrder] = []
    var near = lastProbed - probed.count - Self.mostAtOnce
    for (id, answer) in probed {
      guard let index = queue.index(of: id, near: near) else { continue }
      near = index - Self.mostAtOnce
      let entry = queue.entries[index]
      var info: EntryInfo
      switch answer {
      case .success(let found):
        info = EntryInfo(found: found, uri: entry.uri, before: entry.info)
      // No fault of the file: it is looked into when it is played, or by the next daemon.
      case .failure(let failure) where failure.kind == .unavailable: continue
      case .failure(let failure):
        info = entry.info
        info.error = failure.message
        info.probed = true
      }
      // Changed first and asked then: in one expression the queue is copied before the change, and the copy is asked.
      let change = queue.update(at: index, info)
      orders += queue.orders(for: change)
    }
    probed = []
    guard !orders.isEmpty else { return }
    keeper.save(orders)
    note(.queue, .player)
  }
}
