import Glibc
import SegueFiles
import SegueScan
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueLibrary
@testable import SegueSQLite

/// Tests of the tracks that cue sheets define, beside files and in their tags.
@Suite(.timeLimit(.minutes(1))) struct ScanCueTests {
  private let fixture = ScanFixture()
  private var music: Scratch { fixture.music }

  private func track(_ name: String, _ fragment: String = "") async throws -> LibraryTrack? {
    let uri = FileURI.encode(music[name]) + fragment
    return try await fixture.store.read { reader throws(StoreError) in try reader.track(uri) }
  }

  private func count() async throws -> Int {
    try await fixture.store.read { reader throws(StoreError) in try reader.counts().tracks }
  }

  /// EAC writes sheets of several files, with the gap of a track at the end of the file before it.
  @Test func aSheetOfSeveralFilesMayHaveSingleTracks() async throws {
    for name in ["1.wav", "2.wav", "3.wav"] { fixture.writeSong(name) }
    music.write(
      "album.cue",
      """
      PERFORMER "Somebody"
      TITLE "Album"
      FILE "1.wav" WAVE
        TRACK 01 AUDIO
          TITLE "One"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE "Two"
          INDEX 00 00:00:05
      FILE "2.wav" WAVE
          INDEX 01 00:00:00
        TRACK 03 AUDIO
          TITLE "Three"
          INDEX 01 00:00:03
      FILE "3.wav" WAVE
        TRACK 04 AUDIO
          TITLE "Four"
          INDEX 01 00:00:00
      """)
    try fixture.start()
    try await fixture.walk()
    let tracks = [
      try await track("1.wav"), try await track("2.wav", "#t=0,0.04"), try await track("2.wav", "#t=0.04"),
      try await track("3.wav"),
    ]
    #expect(tracks.map { $0?.metadata.title } == ["One", "Two", "Three", "Four"])
    #expect(tracks.map { $0?.metadata.track } == [1, 2, 3, 4])
    #expect(tracks.allSatisfy { $0?.metadata.album == "Album" && $0?.metadata.artist == "Somebody" })
    #expect(try await count() == 4)
    #expect(try await fixture.store.albumList() == ["Album / Somebody / 4"])
    #expect(try await fixture.walk { $0.scan() }.total == 0)
  }

  @Test func tagsOfAFileTakePrecedenceOverTheSheetIfItIsOneTrack() async throws {
    let flac = Scratch.contents(Repository.fixture("a.flac"))
    music.write(music["1.flac"], FLACTags.replace(flac, [("TITLE", "Of the tag")]))
    music.write(
      "a.cue", "TITLE Album\nFILE \"1.flac\" WAVE\nTRACK 01 AUDIO\nTITLE \"Of the sheet\"\nINDEX 01 00:00:00\n")
    try fixture.start()
    try await fixture.walk()
    #expect(try await track("1.flac")?.metadata.title == "Of the tag")
    #expect(try await track("1.flac")?.metadata.album == "Album")
  }

  /// The file has a tenth of a second, which is 7.5 frames.
  @Test func positionsBeyondTheEndOfTheFileAreNotBelieved() async throws {
    fixture.writeSong("a.wav")
    music.write(
      "a.cue",
      "FILE \"a.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:00:03\nTRACK 03 AUDIO\n"
        + "INDEX 01 20:00:00\nTRACK 04 AUDIO\nINDEX 01 30:00:00\n")
    try fixture.start()
    try await fixture.walk()
    #expect(try await count() == 2)
    #expect(try await track("a.wav", "#t=0,0.04")?.duration == .milliseconds(40))
    #expect(try await track("a.wav", "#t=0.04,1200")?.duration == .milliseconds(60))
  }

  /// foobar2000 writes the gains of tracks and albums into the sheet, of one file or of several.
  @Test func theGainInASheetIsThatOfItsTracks() async throws {
    for name in ["a.wav", "b.wav"] { fixture.writeSong(name) }
    music.write(
      "a.cue",
      """
      REM REPLAYGAIN_ALBUM_GAIN -7.25 dB
      REM REPLAYGAIN_ALBUM_PEAK 0.9
      FILE "a.wav" WAVE
        TRACK 01 AUDIO
          REM REPLAYGAIN_TRACK_GAIN -6.50 dB
          REM REPLAYGAIN_TRACK_PEAK 0.5
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          REM REPLAYGAIN_TRACK_GAIN +3 dB
          INDEX 01 00:00:03
      FILE "b.wav" WAVE
        TRACK 03 AUDIO
          REM REPLAYGAIN_TRACK_GAIN nonsense
          INDEX 01 00:00:00
      """)
    try fixture.start()
    try await fixture.walk()
    let uris = ["a.wav#t=0,0.04", "a.wav#t=0.04", "b.wav"].map { name in
      let parts = name.split(separator: "#")
      return FileURI.encode(music[String(parts[0])]) + (parts.count > 1 ? "#\(parts[1])" : "")
    }
    let gains = try await fixture.store.read { reader throws(StoreError) in
      try uris.map { uri throws(StoreError) in try reader.loudness(uri) }
    }
    #expect(
      gains == [
        ReplayGain(trackGain: -6.5, trackPeak: 0.5, albumGain: -7.25, albumPeak: 0.9),
        ReplayGain(trackGain: 3, albumGain: -7.25, albumPeak: 0.9), ReplayGain(albumGain: -7.25, albumPeak: 0.9),
      ])
  }

  @Test func aSheetInTheTagsDividesItsFile() async throws {
    let sheet =
      "PERFORMER \"Somebody\"\r\nFILE \"x.wav\" WAVE\r\n  TRACK 01 AUDIO\r\n    TITLE \"One\"\r\n    INDEX 01 00:00:00\r\n"
      + "  TRACK 02 AUDIO\r\n    TITLE \"Two\"\r\n    INDEX 01 00:00:03\r\n"
    let flac = Scratch.contents(Repository.fixture("a.flac"))
    let tagged = FLACTags.replace(flac, [("ALBUM", "Album"), ("TITLE", "Album"), ("CUESHEET", sheet)])
    music.write(music["a.flac"], tagged)
    // One track is the whole file.
    music.write(music["b.flac"], FLACTags.replace(flac, [("CUESHEET", "TRACK 01 AUDIO\nINDEX 01 00:00:00\n")]))
    music.write(music["c.flac"], tagged)
    music.write("c.cue", "FILE c.flac WAVE\nTRACK 01 AUDIO\nTITLE \"Beside\"\nINDEX 01 00:00:01\n")
    try fixture.start()
    try await fixture.walk()
    #expect(try await track("a.flac", "#t=0,0.04")?.metadata.title == "One")
    #expect(try await track("a.flac", "#t=0.04")?.metadata.title == "Two")
    #expect(try await track("a.flac", "#t=0.04")?.metadata.artist == "Somebody")
    #expect(try await track("a.flac", "#t=0.04")?.metadata.album == "Album")
    #expect(try await track("a.flac") == nil)
    #expect(try await track("b.flac") != nil)
    #expect(try await track("c.flac", "#t=0.013333")?.metadata.title == "Beside")
    #expect(try await count() == 4)
    #expect(try await fixture.walk { $0.scan() }.total == 0)
    // A tagging program removes the sheet.
    music.write(music["a.flac"], FLACTags.replace(flac, [("TITLE", "Album")]))
    try await eventually("the file is one track again") { try await track("a.flac") != nil }
    #expect(try await count() == 3)
  }
}
