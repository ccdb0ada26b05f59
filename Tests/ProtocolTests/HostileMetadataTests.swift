import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of tags that are too long, too many, or contain terminal control sequences.
@Suite struct HostileMetadataTests {
  let fixture: DaemonFixture

  init() throws { fixture = try DaemonFixture() }

  private func tagged(_ name: String, _ tags: [(String, String)]) throws -> FilePath {
    try fixture.write(name, FLACTags.replace(try AudioFile.read(Repository.fixture("a.flac")), tags))
  }

  private func metadata() throws -> Metadata {
    Metadata(try fixture.client.call("list")["tracks"]?.elements?.last?["metadata"])
  }

  @Test func aMegabyteOfTextIsTruncatedBetweenCharacters() throws {
    let long = String(repeating: "Ы😀", count: 170_000)
    try fixture.add([try tagged("long.flac", [("TITLE", long), ("ARTIST", "x" + long), ("ALBUM", " " + long)])])
    let metadata = try metadata()
    for text in [metadata.title, metadata.artist, metadata.album] {
      let text = try #require(text)
      #expect((Metadata.maximumTextSize - 3...Metadata.maximumTextSize).contains(text.utf8.count))
      #expect(!text.unicodeScalars.contains("\u{FFFD}"))
    }
  }

  @Test func thousandsOfTagsAreLimited() throws {
    let many = (0..<5_000).map { ("TAG\($0)", "x") } + (0..<3_000).map { ("ARTIST", "Artist \($0)") }
    try fixture.add([try tagged("many.flac", many + [("TITLE", "T")])])
    let metadata = try metadata()
    #expect(metadata.title == "T")
    #expect((1...Metadata.maximumValueCount).contains(metadata.artists.count))
    #expect(metadata.artists.first == "Artist 0")
  }

  /// The client prints one line per track, without control sequences.
  @Test func terminalControlSequencesAreRemoved() throws {
    let hostile = "\u{1B}[2J\u{1B}]0;title\u{7}\nline\r\u{8}\u{9B}31m\u{202E}\0end"
    try fixture.add([try tagged("hostile.flac", [("TITLE", hostile), ("ARTIST", hostile), ("ALBUM", hostile)])])
    try fixture.add([try fixture.write("\u{1B}[31m\n.wav", AudioFile.wave(Signal.pcm(0..<40_000)))])
    let list = try fixture.write(
      "list.m3u8", "#EXTM3U\n#EXTINF:1,\(hostile.filter { $0 != "\n" && $0 != "\0" })\n\u{1B}[31m\n")
    _ = try fixture.client.call("queue.add", #"{"uris":\#(fixture.list([FileURI.encode(list)]))}"#)
    for track in try fixture.client.call("list")["tracks"]?.elements ?? [] {
      let title = track["metadata"]?["title"]?.string ?? ""
      let isControlled = title.unicodeScalars.contains { $0.properties.generalCategory == .control }
      #expect(
        !isControlled || track["uri"]?.string?.hasSuffix(".wav") == true,
        "only a file name may contain control characters: \(title.debugDescription)")
    }
    try fixture.call("play", #"{"index":1}"#)
    for arguments in [["list"], ["status"], ["add", list.description]] {
      for place in [ClientProcess.Place.pipe, .terminal(columns: 80)] {
        let outcome = try ClientProcess.run(
          arguments, environment: ["SEGUE_SOCKET": fixture.daemon.socket.description, "NO_COLOR": "1"], on: place)
        let scalars = String(decoding: outcome.output + outcome.errors, as: UTF8.self).unicodeScalars
        #expect(!scalars.isEmpty)
        // In a pipe, tabs separate columns, so a tab in a tag would add a column.
        let layout: Set<Unicode.Scalar> = ["\n", "\t"]
        let controls = scalars.filter { scalar in
          scalar == "\u{202E}" || scalar.properties.generalCategory == .control && !layout.contains(scalar)
        }
        #expect(
          controls.isEmpty, "\(arguments) \(place): \(String(String.UnicodeScalarView(scalars)).debugDescription)")
      }
    }
  }

  /// Responses stay bounded for a queue of tracks with long titles.
  @Test func longTitlesInAPlaylistAreTruncatedInTheQueue() throws {
    try fixture.track("a", 0..<1_000)
    let title = String(repeating: "long ", count: 10_000)
    let entries = String(repeating: "#EXTINF:1,\(title)\na.wav\n", count: 200)
    #expect(try fixture.add([try fixture.write("list.m3u8", "#EXTM3U\n" + entries)]).count == 200)
    let id = try fixture.client.sendRequest("list")
    let response = try #require(try fixture.client.line())
    #expect(
      response.utf8.count < 200 * (Metadata.maximumTextSize + 1_024), "\(response.utf8.count) bytes for request \(id)")
    #expect(response.utf8.count > 200 * Metadata.maximumTextSize, "the responses contain the titles")
  }
}
