import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the state after a shutdown or kill and a restart.
@Suite struct RestartTests {
  /// The ways in which a daemon ends.
  enum End: CaseIterable { case orderly, crash }

  private func end(_ fixture: DaemonFixture, _ how: End) throws {
    switch how {
    case .orderly: #expect(fixture.daemon.stop() == 0)
    case .crash: fixture.daemon.kill()
    }
    try fixture.daemon.start()
    try fixture.reconnect()
  }

  @Test(arguments: End.allCases) func confirmedChangesSurviveARestart(how: End) throws {
    let fixture = try DaemonFixture()
    let ids = try fixture.add(try fixture.album(Array(repeating: 20 * Signal.rate, count: 4)))
    try fixture.client.call("queue.move", #"{"ids":[\#(ids[3])],"to":0}"#)
    try fixture.client.call("queue.remove", #"{"ids":[\#(ids[1])]}"#)
    try fixture.client.call("repeat", #"{"mode":"one"}"#)
    try fixture.client.call("shuffle", #"{"mode":"albums"}"#)
    try fixture.client.call("consume", #"{"on":true}"#)
    try fixture.client.call("volume", #"{"level":77,"muted":true}"#)
    try fixture.client.call("sleep", #"{"after":"album"}"#)
    try fixture.call("play", #"{"id":\#(ids[2])}"#)
    try fixture.wait { $0.rate == 1 }
    try fixture.call("seek", #"{"position":11}"#)
    let paused = try fixture.call("pause")
    let before = try fixture.client.call("list")["tracks"]?.elements ?? []

    try end(fixture, how)
    let status = try fixture.status()
    #expect(try fixture.ids() == [ids[3], ids[0], ids[2]])
    let after = try fixture.client.call("list")["tracks"]?.elements ?? []
    #expect(after.map { $0["uri"]?.string } == before.map { $0["uri"]?.string })
    #expect(after.map { $0["duration"]?.double } == [20, 20, 20])
    #expect(status.state == .paused)
    #expect(status.track?.id == UInt64(ids[2]))
    let drift = (status.position ?? .zero).seconds - (paused.position ?? .zero).seconds
    // The sink plays blocks of 23 ms, of which one may begin before it is stopped.
    #expect(abs(drift) < 0.03)
    #expect(status.repeatMode == .one)
    #expect(status.shuffle == .albums)
    #expect(status.consume)
    #expect(status.volume == 77)
    #expect(status.muted)
    #expect(status.sleep == .after(.album))
    #expect(status.output.state == .idle, "the stream is not opened before playback")

    // The entry with the highest id was removed. Its id is not used again.
    try fixture.client.call("queue.clear")
    try end(fixture, how)
    let fresh = try fixture.add([fixture.folder.appending("1.wav")])
    #expect(fresh[0] > (ids.max() ?? 0))
  }

  /// Plays the tracks of a round while the daemon is restarted. No track is played twice, and steps back lead through
  /// those that were played.
  @Test(
    arguments: [ShuffleMode.tracks, .albums], End.allCases
  ) func theRoundOfAShuffleSurvivesRestarts(mode: ShuffleMode, how: End) throws {
    let fixture = try DaemonFixture(.null("test"), configuration: "[Player]\nRestore=resume\n")
    var files: [FilePath] = []
    for album in 0..<4 {
      for track in 0..<3 { files.append(try fixture.track("album \(album)/\(track)", 0..<(20 * Signal.rate))) }
    }
    let ids = try fixture.add(files)
    try fixture.call("shuffle", #"{"mode":"\#(mode.rawValue)"}"#)
    try fixture.call("play")
    var played = [try #require(try fixture.status().track?.id)]
    while played.count < ids.count {
      if played.count.isMultiple(of: 3) {
        // The next track that was announced is played after the restart, too.
        let next = try fixture.status().next?.id
        try end(fixture, how)
        #expect(try fixture.status().track?.id == played.last)
        #expect(try fixture.status().next?.id == next)
      }
      played.append(try #require(try fixture.call("next").track?.id))
    }
    #expect(Set(played).count == ids.count, "\(played)")
    if mode == .albums {
      for start in stride(from: 0, to: played.count, by: 3) { #expect(played[start + 2] == played[start] + 2) }
    }
    #expect(try fixture.status().next == nil, "the round is over")
    try end(fixture, how)
    for id in played.dropLast().reversed() { #expect(try fixture.call("prev", #"{"by":"track"}"#).track?.id == id) }
  }

  /// The position is in memory before the answer, and the order is on a slow disk.
  @Test(arguments: [ShuffleMode.tracks, .albums])
  func theAnnouncedTrackFollowsAfterACrashOnASlowDisk(mode: ShuffleMode) throws {
    let fixture = try DaemonFixture(.null("test"), configuration: "[Player]\nRestore=resume\n")
    fixture.daemon.environment["LD_PRELOAD"] = WorkerProcess.product("libFaultInjection.so").description
    fixture.daemon.environment["SLOW_WRITES"] = "20"
    try end(fixture, .orderly)
    let files = try (0..<30).map { try fixture.track("album \($0)/1", 0..<Signal.rate) }
    let ids = try fixture.add(files)
    try fixture.call("shuffle", #"{"mode":"\#(mode.rawValue)"}"#)
    for id in ids.prefix(3) {
      try fixture.call("play", #"{"id":\#(id)}"#)
      let next = try #require(try fixture.call("next").next?.id)
      try end(fixture, .crash)
      #expect(try fixture.call("next").track?.id == next)
      try fixture.call("stop")
    }
  }

  /// The queue has more entries than are probed before insertion. Facts that are probed later are saved as well.
  @Test func probedFactsOfALongQueueAreSaved() throws {
    let fixture = try DaemonFixture()
    let track = try fixture.track("1", 0..<4_410)
    let list = try fixture.write("long.m3u8", String(repeating: "1.wav\n", count: 1_500))
    try fixture.add([list])
    func durations() throws -> [Double?] {
      try [0, 1_000].flatMap { offset in
        let page = try fixture.client.call("list", #"{"offset":\#(offset)}"#)["tracks"]?.elements ?? []
        return page.map { $0["duration"]?.double }
      }
    }
    // Every batch of facts sends an event.
    while try durations().contains(nil) { _ = try fixture.watcher.event(of: "queue") }
    // The files are removed, so that the next daemon cannot probe them.
    track.withCString { _ = unlink($0) }
    try end(fixture, .crash)
    #expect(try durations() == Array(repeating: 0.1, count: 1_500))
  }

  @Test(arguments: End.allCases) func playbackResumesAtThePositionAfterARestart(how: End) throws {
    let fixture = try DaemonFixture()
    try fixture.add([try fixture.track("long", 0..<(60 * Signal.rate))], play: true)
    try fixture.recording.wait(forFrame: 2_000)
    try fixture.call("seek", #"{"position":20}"#)
    try fixture.recording.wait(forFrame: 21 * Signal.rate)
    let audible = 21 * Signal.rate
    try end(fixture, how)
    let status = try fixture.status()
    #expect(status.state == .paused)
    let position = (status.position ?? .zero).seconds
    // After a crash, the position may be five seconds old.
    #expect(position >= 20 && position < 22, "\(position)")
    if how == .orderly { #expect(abs(position - Double(audible) / Double(Signal.rate)) < 0.5, "\(position)") }
    fixture.recording.discard()
    try fixture.call("play")
    let frame = Int((position * Double(Signal.rate)).rounded())
    try fixture.recording.wait(forFrame: frame + 4_000)
    let first = try #require(fixture.recording.recordedFrames.sound.last?.first)
    #expect(abs(first - frame) <= 1)
  }

  /// A slider sends many requests. They are not written to the disk, and a crash loses none.
  @Test func seeksDuringPlaybackAreSavedInMemory() throws {
    let fixture = try DaemonFixture()
    try fixture.add([try fixture.track("long", 0..<(60 * Signal.rate))], play: true)
    try fixture.recording.wait(forFrame: 2_000)
    let database = fixture.daemon.directory.appending("home/.local/state/segue/segue.db-wal")
    let before = try AudioFile.read(database)
    for position in 1...30 { try fixture.call("seek", #"{"position":\#(position)}"#) }
    #expect(try AudioFile.read(database) == before)
    try end(fixture, .crash)
    let position = try #require(try fixture.status().position)
    #expect(position >= .seconds(30) && position < .seconds(36), "\(position)")
  }

  @Test(arguments: End.allCases) func restoreResumeStartsPlayback(how: End) throws {
    let fixture = try DaemonFixture(configuration: "[Player]\nRestore=resume\n")
    try fixture.add([try fixture.track("long", 0..<(60 * Signal.rate))], play: true)
    try fixture.recording.wait(forFrame: 2_000)
    try fixture.call("seek", #"{"position":20}"#)
    try fixture.recording.wait(forFrame: 20 * Signal.rate + 4_000)
    try end(fixture, how)
    #expect(try fixture.status().state == .playing)
    fixture.recording.discard()
    try fixture.recording.wait(forFrame: 21 * Signal.rate)
    #expect((fixture.recording.recordedFrames.sound.last?.first ?? 0) >= 20 * Signal.rate)
  }

  @Test(arguments: End.allCases) func restoreStoppedReturnsToTheStartOfTheTrack(how: End) throws {
    let fixture = try DaemonFixture(configuration: "[Player]\nRestore=stopped\n")
    let ids = try fixture.add(try fixture.album([44_100, 60 * Signal.rate]), play: true)
    try fixture.call("next")
    try fixture.call("seek", #"{"position":20}"#)
    try fixture.recording.wait(forFrame: 44_100 + 21 * Signal.rate)
    try end(fixture, how)
    let status = try fixture.status()
    #expect(status.state == .stopped)
    #expect(status.track?.id == UInt64(ids[1]))
    #expect(status.position == .zero)
    fixture.recording.discard()
    try fixture.call("play")
    try fixture.recording.wait(forFrame: 44_100 + 4_000)
    #expect(fixture.recording.recordedFrames.sound.last?.first == 44_100)
  }

  @Test func aStoppedPlayerStaysStoppedAfterARestart() throws {
    let fixture = try DaemonFixture(configuration: "[Player]\nRestore=resume\n")
    let ids = try fixture.add(try fixture.album([44_100, 44_100]), play: true)
    try fixture.call("next")
    try fixture.call("stop")
    try end(fixture, .crash)
    let status = try fixture.status()
    #expect(status.state == .stopped)
    #expect(status.track?.id == UInt64(ids[1]))
  }

  @Test func theFirstStartFillsTheQueueFromTheMusicFolder() throws {
    let daemon = try DaemonProcess(running: false)
    for name in ["b.wav", "a.wav"] {
      try AudioFile.write(
        AudioFile.wave(Signal.pcm(0..<4_410)), to: daemon.directory.appending("music").appending(name))
    }
    try daemon.start()
    let client = try daemon.connect()
    let watcher = try daemon.connect()
    if try watcher.call("subscribe")["queue"]?["length"]?.int != 2 {
      _ = try watcher.event(of: "queue") { $0["length"]?.int == 2 }
    }
    let list = try client.call("list")
    #expect(list["tracks"]?.elements?.map { $0["metadata"]?["title"]?.string } == ["a", "b"])
    // Only the initial queue is filled.
    try client.call("queue.remove", #"{"ids":[\#(list["tracks"]?.elements?.first?["id"]?.int ?? 0)]}"#)
    daemon.kill()
    try daemon.start()
    #expect(try daemon.connect().call("status")["length"]?.int == 1)
    // Arguments replace the queue.
    daemon.stop()
    let path = daemon.directory.appending("music/a.wav")
    try daemon.start([path.description, path.description, path.description])
    let last = try daemon.connect()
    if try last.call("subscribe")["queue"]?["length"]?.int != 3 {
      _ = try last.event(of: "queue") { $0["length"]?.int == 3 }
    }
  }
}
