import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of adding folders, playlists, cue sheets and URLs to the queue.
@Suite struct QueueAddTests {
  let fixture: DaemonFixture

  init() throws { fixture = try DaemonFixture() }

  /// The titles in the queue.
  private func titles() throws -> [String?] {
    try fixture.client.call("list")["tracks"]?.elements?.map { $0["metadata"]?["title"]?.string } ?? []
  }

  @Test func aFolderIsAddedInDiscAndTrackOrder() throws {
    let flac = try AudioFile.read(Repository.fixture("a.flac"))
    // The order of the names differs from that of the tags.
    for (name, disc, track) in [("a", 2, 1), ("b", 1, 10), ("c", 1, 2), ("d", 2, 2), ("deep/e", 1, 1)] {
      let tags = [
        ("TITLE", "\(disc).\(track)"), ("ALBUM", "Folder"), ("ARTIST", "Somebody"), ("DISCNUMBER", "\(disc)"),
        ("TRACKNUMBER", "\(track)"),
      ]
      try fixture.write("album/\(name).flac", FLACTags.replace(flac, tags))
    }
    try fixture.write("album/cover.jpg", "no audio")
    try fixture.write("album/notes.txt", "no audio")
    let ids = try fixture.add([fixture.folder.appending("album")])
    #expect(ids.count == 5)
    let titles = try titles().compactMap(\.self)
    #expect(titles.filter { $0 != "1.1" } == ["1.2", "1.10", "2.1", "2.2"])
    #expect(titles.count == 5)
    let track = try #require(try fixture.client.call("list")["tracks"]?.elements?.first)
    #expect(track["metadata"]?["artist"]?.string == "Somebody")
    #expect(track["metadata"]?["album"]?.string == "Folder")
    #expect(track["durationKind"]?.string == "exact")
  }

