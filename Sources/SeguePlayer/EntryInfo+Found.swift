internal import SegueLibrary
internal import SegueLink
internal import SegueSystem
internal import SegueWire

extension EntryInfo {
  /// What a worker found in the file at `uri`. A cue sheet knows its tracks better than the file they are cut from;
  /// what a playlist says is only good where the file says nothing.
  init(found: MediaInfo, uri: String, before: EntryInfo) {
    let isCueTrack = if case .file(_, range: .some) = try? MediaURI(uri) { true } else { false }
    let wasCounted = before.probed && before.durationKind == .exact && found.durationKind == .estimated
    self.init(
      metadata: isCueTrack
        ? before.metadata.filled(from: found.metadata) : found.metadata.filled(from: before.metadata),
      duration: wasCounted ? before.duration : found.duration,
      durationKind: wasCounted ? .exact : found.durationKind, error: nil, probed: true)
  }
}
