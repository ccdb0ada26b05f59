import SegueFiles
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@Suite(.timeLimit(.minutes(1))) struct CueSheetTests {
  private let scratch = Scratch()

  private let sheet = """
    REM GENRE "Art Rock"\r
    REM DATE 1973\r
    REM DISCNUMBER 2
    PERFORMER "The Band"
    SONGWRITER "All"
    TITLE "The "Live" Album"
    FILE "disc one.wav" WAVE
      TRACK 01 AUDIO
        TITLE "One"
        INDEX 01 00:00:00
      TRACK 02 AUDIO
        TITLE "Two"
        PERFORMER "Guest"
        SONGWRITER "Somebody"
        PREGAP 00:02:00
        INDEX 00 03:58:10
        INDEX 01 04:00:37
      TRACK 03 AUDIO
        INDEX 01 120:10:74
        INDEX 02 121:00:00
    FILE other.flac WAVE
      TRACK 04 AUDIO
        TITLE "Four"
        INDEX 01 00:00:00
      TRACK 05 MODE1/2352
        INDEX 01 05:00:00
    """

  @Test func theTracksOfACueSheetAreRangesOfItsFiles() async {
    scratch.write("disc one.wav")
    scratch.write("other.flac")
    let found = await FileService.find(scratch.write("a.cue", sheet))
    #expect(found.failures.isEmpty)
    let ranges: [(String, CueRange?)] = found.tracks.map { track in
      guard case .file(let path, let range)? = try? MediaURI(track.uri) else { return ("?", nil) }
      return (String(decoding: path.lastComponent, as: UTF8.self), range)
    }
    let second: Int64 = 240 * 75 + 37
    let third: Int64 = (120 * 60 + 10) * 75 + 74
    #expect(ranges.map(\.0) == ["disc one.wav", "disc one.wav", "disc one.wav", "other.flac"])
    #expect(
      ranges.map(\.1) == [
        CueRange(start: 0, end: second), CueRange(start: second, end: third), CueRange(start: third, end: nil),
        CueRange(start: 0, end: 300 * 75),
      ])
    #expect(found.tracks.map(\.metadata.title) == ["One", "Two", nil, "Four"])
    #expect(found.tracks.map(\.metadata.artist) == ["The Band", "Guest", "The Band", "The Band"])
    #expect(found.tracks.map(\.metadata.composer) == ["All", "Somebody", "All", "All"])
    #expect(found.tracks.map(\.metadata.track) == [1, 2, 3, 4])
    #expect(
      found.tracks.map(\.duration) == [
        MediaTime(nanoseconds: 240_493_333_333), CueRange(start: second, end: third).duration, nil,
        MediaTime.seconds(300),
      ])
    #expect(found.tracks.map(\.durationKind) == [.exact, .exact, nil, .exact])
    let one = found.tracks[0].metadata
    #expect(one.album == "The \"Live\" Album")
    #expect(one.albumArtist == "The Band")
    #expect(one.genre == ["Art Rock"])
    #expect(one.year == 1973)
    #expect(one.disc == 2)
    #expect(one.trackTotal == 4)
  }

  @Test func aTrackThatIsAWholeFileHasNoRange() async {
    scratch.write("1.flac")
    scratch.write("2.flac")
    let found = await FileService.find(
      scratch.write(
        "a.cue",
        "FILE \"1.flac\" WAVE\n TRACK 01 AUDIO\n  INDEX 01 00:00:00\n TRACK 02 AUDIO\n  INDEX 00 03:00:00\n"
          + "FILE \"2.flac\" WAVE\n  INDEX 01 00:00:00\n"))
    #expect(found.names(in: scratch) == ["1.flac", "2.flac"])
  }

  @Test func aCompressedFileReplacesTheWAVInTheCueSheet() async {
    scratch.write("Disc.flac")
    let text = joined(
      "PERFORMER \"Caf".utf8, [0xE9], "\"\rFILE \"Disc.wav\" WAVE\rTRACK 01 AUDIO\rINDEX 01 00:01:00\r".utf8)
    let found = await FileService.find(scratch.write(scratch["a.cue"], text))
    #expect(found.names(in: scratch) == ["Disc.flac#t=1"])
    #expect(found.tracks.first?.metadata.artist == "Café")
  }

  @Test func invalidLinesOfACueSheetAreSkipped() async {
    scratch.write("a.wav")
    let found = await FileService.find(
      scratch.write(
        "a.cue",
        "INDEX 01 00:00:00\nTRACK\nTRACK 01 AUDIO\nFILE \"a.wav\" WAVE\nINDEX 01 00:99:00\nTRACK 02 AUDIO\nINDEX 01 x\n"
          + "TRACK 03 AUDIO\nINDEX 01 999999998:00:00\nTRACK 03 AUDIO\nINDEX 01 999999999:00:00\n"
          + "TRACK 03 AUDIO\nINDEX 01 00:10:00\nTRACK 04 AUDIO\nINDEX 01 00:05:00\nFILE \"\nTITLE \"\n"))
    // A track that ends before it begins is dropped. The last valid track remains.
    #expect(found.names(in: scratch) == ["a.wav#t=5"])
    let messages = found.failures.map(\.failure.message)
    #expect(messages.count == 6, "every track that cannot be played is reported")
    #expect(messages.allSatisfy { $0.contains("(line ") })
  }

  /// Reads a sheet of the file "a.wav" and returns the ranges of its tracks.
  private func ranges(_ text: String) async -> [CueRange?] {
    scratch.write("a.wav")
    let found = await FileService.find(scratch.write("a.cue", text))
    #expect(found.failures.isEmpty, "\(found.failures.map(\.failure.message))")
    return found.tracks.map { track in
      if case .file(_, let range)? = try? MediaURI(track.uri) { range } else { nil }
    }
  }

  /// The ranges of tracks that begin at 0, 5 and 10 seconds.
  private static let usual = [
    CueRange(start: 0, end: 375), CueRange(start: 375, end: 750), CueRange(start: 750, end: nil),
  ]

  @Test(
    arguments: [
      "FILE\t\"a.wav\"\tWAVE\nTRACK\t01\tAUDIO\n\tINDEX\t01\t00:00:00\nTRACK  02   AUDIO\n  INDEX   01   00:05:00\n"
        + "\t TRACK 3 audio\nindex 1 0:10:0\n",
      "FILE a.wav WAVE\rTRACK 001 AUDIO\rINDEX 001 00:00:00\rTRACK 002 AUDIO\rINDEX 001 00:05:00\rTRACK 003 AUDIO\r"
        + "INDEX 001 00:10:00",
      "\u{FEFF}FILE \"a.wav WAVE\nTRACK 01\nINDEX 01 00:00.00\nTRACK 02\nINDEX 01 00:05\nTRACK 03\nINDEX 01 00:10,00\n",
      "FILE a.wav\nTRACK 01 AUDIO\nINDEX 00 00:00:00\nTRACK 02 AUDIO\nINDEX 00 00:05:00\nTRACK 03 AUDIO\nINDEX 02 00:10:00\n"
        + "INDEX 03 00:12:00\n",
      "CATALOG 0000000000000\nCDTEXTFILE x.cdt\nFILE \"a.wav\" WAVE\nTRACK 01 AUDIO\nISRC ABCDE1234567\nFLAGS DCP\nPOSTGAP 00:02:00"
        + "\nTRACK 02 AUDIO\nPREGAP 00:02:00\nINDEX 00 00:03:00\nINDEX 01 00:05:00\nTRACK 03 AUDIO\nREM INDEX 01 00:07:00"
        + "\nINDEX 01 00:10:00\nINDEX 02 00:11:00\n",
      "FILE \"a.wav\" BINARY\nTRACK 01 CDG\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:05:00\nTRACK 03 AUDIO\n"
        + "INDEX 01 00:10:00\nINDEX 00 00:09:00\n",
    ]) func aSheetIsReadHoweverItsLinesAreWritten(text: String) async
  {
    #expect(await ranges(text) == Self.usual)
  }

  @Test(arguments: ["opus OPUS", "m4a M4A", "tta TTA", "ogg Vorbis", "mka MATROSKA", "flac", "dsf DSD64"])
  func anUnquotedFileEndsBeforeItsTypeWhateverItIs(ending: String) async {
    let name = "disc.\(ending.split(separator: " ")[0])"
    scratch.write(name)
    let found = await FileService.find(
      scratch.write("other.cue", "FILE disc.\(ending)\nTRACK 01 AUDIO\nINDEX 01 00:01:00\n"))
    #expect(found.names(in: scratch) == ["\(name)#t=1"])
  }

  /// These are the remarks that CUETools and foobar2000 write.
  @Test func discsAndComposersAreReadFromRemarks() async {
    scratch.write("a.wav")
    let found = await FileService.find(
      scratch.write(
        "a.cue",
        "REM DISC \"2\"\nREM DISCTOTAL 3\nREM COMPOSER \"Of All\"\nFILE a.wav WAVE\nTRACK 01 AUDIO\nREM COMPOSER \"\"\n"
          + "INDEX 01 00:00:00\nTRACK 02 AUDIO\nREM COMPOSER \"Of One\"\nINDEX 01 00:01:00\n"))
    #expect(found.tracks.map(\.metadata.composer) == ["Of All", "Of One"])
    #expect(found.tracks.map(\.metadata.disc) == [2, 2])
    #expect(found.tracks.map(\.metadata.discTotal) == [3, 3])
  }

  @Test func positionsWithHundredthsOfASecondAreRecognized() async {
    // The last field of the third track cannot count frames.
    let text =
      "FILE \"a.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:05:50\nTRACK 03 AUDIO\nINDEX 01 00:10:%\n"
    #expect(
      await ranges(text.replacing("%", with: "96")) == [
        CueRange(start: 0, end: 375 + 38), CueRange(start: 375 + 38, end: 750 + 72),
        CueRange(start: 750 + 72, end: nil),
      ])
    #expect(await ranges(text.replacing("%", with: "74"))[1] == CueRange(start: 375 + 50, end: 750 + 74))
  }

  @Test func aSheetMayHaveMoreThan99Tracks() async {
    let tracks = (1...150).map { "TRACK \($0) AUDIO\nINDEX 01 \($0):00:00\n" }.joined()
    let found = await ranges("FILE \"a.wav\" WAVE\n" + tracks)
    #expect(found.count == 150)
    #expect(found.last == CueRange(start: 150 * 60 * 75, end: nil))
  }

  @Test func dataTracksAreNotPlayedAndEndTheTrackBeforeThem() async {
    let text =
      "FILE \"a.wav\" BINARY\nTRACK 01 MODE1/2352\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:05:00\n"
      + "TRACK 03 MODE2/2336\nINDEX 01 00:10:00\nTRACK 04 AUDIO\nINDEX 01 00:20:00\n"
    #expect(await ranges(text) == [CueRange(start: 375, end: 750), CueRange(start: 1500, end: nil)])
  }

  @Test func aTrackThatCannotBePlayedIsReportedWithItsLine() async {
    scratch.write("a.wav")
    let found = await FileService.find(
      scratch.write(
        "a.cue",
        "FILE \"a.wav\" WAVE\nTRACK 01 AUDIO\nTRACK 02 AUDIO\nTITLE \"Two\"\nTRACK 03 AUDIO\nINDEX 01 five\n"
          + "TRACK 04 AUDIO\nINDEX 01 00:10:00\n"))
    #expect(found.names(in: scratch) == ["a.wav#t=0,10", "a.wav#t=10"])
    #expect(found.failures.map(\.failure.kind) == [.unplayable, .unplayable])
    let messages = found.failures.map(\.failure.message)
    #expect(messages.first?.hasSuffix("(line 3 of \(scratch.path)/a.cue)") == true)
    #expect(messages.last?.hasSuffix("(line 5 of \(scratch.path)/a.cue)") == true)
    #expect(found.tracks.map(\.metadata.track) == [1, 4])
    #expect(found.tracks.map(\.metadata.trackTotal) == [4, 4])
  }

  @Test func remarksOfATrackDoNotConcernTheOthers() async {
    scratch.write("a.wav")
    let found = await FileService.find(
      scratch.write(
        "a.cue",
        "REM DATE 1999\nREM\tGENRE\tRock\nFILE \"a.wav\" WAVE\nTRACK 01 AUDIO\nREM DATE 1973\nREM GENRE \"Jazz\"\nINDEX 01 00:00:00\n"
          + "TRACK 02 AUDIO\nINDEX 01 00:10:00\n"))
    #expect(found.tracks.map(\.metadata.year) == [1973, 1999])
    #expect(found.tracks.map(\.metadata.genre) == [["Jazz"], ["Rock"]])
  }
}
