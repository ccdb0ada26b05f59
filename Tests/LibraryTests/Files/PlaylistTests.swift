import Glibc
import SegueFiles
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@Suite(.timeLimit(.minutes(1))) struct PlaylistTests {
  private let scratch = Scratch()

  @Test func m3uEntriesAreReadWithTitlesAndDurations() async {
    for name in ["a.mp3", "sub/b c.ogg", "d%20e.mp3"] { scratch.write(name) }
    let list = scratch.write(
      "list.m3u",
      "\u{FEFF}#EXTM3U\r\n#EXTINF:123,Artist - Title\r\na.mp3\r\n\r\n#EXTINF:-1 tvg-name=\"x, y\",Radio\r\n"
        + "http://radio.example/live\r\n# a comment\r\nsub\\b c.ogg\r\nmissing.mp3\r\nd%20e.mp3\r\nfile://\(scratch.path)/a.mp3"
    )
    let found = await FileService.find(list)
    #expect(
      found.names(in: scratch) == ["a.mp3", "http://radio.example/live", "sub/b%20c.ogg", "d%2520e.mp3", "a.mp3"])
    #expect(found.tracks[0].metadata.title == "Artist - Title")
    #expect(found.tracks[0].duration == .seconds(123))
    #expect(found.tracks[0].durationKind == .estimated)
    #expect(found.tracks[1].metadata.title == "Radio")
    #expect(found.tracks[1].duration == nil)
    #expect(found.tracks[2].metadata.title == nil)
    #expect(found.failures.map(\.failure.kind) == [.notFound])
    #expect(found.failures[0].uri == FileURI.encode(scratch["missing.mp3"]))
    #expect(found.failures[0].failure.message.contains("line 9 of"))
    #expect(found.batches.allSatisfy { $0.source == .playlist(list) })
  }

  @Test func namesAndTitlesThatAreNotUTF8AreRead() async {
    let odd = scratch.path.appending([0x63, 0xE9, 0xFF] + Array(".mp3".utf8))
    scratch.write(odd, [])
    scratch.write("grün.mp3")
    let list = scratch.write(
      scratch["list.m3u"],
      joined("#EXTINF:1,Caf".utf8, [0xE9, 0x0A, 0x63, 0xE9, 0xFF], ".mp3\ngr".utf8, [0xFC], "n.mp3\n".utf8))
    let found = await FileService.find(list)
    #expect(found.tracks.map { FileURI.decode($0.uri) } == [odd, scratch["grün.mp3"]])
    #expect(found.tracks.first?.metadata.title == "Café")
  }

  @Test func anHLSManifestIsAStream() async {
    let list = scratch.write("live.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:9,\nsegment0.ts\n")
    #expect(await FileService.find(list).tracks.map(\.uri) == [FileURI.encode(list)])
  }

  @Test func plsEntriesAreReadInTheirNumericOrder() async {
    scratch.write("one.mp3")
    let list = scratch.write(
      "list.pls",
      "[playlist]\nFile10=http://x.example/\nTitle2=Zwei\nfile2=one.mp3\nLength2=61\nTitle10=Zehn\nLength10=-1\n"
        + "File99999999999=x\nFile=x\nTitle3=no file\nNumberOfEntries=2\nVersion=2\n")
    let found = await FileService.find(list)
    #expect(found.names(in: scratch) == ["one.mp3", "http://x.example/"])
    #expect(found.tracks.map(\.metadata.title) == ["Zwei", "Zehn"])
    #expect(found.tracks.map(\.duration) == [MediaTime.seconds(61), nil])
    #expect(found.failures.isEmpty)
  }

  @Test func xspfTracksAreReadWithTheirMetadata() async {
    scratch.write("ä b.flac")
    let list = scratch.write(
      "list.xspf",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <playlist version="1" xmlns="http://xspf.org/ns/0/"><title>Not a track</title><trackList>
        <track><location>
          %C3%A4%20b.flac
        </location><title>T &amp; U</title><creator>C</creator><album>A</album>
          <trackNum>7</trackNum><duration>1500</duration><location>second.flac</location></track>
        <track><title>no location</title></track>
        <track><location>https://x.example/a%20b</location></track>
      </trackList></playlist>
      """)
    let found = await FileService.find(list)
    #expect(found.names(in: scratch) == ["%C3%A4%20b.flac", "https://x.example/a%20b"])
    let first = found.tracks[0]
    #expect(first.metadata.title == "T & U")
    #expect(first.metadata.artist == "C")
    #expect(first.metadata.album == "A")
    #expect(first.metadata.track == 7)
    #expect(first.duration == .milliseconds(1500))
  }

  @Test(arguments: [
    "", "<playlist>", "<playlist><trackList></playlist>", "not xml", "\u{0}\u{1}",
    "<!DOCTYPE x [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><playlist><trackList>&x;</trackList></playlist>",
  ]) func malformedXSPFIsUnplayable(text: String) async {
    let found = await FileService.find(scratch.write("list.xspf", text))
    #expect(found.tracks.isEmpty)
    #expect(found.failures.map(\.failure.kind) == [.unplayable])
    #expect(found.failures.first?.failure.message.contains("list.xspf") == true)
  }

  @Test(
    arguments: [
      "e.m3u", "#EXTM3U\n", "e.pls", "[playlist]\n", "e.cue", "TITLE x\n", "e.xspf", "<playlist/>",
    ].pairs) func playlistsWithoutEntriesAreReportedAsNotFound(name: String, text: String) async
  {
    let found = await FileService.find(scratch.write(name, text))
    #expect(found.tracks.isEmpty)
    #expect(found.failures.map(\.failure.kind) == [.notFound])
  }

  @Test func excessiveEntityExpansionIsRefused() async {
    let levels = (1...20).map { "<!ENTITY e\($0) \"\(String(repeating: "&e\($0 - 1);", count: 10))\">" }.joined()
    let list = scratch.write(
      "list.xspf",
      "<!DOCTYPE p [<!ENTITY e0 \"aaaaaaaaaa\">\(levels)]><playlist><trackList><track><location>&e20;</location></track></trackList></playlist>"
    )
    #expect(await FileService.find(list).failures.count == 1)
  }

  @Test func excessivelyNestedElementsAreRefused() async {
    let list = scratch.write(
      "list.xspf",
      "<playlist>" + String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000)
        + "</playlist>")
    #expect(await FileService.find(list).failures.map(\.failure.kind) == [.unplayable])
    let music = "<playlist><trackList><track><location>x.mp3</location></track></trackList></playlist>"
    scratch.write("x.mp3")
    #expect(await FileService.find(scratch.write("good.xspf", music)).tracks.count == 1)
  }

  @Test func nestedPlaylistsAreReadAndLoopsAreRefused() async {
    scratch.write("x.mp3")
    scratch.write("folder/y.mp3")
    scratch.write("a.m3u", "x.mp3\nsub/b.pls\nfolder\n")
    scratch.write("sub/b.pls", "File1=../x.mp3\nFile2=../a.m3u\n")
    let found = await FileService.find(scratch["a.m3u"])
    #expect(
      found.tracks.map { FileURI.decode($0.uri)?.normalized } == [
        scratch["x.mp3"], scratch["x.mp3"], scratch["folder/y.mp3"],
      ])
    #expect(found.failures.map(\.failure.kind) == [.unplayable])
    #expect(found.failures[0].failure.message.contains("contains itself"))
  }

  @Test func playlistsAreNestedAtMostEightDeep() async {
    scratch.write("x.mp3")
    for level in 0..<12 { scratch.write("\(level).m3u", "\(level + 1).m3u\nx.mp3\n") }
    let found = await FileService.find(scratch["0.m3u"])
    #expect(found.tracks.count == 8)
    #expect(found.failures.count == 1)
    #expect(found.failures[0].failure.message.contains("deeper than 8"))
  }

  @Test func theTotalNumberOfEntriesIsLimited() async {
    scratch.write("a.m3u", String(repeating: "b.m3u\n", count: 30))
    scratch.write("b.m3u", String(repeating: "c.m3u\n", count: 30))
    scratch.write("c.m3u", String(repeating: "foo://bar\n", count: 1_000))
    let found = await FileService.find(scratch["a.m3u"])
    #expect(found.failures.count < 200_010, "the playlists have 900,930 entries")
    #expect(found.failures.last?.failure.kind == .tooLarge)
  }

  @Test func hostileFilesAreRefusedWithAReason() async {
    let junk = scratch.write(scratch["junk.m3u"], (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) })
    let large = scratch.write(scratch["large.pls"], [UInt8](repeating: 0x61, count: (16 << 20) + 1))
    let many = scratch.write("many.m3u", String(repeating: "x\n", count: 200_001))
    let pipe = scratch["pipe.m3u"]
    _ = pipe.withCString { mkfifo($0, 0o600) }
    let found = await FileService.find(junk, large, many, pipe, scratch["gone.cue"])
    #expect(found.tracks.isEmpty)
    #expect(found.failures.map(\.failure.kind) == [.unplayable, .tooLarge, .tooLarge, .unplayable, .notFound])
    for (failed, path) in zip(found.failures, [junk, large, many, pipe, scratch["gone.cue"]]) {
      #expect(failed.uri == FileURI.encode(path))
      #expect(failed.failure.message.contains(path.description))
    }
  }

  @Test func entriesThatAreNotRegularFilesAreReported() async {
    _ = scratch["pipe.mp3"].withCString { mkfifo($0, 0o600) }
    let list = scratch.write("list.m3u", "pipe.mp3\n/dev/zero\nc:\\Music\\a.mp3\nfile://host/a.mp3\nfoo://bar\n   \n")
    let found = await FileService.find(list)
    #expect(found.tracks.isEmpty)
    #expect(found.failures.map(\.failure.kind) == [.unplayable, .unplayable, .notFound, .notFound, .notFound])
  }
}

extension [String] {
  /// Pairs of consecutive elements.
  fileprivate var pairs: [(String, String)] { stride(from: 0, to: count, by: 2).map { (self[$0], self[$0 + 1]) } }
}
