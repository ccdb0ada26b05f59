internal import SegueFiles
internal import SegueLibrary
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// The outcome of probing an entry's file.
enum ProbeOutcome {
  /// The description of a file that a worker has read.
  case info(MediaInfo)
  /// A track of the index.
  case track(LibraryTrack)
  case failure(Failure)
}

extension EntryInfo {
  /// Combines `outcome` with what is known of `entry`; nil if the outcome says nothing.
  init?(_ outcome: ProbeOutcome, of entry: PlayQueue.Entry) {
    switch outcome {
    case .info(let found): self.init(found: found, uri: entry.uri, before: entry.info)
    case .track(let track): self.init(known: track, before: entry.info)
    // The file is not the cause: it is probed when it is played, or by the next daemon.
    case .failure(let failure) where failure.kind == .unavailable: return nil
    case .failure(let failure):
      self = entry.info
      self.failure = failure
      probed = true
    }
  }

  /// Combines what a worker found in the file at `uri` with what was known before. For a track of a cue sheet the sheet
  /// takes precedence over the file; what a playlist says is used only where the file says nothing.
  init(found: MediaInfo, uri: String, before: EntryInfo) {
    let isCueTrack = if case .file(_, range: .some) = try? MediaURI(uri) { true } else { false }
    let keepsDuration = before.probed && before.durationKind == .exact && found.durationKind == .estimated
    self.init(
      metadata: isCueTrack
        ? before.metadata.filled(from: found.metadata) : found.metadata.filled(from: before.metadata),
      duration: keepsDuration ? before.duration : found.duration,
      durationKind: keepsDuration ? .exact : found.durationKind, failure: nil, probed: true)
  }

  /// Combines what the index has of a track, which a scan has read, with what was known before.
  init(known track: LibraryTrack, before: EntryInfo) {
    self.init(
      metadata: track.metadata.filled(from: before.metadata), duration: track.duration,
      durationKind: track.durationKind, failure: nil, probed: true)
  }

  /// Creates the information that a playlist has, which is used until the file is probed.
  init(playlist track: FoundTrack) {
    self.init(metadata: track.metadata, duration: track.duration, durationKind: track.durationKind)
  }
}
