import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of MPRIS with playerctl and busctl.
@Suite struct MPRISCommandTests {
  let fixture: DaemonFixture
  let desktop: DesktopSession

  init() throws {
    fixture = try DaemonFixture(.null("test"))
    desktop = try DesktopSession(fixture.daemon)
  }

  /// Adds a track of a second with these tags.
  private func track(_ name: String, _ tags: [(String, String)]) throws -> FilePath {
    try fixture.write(name, FLACTags.replace(try AudioFile.read(Repository.fixture("a.flac")), tags))
  }

  private func long(_ name: String = "long", seconds: Int = 20) throws -> FilePath {
    try fixture.track(name, 0..<(seconds * Signal.rate))
  }

  @Test func playerctlPlaysPausesAndSteps() throws {
    let ids = try fixture.add([try long("one"), try long("two"), try long("three")])
    #expect(try desktop.playerctl("status") == "Stopped")
    try desktop.playerctl("play-pause")
    try fixture.wait { $0.rate == 1 }
    #expect(try desktop.playerctl("status") == "Playing")
    #expect(try desktop.playerctl("metadata", "title") == "one")
    try desktop.playerctl("next")
    #expect(try fixture.status().track?.id == UInt64(ids[1]))
    #expect(try desktop.playerctl("metadata", "mpris:trackid").contains("/\(ids[1])'"))
    try desktop.playerctl("previous")
    #expect(try desktop.playerctl("metadata", "title") == "one")
    try desktop.playerctl("pause")
    #expect(try desktop.playerctl("status") == "Paused")
    // A paused player stays paused.
    try desktop.playerctl("next")
    #expect(try fixture.status().state == .paused)
    #expect(try desktop.playerctl("metadata", "title") == "two")
    try desktop.playerctl("play")
    #expect(try desktop.playerctl("status") == "Playing")
    try desktop.playerctl("stop")
    #expect(try desktop.playerctl("status") == "Stopped")
    #expect(try fixture.status().state == .stopped)
  }

  @Test func playerctlMovesThePosition() throws {
    try fixture.add([try long(seconds: 60)], play: true)
    try fixture.wait { $0.rate == 1 }
    try desktop.playerctl("position", "20")
    #expect((try fixture.status().position ?? .zero).seconds >= 20)
    try desktop.playerctl("position", "10+")
    #expect((try fixture.status().position ?? .zero).seconds >= 30)
    try desktop.playerctl("pause")
    let paused = (try fixture.status().position ?? .zero).seconds
    #expect(abs(try #require(Double(try desktop.playerctl("position"))) - paused) < 0.001)
    try desktop.playerctl("position", "25-")
    #expect(abs((try fixture.status().position ?? .zero).seconds - (paused - 25)) < 0.001)
    #expect(try desktop.playerctl("metadata", "mpris:length") == "60000000")
  }

