internal import SegueLibrary
internal import SegueSystem
internal import SegueWire

/// What a daemon takes into its queue at its start.
extension Player {
  /// Fills the queue with what the daemon was given; with the music folder if that is nothing, and the queue is empty.
  /// Behind `startLibrary`: what the scan looks into is not looked into twice.
  public func fill(from uris: [String]) {
    if uris.isEmpty {
      guard queue.isEmpty else { return }
      let folders = configuration.musicFoldersInUse
      filling = (folders.map(\.normalized), 0..<0)
      add(folders.map(FileURI.encode), at: .end, play: false, isFilling: true) { result in
        guard case .success(let result) = result else { return }
        // That there is no music yet is no fault.
        Log.info("\(result.added.count) tracks from \(folders.map(\.description).joined(separator: ", "))")
        for refusal in result.failed where !result.added.isEmpty { Self.log(refusal) }
      }
    } else {
      replace(with: uris, isFilling: true) { result in
        guard case .success(let result) = result else { return }
        Log.info("\(result.added.count) tracks in the queue")
        result.failed.forEach(Self.log)
      }
    }
  }

  private static func log(_ refusal: RefusedURI) { Log.warning("\(refusal.uri): \(refusal.message)") }

  // MARK: Whoever names the music folder then

  /// Whether `uris` name what the daemon fills its queue with by itself, or has filled it with.
  func isFilling(_ uris: [String]) -> Bool {
    filling.map { $0.folders == uris.map { FileURI.decode($0)?.normalized } } ?? false
  }

  /// All of it is in the queue now, in these entries.
  func noteFilling(_ ids: [EntryID]) {
    if let first = ids.first, let last = ids.last { filling?.ids = first.number..<(last.number + 1) }
  }

  /// The entries it made, for somebody who asks for just that; once, and while nothing has been done with them. nil else.
  func takeFilling() -> [EntryID]? {
    defer { filling = nil }
    guard let ids = filling?.ids, !ids.isEmpty, queue.current == nil, queue.table.ids.elementsEqual(ids) else {
      return nil
    }
    return ids.map(EntryID.init)
  }
}
