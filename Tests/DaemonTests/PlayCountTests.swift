import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the history, which contains tracks that were played and not those that were only selected.
@Suite struct PlayCountTests {
  private let fixture: DaemonFixture
  /// Two tracks of six seconds and one second.
  private let (long, short): (FilePath, FilePath)

  init() throws {
    fixture = try DaemonFixture()
    long = try fixture.track("long", 0..<(6 * Signal.rate))
    short = try fixture.track("short", (6 * Signal.rate)..<(7 * Signal.rate))
  }

  private func plays() throws -> [String] {
    let response: ListPage<PlayedTrack> = ListPage(try fixture.client.call("history.list"))
    return response.items.map(\.track.uri)
  }

  /// Earlier plays are written before later requests.
  private func plays(after last: FilePath) throws -> [String] {
    let uri = FileURI.encode(last)
    try waitUntil("the history contains \(last)") { try plays().first == uri }
    return try plays()
  }

  @Test func aTrackPlayedToItsEndCountsOnce() throws {
    let other = try fixture.track("other", 0..<Signal.rate)
    try fixture.add([other, short, short], play: true)
    try fixture.waitForStop()
    try waitUntil("the history contains three plays") { try plays().count == 3 }
    #expect(try plays() == [short, short, other].map(FileURI.encode), "the newest play is first")
  }

  /// Skipped tracks do not count, nor tracks whose greater part was skipped by seeking.
  @Test func skippedTracksDoNotCount() throws {
    try fixture.add([long, short], play: true)
    try fixture.recording.wait(forFrame: Signal.rate / 2)
    try fixture.call("seek", #"{"position":5}"#)
    try fixture.wait { $0.index == 1 }
    #expect(try plays(after: short) == [FileURI.encode(short)])
    fixture.recording.discard()
    try fixture.call("play", #"{"index":0}"#)
    try fixture.recording.wait(forFrame: Signal.rate / 2)
    try fixture.call("next")
    try fixture.waitForStop()
    try waitUntil("the history contains the second play") { try plays().count == 2 }
    #expect(try plays() == [short, short].map(FileURI.encode))
  }

  @Test func historyShowsTracksOutsideTheLibraryWithTheirTags() throws {
    let flac = FLACTags.replace(
      try AudioFile.read(Repository.fixture("a.flac")),
      [("TITLE", "Outside"), ("ARTIST", "Nobody"), ("ALBUM", "Elsewhere")])
    let track = try fixture.write("x.flac", flac)
    try fixture.add([track], play: true)
    try fixture.waitForStop()
    try waitUntil("the history contains the play") { try plays().count == 1 }
    try fixture.client.call("queue.clear")
    _ = track.withCString { unlink($0) }
    fixture.daemon.kill()
    try fixture.daemon.start()
    try fixture.reconnect()
    let response: ListPage<PlayedTrack> = ListPage(try fixture.client.call("history.list"))
    let played = try #require(response.items.first?.track)
    #expect(played.metadata.title == "Outside")
    #expect(played.metadata.artist == "Nobody")
    #expect(played.metadata.album == "Elsewhere")
    #expect(played.duration != nil && played.durationKind == .exact)
    #expect(played.uri == FileURI.encode(track))
  }

  /// Repeated playback of the same part adds up, and pauses do not count.
  @Test func playTimeIsAccumulated() throws {
    try fixture.add([long], play: true)
    for _ in 0..<3 {
      try fixture.call("seek", #"{"position":1}"#)
      fixture.recording.discard()
      try fixture.recording.wait(forFrame: 9 * Signal.rate / 4)
      try fixture.call("pause")
      try fixture.wait { $0.rate == 0 }
      try fixture.call("play")
    }
    #expect(try plays(after: long) == [FileURI.encode(long)])
  }
}
