internal import SegueLibrary
internal import SegueSystem
internal import SegueWire

/// What a daemon takes into its queue at its start.
extension Player {
  /// Fills the queue with what the daemon was given; with the music folders if that is nothing and there has never been
  /// a queue.
  /// Behind `startLibrary`: what the scan looks into is not looked into twice.
  public func fill(from uris: [String]) {
    if uris.isEmpty {
      guard beginning == .none else { return }
      let folders = configuration.musicFoldersInUse
      add(folders.map(FileURI.encode), at: .end, play: false, isFilling: true) { result in
        guard case .success(let result) = result else { return }
        // That there is no music yet is no fault.
        Log.info("\(result.added.count) tracks from \(folders.map(\.description).joined(separator: ", "))")
        if !result.added.isEmpty { Self.log(result.failed) }
      }
    } else {
      replace(with: uris, isFilling: true) { result in
        guard case .success(let result) = result else { return }
        Log.info("\(result.added.count) tracks in the queue")
        Self.log(result.failed)
      }
    }
  }

  private static func log(_ refusals: Refusals) {
    for refusal in refusals.listed { Log.warning("\(refusal.uri): \(refusal.message)") }
    if refusals.unlisted > 0 { Log.warning("\(refusals.unlisted) more could not be added") }
  }

  // MARK: A user who adds the music folders

  /// Whether `uris` are music folders, with all of which the daemon fills, or has filled, its queue by itself. They may
  /// be some of the folders, in any order, each of them once.
  func areFilling(_ uris: [String]) -> Bool {
    guard beginning != .user, !uris.isEmpty else { return false }
    let folders = Set(configuration.musicFoldersInUse.map(\.normalized))
    let named = Set(uris.map { FileURI.decode($0)?.normalized })
    return named.count == uris.count && named.isSubset(of: folders)
  }

  /// Notes that the daemon has added these entries by itself.
  func noteFilling(_ ids: [EntryID]) {
    guard let first = ids.first, let last = ids.last else { return }
    let start = if case .filling(let range) = beginning { range.lowerBound } else { first.number }
    noteBeginning(.filling(start..<(last.number + 1)))
  }

  /// Returns the entries that the daemon has added by itself, by URI, if the queue still consists of them; else nothing.
  /// It returns them only once: a user who adds the folders again wants them again.
  func takeFilling() -> [String: EntryID] {
    guard case .filling(let ids) = beginning else { return [:] }
    noteBeginning(.user)
    guard queue.table.ids.elementsEqual(ids) else { return [:] }
    return Dictionary(queue.entries.map { ($0.uri, $0.id) }, uniquingKeysWith: { first, _ in first })
  }
}
