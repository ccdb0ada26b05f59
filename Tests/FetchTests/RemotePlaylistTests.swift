import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueFetch

/// Tests of the playlists that servers send in place of audio.
@Suite struct RemotePlaylistTests {
  private let url = "http://radio.example/lists/a.m3u"

  private func read(_ text: String, mediaType: String? = nil, _ pathExtension: String? = nil) throws
    -> RemotePlaylist.Content
  {
    let bytes = Array(text.utf8)
    let format = try #require(RemotePlaylist.format(bytes, mediaType: mediaType, pathExtension: pathExtension))
    return try RemotePlaylist.read(bytes, format, at: url, now: .now, StreamSession())
  }

  private let expected = RemotePlaylist.Content.list([
    "http://one.example/a.mp3", "http://radio.example/lists/b%20c.mp3", "https://radio.example/d",
  ])

  @Test(
    arguments: [
      "#EXTM3U\n#EXTINF:-1,One\nhttp://one.example/a.mp3\nb c.mp3\r\nhttps://radio.example/d\n",
      "\u{FEFF}[playlist]\nFile1=http://one.example/a.mp3\nFile2=b c.mp3\nFile3=https://radio.example/d\n",
      """
      <?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList>
      <track><location>http://one.example/a.mp3</location></track><track><location>b%20c.mp3</location></track>
      <track><location>https://radio.example/d</location></track></trackList></playlist>
      """,
      """
      <ASX version=3><Entry><REF HREF = "http://one.example/a.mp3" /></entry><entry><ref href='b c.mp3'/>
      <title>a & b</title><ref href="https://radio.example/d"/></entry></asx>
      """,
      "[Reference]\nRef1=http://one.example/a.mp3\nRef2=b c.mp3\nRef3=https://radio.example/d\n",
    ])
  func playlistsOfAllFormatsNameTheirEntries(_ text: String) throws { #expect(try read(text) == expected) }

  /// A reader whose time grows with the square of the length would need hours, and nothing else would be served
  /// meanwhile.
  @Test func longPlaylistsAreReadInTime() throws {
    let size = RemotePlaylist.maximumSize / 4
    let (start, end) = ("<asx><ref href=\"http://one.example/?a=1&AMP;b=2", "\"/></asx>")
    let ampersands = String(repeating: "&", count: size - start.utf8.count - end.utf8.count)
    #expect(try read(start + ampersands + end) == .list(["http://one.example/?a=1&b=2" + ampersands]))
    let line = "#EXT-X-MEDIA:TYPE=AUDIO,DEFAULT=YES,URI=\"a\"\n"
    let audio = String(repeating: line, count: size / line.utf8.count)
    #expect(try read("#EXTM3U\n" + audio) == .list(["http://radio.example/lists/a"]))
    let segments = String(repeating: "a\n", count: size / 2 - 32)
    let manifest = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + segments
    #expect(try read(manifest) == .manifest(Array(manifest.utf8), isLive: true))
    let longURL = "http://radio.example/\(String(repeating: "x", count: 16_000))/a.m3u8"
    let many = Array((manifest + String(repeating: segments, count: 3)).utf8)
    let content = try RemotePlaylist.read(many, .m3u, at: longURL, now: .now, StreamSession())
    #expect(content == .manifest(many, isLive: true))
  }

  private static let declarations = [
    "<!ENTITY a \"\(String(repeating: "a", count: 500))\">",
    "<!ATTLIST S d CDATA \"\(String(repeating: "1", count: 500))\">",
  ]

  /// Expanded, these documents would take a hundred times their size.
  @Test(arguments: declarations)
  func aDocumentWithDeclarationsIsRefused(_ declarations: String) {
    for root in ["MPD", "playlist"] {
      #expect {
        try read("<!DOCTYPE \(root) [\(declarations)]><\(root)/>")
      } throws: { error in
        (error as? Failure)?.kind == .unplayable
          && (error as? Failure)?.message.contains("it declares entities or attributes") == true
      }
    }
  }

  @Test func aListOfLinesIsRecognisedByItsTypeOrName() throws {
    let text = "http://one.example/a.mp3\n"
    #expect(RemotePlaylist.format(Array(text.utf8), mediaType: "text/plain", pathExtension: "txt") == nil)
    #expect(try read(text, mediaType: "audio/x-mpegurl") == .list(["http://one.example/a.mp3"]))
    #expect(try read(text, "m3u") == .list(["http://one.example/a.mp3"]))
    #expect(try read("Disc 1/a.mp3\n", "m3u") == .list(["http://radio.example/lists/Disc%201/a.mp3"]))
    #expect(RemotePlaylist.format([0xFF, 0xFB, 0x90, 0x00], mediaType: "audio/mpegurl", pathExtension: "m3u") == nil)
  }

