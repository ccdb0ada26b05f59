internal import SegueFiles
internal import SegueLibrary
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

extension ScanRequest {
  /// Returns the tracks into which the file is divided, now that its facts are known: those of a cue sheet beside it
  /// or, if there is none, of the one in its tags. Tracks that begin after the end of the file are dropped.
  func cueTracks(_ facts: FileFacts) -> [ScannedFile.CueTrack] {
    var tracks = cueTracks
    if tracks.isEmpty, let sheet = facts.cueSheet {
      tracks = Playlist.tracks(ofEmbedded: sheet).map {
        ScannedFile.CueTrack(range: $0.range, metadata: $0.metadata.bounded, gain: $0.gain)
      }
    }
    guard let duration = facts.info.duration, facts.info.durationKind == .exact else { return tracks }
    let present = tracks.filter { $0.range.map { $0.startTime < duration } ?? true }
    if present.count < tracks.count {
      Log.notice(
        "\(path): \(tracks.count - present.count) of \(tracks.count) tracks of the cue sheet begin after the end of the file"
      )
    }
    return present
  }
}
