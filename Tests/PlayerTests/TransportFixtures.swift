import SegueRing
import SegueSystem
import SegueWire
import SegueWorkerProtocol

@testable import SeguePlayer

extension Transport.Track {
  /// Creates the track of an entry whose file was not opened.
  init(_ entry: EntryID) { self.init(entry: entry, uri: "file:///\(entry)") }

  /// Returns the track of an entry whose file, `MediaInfo.recording`, was opened.
  static func opened(_ entry: EntryID) -> Self {
    var track = Self(entry)
    track.chapters = []
    return track
  }
}

extension MediaInfo {
  /// A file that can be played from its beginning only.
  static let recording = MediaInfo(
    audio: Audio(nil), duration: .seconds(60), durationKind: .exact, seekable: false, metadata: Metadata())

  static let seekable = MediaInfo(
    audio: Audio(nil), duration: .seconds(60), durationKind: .exact, seekable: true, metadata: Metadata())

  static let live = MediaInfo(
    audio: Audio(nil), duration: nil, durationKind: .unbounded, seekable: false, metadata: Metadata())
}

/// Events with entries in place of tracks.
extension Transport.Event {
  static func play(_ entry: EntryID, from position: MediaTime) -> Self {
    .play(Transport.Track(entry), from: position)
  }

  static func jump(_ entry: EntryID, to position: MediaTime) -> Self { .jump(Transport.Track(entry), to: position) }

  static func followed(by entries: [EntryID]) -> Self {
    .successors(entries.map { Transport.Start(track: Transport.Track($0)) })
  }

  static func opened(_ generation: Generation) -> Self { .opened(generation, .recording) }
}
