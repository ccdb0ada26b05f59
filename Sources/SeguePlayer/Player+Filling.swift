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
      guard filling.isAllowed else { return }
      let folders = configuration.effectiveMusicFolders
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

  private static func log(_ refusals: URIFailureList) {
    for refusal in refusals.listed { Log.warning("\(refusal.uri): \(refusal.message)") }
    if refusals.unlisted > 0 { Log.warning("\(refusals.unlisted) more could not be added") }
  }
}