  @Test(arguments: ["m3u", "m3u8", "pls", "xspf"]) func addingAPlaylistAddsItsTracks(kind: String) throws {
    let paths = try fixture.album([9_000, 8_000, 7_000])
    let text =
      switch kind {
      case "m3u": "1.wav\r\n# a comment\r\n./2.wav\r\n\(paths[2])\r\n"
      case "m3u8": "#EXTM3U\n#EXTINF:1,Один\n1.wav\n2.wav\n\(FileURI.encode(paths[2]))\n"
      case "pls": "[playlist]\nFile2=2.wav\nFile1=1.wav\nTitle1=One\nFile3=\(paths[2])\nNumberOfEntries=3\nVersion=2\n"
      default:
        "<?xml version=\"1.0\"?><playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\"><trackList>"
          + "<track><location>1.wav</location><title>One</title></track>"
          + "<track><location>2.wav</location></track>"
          + "<track><location>\(FileURI.encode(paths[2]))</location></track></trackList></playlist>"
      }
    let playlist = try fixture.write("list.\(kind)", text)
    let ids = try fixture.add([playlist], play: true)
    #expect(ids.count == 3)
    switch kind {
    case "m3u8": #expect(try titles() == ["Один", "2", "3"])
    case "m3u": #expect(try titles() == ["1", "2", "3"])
    default: #expect(try titles() == ["One", "2", "3"])
    }
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: 24_000)])
  }

  @Test func tracksOfACueSheetAreGapless() throws {
    // A second has 75 cue frames of 588 PCM frames each.
    let length = 588 * 300
    try AudioFile.write(AudioFile.wave(Signal.pcm(0..<length)), to: fixture.folder.appending("disc.wav"))
    let sheet = try fixture.write(
      "disc.cue",
      """
      PERFORMER "Somebody"
      TITLE "Disc"
      FILE "disc.wav" WAVE
        TRACK 01 AUDIO
          TITLE "One"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE "Two"
          PERFORMER "Another"
          INDEX 00 00:01:20
          INDEX 01 00:01:37
        TRACK 03 AUDIO
          TITLE "Three"
          INDEX 01 00:02:40
      """)
    let ids = try fixture.add([sheet], play: true)
    #expect(ids.count == 3)
    #expect(try titles() == ["One", "Two", "Three"])
    let second = try fixture.wait { $0.track?.id == UInt64(ids[1]) }
    #expect(second.track?.metadata.artist == "Another")
    #expect(second.track?.metadata.album == "Disc")
    #expect(second.duration == MediaTime(seconds: Double(75 * 2 + 40 - 75 - 37) / 75))
    #expect(
      (second.position ?? .zero) < .milliseconds(500), "the position is relative to the track and not to the file")
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: length)])
    // A single track has its exact range, and seeks are relative to its start.
    fixture.recording.discard()
    try fixture.call("sleep", #"{"after":"track"}"#)
    try fixture.call("play", #"{"index":1}"#)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 588 * 112, count: 588 * 78)])
    fixture.recording.discard()
    try fixture.call("play", #"{"index":2}"#)
    try fixture.call("seek", #"{"position":1}"#)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound.last == RecordedFrames.Run(first: 588 * (190 + 75), count: 588 * 35))
  }

  @Test func failuresAreListedAndTheRestIsAdded() throws {
    let intact = try fixture.album([5_000])[0]
    let text = try fixture.write("text.flac", "this is no music at all, whatever its name says")
    let missing = fixture.folder.appending("missing.flac")
    let empty = fixture.folder.appending("empty")
    try fixture.write("empty/readme.txt", "nothing")
    let list = try fixture.write("list.m3u8", "1.wav\ngone.wav\n")
    let uris = [
      FileURI.encode(text), FileURI.encode(intact), FileURI.encode(missing), FileURI.encode(empty),
      FileURI.encode(list), "gopher://nowhere/x", "no uri",
    ]
    let response = try fixture.client.call("queue.add", #"{"uris":\#(fixture.list(uris))}"#)
    let failed = response["failed"]?.elements ?? []
    let kinds = Dictionary(
      failed.map { ($0["uri"]?.string ?? "", $0["kind"]?.string ?? "") }, uniquingKeysWith: { first, _ in first })
    #expect(kinds[FileURI.encode(text)] == "unplayable")
    #expect(kinds[FileURI.encode(missing)] == "not_found")
    #expect(kinds[FileURI.encode(fixture.folder.appending("gone.wav"))] == "not_found")
    #expect(kinds["gopher://nowhere/x"] != nil)
    #expect(kinds["no uri"] != nil)
    #expect(failed.allSatisfy { $0["message"]?.string?.isEmpty == false })
    #expect(response["added"]?.count == 2, "the file and the first entry of the playlist are added")
  }

  @Test func aFileNameThatIsNotUTF8SurvivesTheRoundTrip() throws {
    let path = fixture.folder.appending([0x66, 0xFF, 0x20, 0x23, 0x25] + Array(".wav".utf8))
    try AudioFile.write(AudioFile.wave(Signal.pcm(0..<5_000)), to: path)
    try fixture.add([fixture.folder])
    let track = try #require(try fixture.client.call("list")["tracks"]?.elements?.first)
    #expect(track["uri"]?.string == FileURI.encode(path))
    try fixture.call("play", #"{"index":0}"#)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: 5_000)])
  }

  @Test func aPageStartsAtTheGivenEntryID() throws {
    let ids = try fixture.add(try fixture.album([1_000, 1_000, 1_000, 1_000]))
    let page = try fixture.client.call("list", #"{"id":\#(ids[1]),"limit":2,"offset":7}"#)
    #expect(page["tracks"]?.elements?.map { $0["id"]?.int } == Array(ids[1...2]))
    #expect(page["offset"]?.int == 1 && page["total"]?.int == 4)
    try fixture.client.call("queue.remove", #"{"ids":[\#(ids[1])]}"#)
    #expect(try fixture.client.errorResponse(to: "list", #"{"id":\#(ids[1])}"#).kind == "no_such_track")
  }
}
