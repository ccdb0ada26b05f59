import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the history, which contains tracks that were played and not those that were only selected.
@Suite struct PlayCountTests {
  private let stage: Stage
  /// Two tracks of six seconds and one second.
  private let (long, short): (FilePath, FilePath)

  init() throws {
    stage = try Stage()
    long = try stage.track("long", 0..<(6 * Signal.rate))
    short = try stage.track("short", (6 * Signal.rate)..<(7 * Signal.rate))
  }

  private func plays() throws -> [String] {
    let answer: ListPage<PlayedTrack> = ListPage(try stage.client.call("history.list"))
    return answer.items.map(\.track.uri)
  }

  /// Earlier plays are written before later requests.
  private func plays(after last: FilePath) throws -> [String] {
    let uri = FileURI.encode(last)
    try waitUntil("\(last) was played") { try plays().first == uri }
    return try plays()
  }

  @Test func whatIsHeardToItsEndCountsOnce() throws {
    let other = try stage.track("other", 0..<Signal.rate)
    try stage.add([other, short, short], play: true)
    try stage.waitForStop()
    try waitUntil("three plays are told") { try plays().count == 3 }
    #expect(try plays() == [short, short, other].map(FileURI.encode), "the newest first")
  }

  /// Skipped tracks do not count, nor tracks whose greater part was skipped by seeking.
  @Test func whatIsNotHeardDoesNotCount() throws {
    try stage.add([long, short], play: true)
    try stage.ear.listen(toFrame: Signal.rate / 2)
    try stage.ask("seek", #"{"position":5}"#)
    try stage.wait { $0.index == 1 }
    #expect(try plays(after: short) == [FileURI.encode(short)])
    stage.ear.forget()
    try stage.ask("play", #"{"index":0}"#)
    try stage.ear.listen(toFrame: Signal.rate / 2)
    try stage.ask("next")
    try stage.waitForStop()
    try waitUntil("the second was played again") { try plays().count == 2 }
    #expect(try plays() == [short, short].map(FileURI.encode))
  }

  @Test func aTrackOutsideTheLibraryIsListedAsItWasKnownWhenItWasPlayed() throws {
    let flac = AudioFile.tagged(
      try AudioFile.read(Repository.fixture("a.flac")),
      [("TITLE", "Outside"), ("ARTIST", "Nobody"), ("ALBUM", "Elsewhere")])
    let track = try stage.write("x.flac", flac)
    try stage.add([track], play: true)
    try stage.waitForStop()
    try waitUntil("the play is told") { try plays().count == 1 }
    try stage.client.call("queue.clear")
    _ = track.withCString { unlink($0) }
    stage.daemon.kill()
    try stage.daemon.start()
    try stage.reconnect()
    let answer: ListPage<PlayedTrack> = ListPage(try stage.client.call("history.list"))
    let played = try #require(answer.items.first?.track)
    #expect(played.metadata.title == "Outside")
    #expect(played.metadata.artist == "Nobody")
    #expect(played.metadata.album == "Elsewhere")
    #expect(played.duration != nil && played.durationKind == .exact)
    #expect(played.uri == FileURI.encode(track))
  }

  /// Repeated playback of the same part adds up, and pauses do not count.
  @Test func whatIsHeardIsAddedUp() throws {
    try stage.add([long], play: true)
    for _ in 0..<3 {
      try stage.ask("seek", #"{"position":1}"#)
      stage.ear.forget()
      try stage.ear.listen(toFrame: 9 * Signal.rate / 4)
      try stage.ask("pause")
      try stage.wait { $0.rate == 0 }
      try stage.ask("play")
    }
    #expect(try plays(after: long) == [FileURI.encode(long)])
  }
}
