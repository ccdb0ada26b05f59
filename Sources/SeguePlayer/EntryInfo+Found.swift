internal import SegueLibrary
internal import SegueLink
internal import SegueSystem
internal import SegueWire

/// What was found out about an entry's file.
enum ProbeOutcome {
  /// By a worker that looked into it.
  case info(MediaInfo)
  /// In the index.
  case track(LibraryTrack)
  /// Nothing, and why.
  case failure(Failure)
}

extension EntryInfo {
  /// What is known of `entry` with `finding`; nil if that says nothing.
  init?(_ finding: ProbeOutcome, of entry: QueueEntry) {
    switch finding {
    case .info(let found): self.init(found: found, uri: entry.uri, before: entry.info)
    case .track(let track): self.init(known: track, before: entry.info)
    // No fault of the file: it is looked into when it is played, or by the next daemon.
    case .failure(let failure) where failure.kind == .unavailable: return nil
    case .failure(let failure):
      self = entry.info
      self.failure = failure
      probed = true
    }
  }

  /// What a worker found in the file at `uri`. A cue sheet knows its tracks better than the file they are cut from;
  /// what a playlist says is only good where the file says nothing.
  init(found: MediaInfo, uri: String, before: EntryInfo) {
    let isCueTrack = if case .file(_, range: .some) = try? MediaURI(uri) { true } else { false }
    let wasCounted = before.probed && before.durationKind == .exact && found.durationKind == .estimated
    self.init(
      metadata: isCueTrack
        ? before.metadata.filled(from: found.metadata) : found.metadata.filled(from: before.metadata),
      duration: wasCounted ? before.duration : found.duration,
      durationKind: wasCounted ? .exact : found.durationKind, failure: nil, probed: true)
  }

  /// What the index knows is what a worker found. What a playlist says is only good where the file says nothing.
  init(known track: LibraryTrack, before: EntryInfo) {
    self.init(
      metadata: track.metadata.filled(from: before.metadata), duration: track.duration,
      durationKind: track.durationKind, failure: nil, probed: true)
  }
}