  @Test(arguments: ["fLaC", "OggS", "ID3", "\u{FF}\u{FB}", "", "<html><body>", "{}"])
  func otherBytesAreNoPlaylist(_ text: String) {
    #expect(RemotePlaylist.format(Array(text.utf8), mediaType: nil, pathExtension: "m3u") == nil)
  }

  @Test func addressesThatAreNotHTTPAreLeftOut() throws {
    #expect(throws: Failure(.unplayable, "the playlist names nothing that can be played")) {
      try read("#EXTM3U\nfile:///etc/passwd\nrtsp://h/x\nmailto:a@b\n")
    }
    #expect(throws: Failure(.unplayable, "the playlist is empty")) { try read("#EXTM3U\n") }
  }

  @Test func ofSeveralQualitiesTheBestOnesWithoutVideoAreTriedFirst() throws {
    let text = """
      #EXTM3U
      #EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1x1,CODECS="avc1.4d401e,mp4a.40.2"
      video.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.5"
      low.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS="mp4a.40.2"
      high.m3u8
      """
    #expect(try read(text) == .list(["high", "low", "video"].map { "http://radio.example/lists/\($0).m3u8" }))
  }

  @Test func theSoundOfAStreamWithVideoIsTriedFirstIfItIsSeparate() throws {
    let text = """
      #EXTM3U
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="x, y",DEFAULT=NO,URI="other.m3u8"
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="z",DEFAULT=YES,URI="main.m3u8"
      #EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1x1,AUDIO="a"
      video.m3u8
      """
    #expect(try read(text) == .list(["main", "video"].map { "http://radio.example/lists/\($0).m3u8" }))
  }

  @Test func aManifestOfSegmentsIsReadByTheDemuxer() throws {
    let manifest = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n0.ts\n"
    #expect(try read(manifest) == .manifest(Array(manifest.utf8), isLive: true))
  }

  @Test func playlistsInUTF16AreRead() throws {
    let text = "\u{FEFF}#EXTM3U\r\nhttp://one.example/u.mp3\r\n"
    for isBigEndian in [true, false] {
      let bytes = text.utf16.flatMap { unit in
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
        return isBigEndian ? [high, low] : [low, high]
      }
      #expect(RemotePlaylist.format(bytes, mediaType: nil, pathExtension: nil) == .m3u)
      let content = try RemotePlaylist.read(bytes, .m3u, at: url, now: .now, StreamSession())
      #expect(content == .list(["http://one.example/u.mp3"]))
    }
  }

  /// The demuxer expects the first line at the beginning.
  @Test func aManifestHasNoByteOrderMark() throws {
    let manifest = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n0.ts\n#EXT-X-ENDLIST\n"
    #expect(try read("\u{FEFF}\r\n" + manifest) == .manifest(Array(manifest.utf8), isLive: false))
  }

  /// The numbers of segments in manifests that were requested one after the other: those of the server, and those that
  /// the demuxer gets.
  @Test(
    arguments: [
      ([7, 8, 10], [7, 8, 10]),
      // An encoder was started again, twice.
      ([1_000, 0, 1, 5, 0], [1_000, 1_003, 1_004, 1_008, 1_011]),
      // Another server is behind.
      ([7, 5, 8], [7, 5, 8]),
      ([0, 0, 1], [0, 0, 1]),
      ([1 << 60, 0, 1 << 60, 0], [1 << 60, (1 << 60) + 3, 1 << 60, (1 << 60) + 3]),
      ([.max, 0, .max], [.max, 0, .max]),
    ] as [([Int64], [Int64])])
  func segmentsThatAreNumberedAnewFollowTheOthers(_ numbers: [Int64], _ expected: [Int64]) throws {
    let session = StreamSession()
    func manifest(_ number: Int64) -> [UInt8] {
      let segments = (0..<3).map { "#EXTINF:4,\n\(number)-\($0).ts\n" }.joined()
      return Array("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:\(number)\n\(segments)".utf8)
    }
    for (number, expected) in zip(numbers, expected) {
      let content = try RemotePlaylist.read(manifest(number), .m3u, at: url, now: .now, session)
      guard case .manifest(let bytes, isLive: true) = content else { throw Unexpected("\(content)") }
      let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n")[1]
      #expect(line == "#EXT-X-MEDIA-SEQUENCE:\(expected)")
      #expect(bytes.count { $0 == 0x0A } == 8)
    }
  }

  private static let manifestsOfManifests = [
    "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.m3u\n", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u\n",
    "#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(String(repeating: "0.ts\n", count: 99))a.m3u\n1.ts\n2.ts\n",
  ]

  @Test(arguments: manifestsOfManifests)
  func aManifestThatIncludesItselfIsRefused(_ text: String) {
    #expect(throws: RemotePlaylist.includesItself) { try read(text) }
  }
}