  @Test func theRateIsTheSpeed() throws {
    try fixture.add([try long(seconds: 60)], play: true)
    #expect(try desktop.property("MinimumRate", "d").double == 0.5)
    #expect(try desktop.property("MaximumRate", "d").double == 3)
    #expect(try desktop.set("Rate", "d", "1.5") == "")
    #expect(try fixture.wait { $0.rate > 0 }.rate == 1.5)
    #expect(try desktop.property("Rate", "d").double == 1.5)
    try fixture.call("speed", #"{"factor":0.75}"#)
    #expect(try desktop.property("Rate", "d").double == 0.75)
    // Out of range.
    #expect(try desktop.set("Rate", "d", "7") == "")
    #expect(try fixture.status().speed == .fastest)
    // A rate of 0 means a pause.
    #expect(try desktop.set("Rate", "d", "0") == "")
    let paused = try fixture.status()
    #expect(paused.state == .paused && paused.speed == .fastest)
  }

  @Test func playerctlSetsVolumeLoopAndShuffle() throws {
    try fixture.add([try long()])
    try desktop.playerctl("volume", "0.5")
    #expect(try fixture.status().volume == 50)
    try desktop.playerctl("volume", "0.1-")
    #expect(try fixture.status().volume == 40)
    try fixture.client.call("volume", #"{"level":7}"#)
    try desktop.wait(until: "0.070000", "volume")
    for (word, mode) in [("Track", RepeatMode.one), ("Playlist", .all), ("None", .off)] {
      try desktop.playerctl("loop", word)
      #expect(try fixture.status().repeatMode == mode)
      #expect(try desktop.playerctl("loop") == word)
    }
    try desktop.playerctl("shuffle", "On")
    #expect(try fixture.status().shuffle == .tracks)
    // Shuffle by albums is reported as shuffle.
    try fixture.client.call("shuffle", #"{"mode":"albums"}"#)
    try desktop.playerctl("shuffle", "On")
    #expect(try fixture.status().shuffle == .albums)
    try desktop.playerctl("shuffle", "Toggle")
    #expect(try fixture.status().shuffle == .off)
    #expect(try desktop.playerctl("shuffle") == "Off")
  }

  /// MPRIS has no mute, so setting the volume unmutes.
  @Test func settingTheVolumeChangesTheOutput() throws {
    try fixture.client.call("volume", #"{"level":30,"muted":true}"#)
    #expect(try desktop.playerctl("volume") == "0.300000")
    try desktop.playerctl("volume", "0")
    #expect(try fixture.status().muted)
    try desktop.playerctl("volume", "0.1+")
    let status = try fixture.status()
    #expect(status.volume == 10 && !status.muted)
  }

  /// A server without range requests: the length is known, but the file is not seekable.
  @Test func canSeekIsFalseForAStream() throws {
    try fixture.add([try long()], play: true)
    try fixture.wait { $0.rate == 1 }
    #expect(try desktop.property("CanSeek", "b").bool == true)
    let arrival = TestEvent()
    arrival.happen()
    let file = AudioFile.wave(Signal.pcm(0..<(20 * Signal.rate)))
    let web = try WebServer(.hesitant(file, after: 200_000, until: arrival))
    let signals = try desktop.monitorSignals()
    try fixture.call("play", #"{"uri":\#(quoted(web.url("song.wav")))}"#)
    try fixture.wait { $0.rate == 1 && $0.durationKind == .exact && $0.track?.uri == web.url("song.wav") }
    _ = try signals.signal { $0.changes?["CanSeek"]?["data"]?.bool == false }
    #expect(try desktop.property("CanSeek", "b").bool == false)
    #expect(try desktop.call(DesktopSession.player, "Seek", "x", "1000000").text.contains("is not seekable"))
    withExtendedLifetime(web) {}
  }

  @Test func openURIPlaysOrReportsAnError() throws {
    try fixture.add([try long()])
    let other = try long("a song")
    try desktop.playerctl("open", other.description)
    try fixture.wait { $0.track?.uri == FileURI.encode(other) && $0.state == .playing }
    #expect(try fixture.ids().count == 2)
    let failed = try desktop.call(DesktopSession.player, "OpenUri", "s", "file:///nowhere/x.flac")
    #expect(failed.code != 0)
    #expect(failed.text.contains("/nowhere/x.flac: no such file"), "\(failed.text)")
  }

  @Test func anEmptyQueueDisablesAllMPRISControls() throws {
    #expect(try desktop.playerctl("status") == "Stopped")
    for name in ["CanPlay", "CanPause", "CanGoNext", "CanGoPrevious", "CanSeek"] {
      #expect(try desktop.property(name, "b").bool == false, "\(name)")
    }
    #expect(try desktop.property("Metadata", "a{sv}").names.isEmpty)
    for name in ["Play", "PlayPause", "Pause", "Stop", "Next", "Previous"] {
      #expect(try desktop.call(DesktopSession.player, name).code == 0, "\(name) has no effect")
    }
    #expect(try desktop.playerctl("status") == "Stopped")
    try fixture.add([try long()])
    for state in ["stop", "play", "pause"] {
      try fixture.call(state)
      for name in ["CanPlay", "CanPause"] {
        #expect(try desktop.property(name, "b").bool == true, "\(name) after \(state)")
      }
    }
  }

  @Test func aStationIsTheAlbumOfItsSongs() throws {
    let station = try Station("Radio Q")
    try fixture.add(uris: [station.url], play: true)
    _ = try fixture.wait { $0.stream?.state == .live }
    #expect(try desktop.playerctl("metadata", "--format", "{{xesam:title}}/{{xesam:album}}") == "Radio Q/")
    station.send(title: "A - B")
    _ = try fixture.wait { $0.track?.metadata.stream != nil }
    #expect(try desktop.playerctl("metadata", "--format", "{{xesam:title}}/{{xesam:album}}") == "A - B/Radio Q")
  }

  @Test func everyMPRISMetadataFieldHasItsType() throws {
    let tags = [
      ("TITLE", "Q&A <\"50%\"> \\ %{F#f00}"), ("ARTIST", "田中"), ("ALBUM", "Album"), ("ALBUMARTIST", "Various"),
      ("GENRE", "Rock"), ("COMPOSER", "Somebody"), ("DATE", "1999-03-01"), ("TRACKNUMBER", "3"), ("DISCNUMBER", "2"),
    ]
    let path = try track("a song.flac", tags)
    try fixture.add([path])
    try fixture.call("play")
    let expected = [
      "xesam:title": "s", "xesam:artist": "as", "xesam:album": "s", "xesam:albumArtist": "as", "xesam:genre": "as",
      "xesam:composer": "as", "xesam:contentCreated": "s", "xesam:trackNumber": "i", "xesam:discNumber": "i",
      "xesam:url": "s", "mpris:trackid": "o", "mpris:length": "x",
    ]
    let metadata = try desktop.property("Metadata", "a{sv}")
    var types: [String: String] = [:]
    for name in metadata.names { types[name] = metadata[name]?["type"]?.string }
    #expect(types == expected)
    #expect(metadata["xesam:url"]?["data"]?.string == FileURI.encode(path))
    #expect(try desktop.playerctl("metadata", "title") == tags[0].1)
    #expect(try desktop.playerctl("metadata", "artist") == "田中")
    #expect(try desktop.playerctl("metadata", "--format", "{{xesam:trackNumber}} {{xesam:discNumber}}") == "3 2")
    // An object path of letters, digits and underscores.
    let id = try #require(metadata["mpris:trackid"]?["data"]?.string)
    #expect(id.utf8.allSatisfy { ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2F })
  }

  /// sd-bus rejects messages with noncharacters, and a newline in a title would break the line of the reader.
  @Test func invalidTextInTagsIsSentAsValidUTF8() throws {
    let path = try track("\u{7}bell.flac", [("TITLE", "A\u{FFFE}B\u{1B}C"), ("ARTIST", "\u{FFFF}\u{85}x")])
    try fixture.add([path])
    try fixture.call("play")
    #expect(try desktop.playerctl("metadata", "title") == "A\u{FFFD}B C")
    #expect(try desktop.playerctl("metadata", "artist").hasSuffix("x"))
    #expect(try desktop.property("Metadata", "a{sv}")["xesam:url"]?["data"]?.string == FileURI.encode(path))
    // A name that is not UTF-8.
    let odd = fixture.folder.appending([0x66, 0xFF, 0x2E, 0x77, 0x61, 0x76])
    try AudioFile.write(AudioFile.wave(Signal.pcm(0..<44_100)), to: odd)
    try fixture.call("play", #"{"uri":\#(quoted(FileURI.encode(odd)))}"#)
    try desktop.wait(until: "f\u{FFFD}", "metadata", "title")
    #expect(try desktop.playerctl("metadata", "xesam:url") == FileURI.encode(odd))
  }

  @Test func theCoverIsAFileThatExists() throws {
    let front = PictureFile.png(600, 300, [200, 30, 30])
    let path = try fixture.write("a.flac", PictureFile.flac([(3, front)], [("TITLE", "T")]))
    try fixture.add([path], play: true)
    try fixture.wait { $0.track?.metadata.art != nil }
    let uri = try #require(try desktop.property("Metadata", "a{sv}")["mpris:artUrl"]?["data"]?.string)
    let file = try #require(FileURI.decode(uri))
    #expect(try AudioFile.read(file).starts(with: [0xFF, 0xD8, 0xFF]))
  }

  @Test func outdatedTrackIDsAndInvalidPositionsAreIgnored() throws {
    let ids = try fixture.add([try long("one"), try long("two", seconds: 60)], play: true)
    try fixture.call("next")
    try fixture.call("seek", #"{"position":10}"#)
    try fixture.call("pause")
    func setPosition(_ track: String, _ position: String) throws -> Int32? {
      try desktop.call(DesktopSession.player, "SetPosition", "ox", track, position).code
    }
    let before = try fixture.status().position
    #expect(try setPosition("/org/segue/Track/\(ids[0])", "30000000") == 0)
    #expect(try setPosition("/org/mpris/MediaPlayer2/TrackList/NoTrack", "30000000") == 0)
    #expect(try setPosition("/org/segue/Track/\(ids[1])", "61000000") == 0)
    #expect(try setPosition("/org/segue/Track/\(ids[1])", "-1") == 0)
    #expect(try fixture.status().position == before)
    #expect(try setPosition("/org/segue/Track/\(ids[1])", "30000000") == 0)
    #expect(try fixture.status().position == .seconds(30))
    // Beyond the end, the next track plays; before the start, the track restarts. The numbers are the largest possible.
    #expect(try desktop.call(DesktopSession.player, "Seek", "x", "\(Int64.min)").code == 0)
    #expect(try fixture.status().position == .zero)
    #expect(try desktop.call(DesktopSession.player, "Seek", "x", "\(Int64.max)").code == 0)
    #expect(try fixture.status().track?.id != UInt64(ids[1]))

    #expect(try desktop.set("PlaybackStatus", "s", "Playing").contains("is read-only"))
    #expect(try desktop.set("Volume", "s", "loud").contains("of the type d"))
    #expect(try desktop.set("Volume", "d", "nan").contains("from 0 to 1"))
    #expect(try desktop.set("LoopStatus", "s", "Sometimes").contains("None, Track or Playlist"))
    #expect(try desktop.set("Volume", "d", "-3") == "")
    #expect(try fixture.status().volume == 0)
    #expect(try desktop.set("Volume", "d", "1e300") == "")
    #expect(try fixture.status().volume == 100)
    #expect(try desktop.set("Rate", "d", "nan").contains("from 0.5 to 3"))
    #expect(try desktop.call(DesktopSession.player, "Rewind").text.contains("no method Rewind"))
    #expect(try desktop.call("org.example.Player", "Next").text.contains("no interface org.example.Player"))
    #expect(try desktop.call(DesktopSession.player, "Seek", "s", "far").text.contains("arguments of the types x"))
  }

  @Test func busctlIntrospectsAllInterfaces() throws {
    let tree = try desktop.bus.run(["busctl", "--user", "--list", "tree", DesktopSession.name]).text
    #expect(tree.contains("/org/mpris/MediaPlayer2"), "\(tree)")
    try fixture.add([try long()], play: true)
    func introspect(_ interface: String) throws -> [[String]] {
      let text = try desktop.bus.run(
        ["busctl", "--user", "--no-legend", "introspect", DesktopSession.name, DesktopSession.path, interface]
      ).text
      return text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }
    let lines = try introspect(DesktopSession.player)
    let methods = ["Next", "OpenUri", "Pause", "Play", "PlayPause", "Previous", "Seek", "SetPosition", "Stop"]
    #expect(lines.filter { $0[1] == "method" }.map { $0[0] } == methods.map { "." + $0 })
    #expect(lines.filter { $0[1] == "property" }.count == 15)
    // Every property has a value of its declared type.
    for line in lines where line[1] == "property" {
      #expect(line[3] != "-", "\(line)")
      _ = try desktop.property(String(line[0].dropFirst()), line[2])
    }
    #expect(try introspect("org.mpris.MediaPlayer2").filter { $0[1] == "property" }.count == 7)
    #expect(try introspect(DesktopSession.trackList).filter { $0[1] == "property" }.count == 2)
    #expect(try desktop.property("Identity", "s", of: "org.mpris.MediaPlayer2").string == "Segue")
    let ping = try desktop.call("org.freedesktop.DBus.Peer", "Ping")
    #expect(ping.code == 0)
  }

  @Test func theTrackListMatchesTheQueue() throws {
    let ids = try fixture.add([try long("one"), try long("two")])
    func tracks() throws -> [String] {
      try desktop.property("Tracks", "ao", of: DesktopSession.trackList).elements?.compactMap(\.string) ?? []
    }
    func path(_ id: Int) -> String { "/org/segue/Track/\(id)" }
    #expect(try tracks() == ids.map(path))
    let third = try long("three")
    let added = try desktop.call(
      DesktopSession.trackList, "AddTrack", "sob", FileURI.encode(third), path(ids[0]), "true")
    #expect(added.code == 0, "\(added.text)")
    let now = try fixture.ids()
    try #require(now.count == 3)
    #expect([now[0], now[2]] == ids)
    #expect(try fixture.wait { $0.state == .playing }.track?.id == UInt64(now[1]))
    let response = try desktop.call(
      DesktopSession.trackList, "GetTracksMetadata", "ao", "4", path(now[1]), path(99_999), path(now[0]), path(now[1]))
    let found = try JSON(parsing: response.text)["data"]?.elements?.first?.elements ?? []
    #expect(found.map { $0["xesam:title"]?["data"]?.string } == ["three", "one"])
    #expect(try desktop.call(DesktopSession.trackList, "GoTo", "o", path(now[2])).code == 0)
    #expect(try fixture.status().track?.id == UInt64(now[2]))
    #expect(try desktop.call(DesktopSession.trackList, "RemoveTrack", "o", path(now[0])).code == 0)
    #expect(try desktop.call(DesktopSession.trackList, "RemoveTrack", "o", path(now[0])).code == 0)
    #expect(try desktop.call(DesktopSession.trackList, "GoTo", "o", "/some/where").code == 0)
    #expect(try fixture.ids() == Array(now[1...]))
    #expect(try tracks() == now[1...].map(path))
  }

  /// The queue may change while the daemon reads the file of the new track.
  @Test func aTrackIsAddedAfterAnotherOneThatWasMovedMeanwhile() throws {
    let ids = try fixture.add([try long("one"), try long("two")])
    let third = try long("three")
    let workers = Processes.children(of: try #require(fixture.daemon.pid))
    try #require(!workers.isEmpty, "no worker is kept ready")
    for worker in workers { kill(worker, SIGSTOP) }
    let client = try RawBusClient(at: desktop.bus.socket)
    var arguments = RawBusClient.Body("sob")
    arguments.add(FileURI.encode(third))
    arguments.add("/org/segue/Track/\(ids[0])")
    arguments.add(UInt32(0))
    try client.call(DesktopSession.name, DesktopSession.path, DesktopSession.trackList, "AddTrack", arguments)
    // The daemon handles this call after the other one.
    #expect(try desktop.call("org.freedesktop.DBus.Peer", "Ping").code == 0)
    try fixture.client.call("queue.move", #"{"ids":[\#(ids[0])],"to":1}"#)
    #expect(try fixture.ids() == [ids[1], ids[0]])
    for worker in workers { kill(worker, SIGCONT) }
    try fixture.wait { $0.length == 3 }
    #expect(try Array(fixture.ids().prefix(2)) == [ids[1], ids[0]])
  }

  @Test func quitEndsTheDaemon() throws {
    #expect(try desktop.call("org.mpris.MediaPlayer2", "Quit").code == 0)
    #expect(fixture.daemon.waitForEnd() == 0)
    #expect(try !desktop.names().contains(DesktopSession.name))
  }
}
