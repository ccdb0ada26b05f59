import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the queue, its history and the playlists after files have been moved.
@Suite struct LibraryMoveTests {
  private func move(_ old: FilePath, _ new: FilePath) {
    new.parent.withCString { _ = mkdir($0, 0o700) }
    let result = old.withCString { old in new.withCString { Glibc.rename(old, $0) } }
    #expect(result == 0, "\(old) to \(new)")
  }

  /// Moves a file as to another disk: the copy is another file with another time.
  private func copyAndRemove(_ old: FilePath, _ new: FilePath) throws {
    new.parent.withCString { _ = mkdir($0, 0o700) }
    try AudioFile.write(try AudioFile.read(old), to: new)
    old.withCString { _ = unlink($0) }
  }

  private func uris(_ client: SocketClient) throws -> [String] {
    try client.call("list")["tracks"]?.elements?.compactMap { $0["uri"]?.string } ?? []
  }

  private func waitForQueue(_ fixture: LibraryFixture, _ expected: [String]) throws {
    try fixture.watcher.call("subscribe", #"{"topics":["queue"]}"#)
    while try uris(fixture.client) != expected { _ = try fixture.watcher.event(of: "queue") }
  }

  @Test(arguments: [false, true]) func theQueueItsHistoryAndPlaylistsFollowMovedFiles(isRunning: Bool) throws {
    let fixture = try LibraryFixture()
    let (one, two, three) = ("Кино/Группа крови/1", "Кино/Группа крови/2", "Björk/Debut/01")
    let all = [one, two, three].map(fixture.uri)
    let list = all.map(quoted).joined(separator: ",")
    try fixture.client.call("queue.replace", #"{"uris":[\#(list)]}"#)
    try fixture.client.call("playlists.save", #"{"name":"mine","uris":[\#(list)]}"#)
    let ids = try fixture.client.call("list")["tracks"]?.elements?.compactMap { $0["id"]?.int } ?? []
    try fixture.client.call("queue.remove", #"{"ids":[\#(ids[1])]}"#)
    if !isRunning { fixture.daemon.kill() }
    let music = fixture.music
    move(music.appending("Кино"), music.appending("Kino"))
    try copyAndRemove(music.appending(three + ".flac"), music.appending("Björk/Human Behaviour.flac"))
    if !isRunning { try fixture.restart() }
    let moved = ["Kino/Группа крови/1", "Kino/Группа крови/2", "Björk/Human Behaviour"].map(fixture.uri)
    try waitForQueue(fixture, [moved[0], moved[2]])
    try fixture.client.call("queue.undo")
    #expect(try uris(fixture.client) == moved)
    #expect(try fixture.client.call("list")["tracks"]?.elements?.compactMap { $0["id"]?.int } == ids)
    try waitForPlaylist(fixture, moved)
    // The change is on disk.
    fixture.daemon.kill()
    try fixture.restart()
    #expect(try uris(fixture.client) == moved)
  }

  /// Playlists follow after the queue, without an event.
  private func waitForPlaylist(_ fixture: LibraryFixture, _ expected: [String]) throws {
    let deadline = MonotonicTime.now + .seconds(30)
    while true {
      let tracks: ListPage<ListedTrack> = try fixture.page("playlists.load", #"{"name":"mine"}"#)
      if tracks.items.map(\.uri) == expected { return }
      guard MonotonicTime.now < deadline else { throw Unexpected("\(tracks.items.map(\.uri))") }
    }
  }

  /// The ways in which a file leaves its path.
  enum Departure: CaseIterable { case renamed, copied, withFolder, deleted }

  @Test(arguments: Departure.allCases) func playbackResumesInAFileThatHasMoved(how: Departure) throws {
    let pulse = try PulseServer([.null("test")])
    let fixture = try LibraryFixture(configuration: "[Player]\nRestore=resume\n", pulse: pulse)
    let (old, folder) = (fixture.music.appending("Björk/Debut/02.flac"), fixture.music.appending("Björk/Debut"))
    try AudioFile.write(try AudioFile.read(Repository.fixture("long.flac")), to: old)
    try fixture.wait { $0.tracks == LibraryFixture.songs.count + 1 && !$0.scanning }
    let list = [FileURI.encode(old), fixture.uri("loose")].map(quoted).joined(separator: ",")
    try fixture.client.call("queue.replace", #"{"uris":[\#(list)]}"#)
    try fixture.client.call("play")
    try fixture.watcher.call("subscribe", #"{"topics":["player"]}"#)
    while try fixture.client.call("status")["rate"]?.double != 1 { _ = try fixture.watcher.event(of: "player") }
    fixture.daemon.kill()
    var new = fixture.music.appending("Björk/02 renamed.flac")
    switch how {
    case .renamed: move(old, new)
    case .copied: try copyAndRemove(old, new)
    case .withFolder:
      new = fixture.music.appending("Björk/First/02.flac")
      move(folder, new.parent)
    case .deleted: old.withCString { _ = unlink($0) }
    }
    try fixture.restart()
    try fixture.watcher.call("subscribe", #"{"topics":["player"]}"#)
    var status = try fixture.client.call("status")
    while status["rate"]?.double != 1 {
      _ = try fixture.watcher.event(of: "player")
      status = try fixture.client.call("status")
    }
    let tracks = try fixture.client.call("list")["tracks"]?.elements ?? []
    guard how != .deleted else {
      // A file that has not moved is skipped.
      #expect(status["index"]?.int == 1)
      return #expect(tracks.first?["errorKind"]?.string == "not_found")
    }
    #expect(status["index"]?.int == 0)
    #expect(status["track"]?["uri"]?.string == FileURI.encode(new))
    #expect(tracks.allSatisfy { $0["error"]?.string == nil })
  }

  /// The scan may take hours on a slow disk. This one waits for workers that never get ready.
  @Test func missingFilesDelayPlaybackOnlyOnceDuringAScan() throws {
    let replaceable = try ReplaceableWorkerFixture(.null("test"))
    let fixture = replaceable.fixture
    let files = try fixture.album([60 * Signal.rate, 1_000, 1_000, 1_000, 1_000, 60 * Signal.rate])
    try fixture.add(files)
    try fixture.call("play")
    try fixture.recording.wait(forFrame: 10_000)
    for file in files[1..<5] { file.withCString { _ = unlink($0) } }
    try replaceable.installWorker("exec sleep 1000")
    let music = fixture.daemon.directory.appending("music")
    try AudioFile.write(try AudioFile.read(files[0]), to: music.appending("new.wav"))
    try fixture.client.call("library.scan")
    try fixture.call("play", #"{"index":1}"#)
    try fixture.wait { $0.index == 5 && $0.rate == 1 }
    #expect(LibraryStatus(try fixture.client.call("library.status")).scanning)
    let kinds = try fixture.client.call("list")["tracks"]?.elements?.map { $0["errorKind"]?.string }
    #expect(kinds == [nil, "not_found", "not_found", "not_found", "not_found", nil])
  }

  /// Changes of so many entries are calculated on another thread.
  @Test func aLongQueueAndItsHistoryFollowAMovedFolder() throws {
    let fixture = try LibraryFixture()
    let list = Array(repeating: quoted(fixture.uri("Кино/Группа крови/1")), count: 2_500).joined(separator: ",")
    try fixture.client.call("queue.replace", #"{"uris":[\#(list)]}"#)
    let ids = try page(fixture, offset: 500).compactMap { $0["id"]?.int }
    #expect(ids.count == 1_000)
    try fixture.client.call("queue.remove", #"{"ids":\#(ids)}"#)
    move(fixture.music.appending("Кино"), fixture.music.appending("Kino"))
    let moved = fixture.uri("Kino/Группа крови/1")
    try fixture.watcher.call("subscribe", #"{"topics":["queue"]}"#)
    while try page(fixture, offset: 0).first?["uri"]?.string != moved { _ = try fixture.watcher.event(of: "queue") }
    try fixture.client.call("queue.undo")
    for isRestarted in [false, true] {
      if isRestarted {
        fixture.daemon.kill()
        try fixture.restart()
      }
      let tracks = try [0, 1_000, 2_000].flatMap { try page(fixture, offset: $0) }
      #expect(tracks.count == 2_500)
      #expect(tracks.allSatisfy { $0["uri"]?.string == moved })
    }
  }

  private func page(_ fixture: LibraryFixture, offset: Int) throws -> [JSON] {
    try fixture.client.call("list", #"{"offset":\#(offset)}"#)["tracks"]?.elements ?? []
  }

  @Test func thePositionInAMovedTrackIsKept() throws {
    let pulse = try PulseServer([.null("test")])
    let fixture = try LibraryFixture(pulse: pulse)
    let uris = ["Björk/Debut/01", "loose"].map { quoted(fixture.uri($0)) }.joined(separator: ",")
    try fixture.client.call("queue.replace", #"{"uris":[\#(uris)]}"#)
    try fixture.client.call("play", #"{"index":1}"#)
    try fixture.client.call("pause")
    let before = try fixture.client.call("seek", #"{"position":0.25}"#)
    fixture.daemon.stop()
    try copyAndRemove(fixture.music.appending("loose.flac"), fixture.music.appending("elsewhere/other name.flac"))
    try fixture.restart()
    try waitForQueue(fixture, [fixture.uri("Björk/Debut/01"), fixture.uri("elsewhere/other name")])
    let status = try fixture.client.call("status")
    #expect(status["index"]?.int == 1 && status["state"]?.string == "paused")
    #expect(status["position"]?.double == before["position"]?.double)
    try fixture.client.call("play")
    try fixture.watcher.call("subscribe", #"{"topics":["player"]}"#)
    // The moved track is played to its end.
    while try fixture.client.call("status")["index"]?.int != 0 { _ = try fixture.watcher.event(of: "player") }
    #expect(try fixture.client.call("list")["tracks"]?.elements?.allSatisfy { $0["error"]?.string == nil } == true)
  }
}
