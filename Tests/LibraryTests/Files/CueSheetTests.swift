import SegueFiles
import SegueSystem
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
    let text =
      Array("PERFORMER \"Caf".utf8) + [0xE9]
      + Array("\"\rFILE \"Disc.wav\" WAVE\rTRACK 01 AUDIO\rINDEX 01 00:01:00\r".utf8)
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
  }
}
