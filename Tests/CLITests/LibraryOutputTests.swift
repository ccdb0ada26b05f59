import SegueCLI
import SegueSystem
import SegueTestKit
import SegueUnicode
import SegueWire
import Testing

/// Tests of the output of the library verbs.
@Suite struct LibraryOutputTests: StubOutputTests {
  let responses: StubDaemon.Script = RecordedLibraryResponses.standard

  @Test func outputInAPipeHasTabsAndStartsWithTheURI() throws {
    let long = (String(repeating: "long ", count: 60), String(repeating: "name ", count: 60))
    let tracks = try run(["tracks"]).lines
    #expect(tracks.count == 6)
    #expect(tracks[0] == "file:///music/So%20What.flac\tSo What\tMiles Davis\tKind of Blue\t1959\t9:22\t9\tfavorite")
    #expect(tracks[2].hasSuffix("\te\u{301}tude 👩‍👩‍👧‍👦 שלום עולם\tНоль\tПесня\t\t1:02:03\t\toffline"))
    #expect(tracks[3].hasSuffix("\t^[[31mred^G^Jevil<U+009B><U+202E>\ta^Ib\t^[]0;c^G\t\t\t\t"))
    #expect(tracks[4].hasSuffix("\tBroken\t\t\t\t3:21\t\tunplayable"))
    #expect(tracks[5].hasSuffix("\t\(long.0)\t\(long.1)\tx\t\t3:21\t\t"))
    #expect(
      try run(["albums"]).lines == [
        "segue:album/12\tKind of Blue\tMiles Davis\t1959\t5\t45:45\tfavorite",
        "segue:album/7\tМузыка из фильмов\t\t\t1\t45:45\t",
        "segue:album/1000000\t音楽図鑑 ^[[2J\t坂本龍一\t1984\t11\t45:45\t",
      ])
    #expect(
      try run(["artists"]).lines == ["segue:artist/3\tMiles Davis\t1\t5\t", "segue:artist/41\t坂本龍一^G\t12\t130\t"])
    #expect(
      try run(["genres", "JAZZ"]).lines == ["segue:genre/Jazz\tJazz\t5", "segue:genre/Acid%20Jazz\tAcid Jazz\t0"])
    #expect(
      try run(["browse", "composer", "BACH"]).lines == [
        "segue:composer/C.%20P.%20E.%20Bach\tC. P. E. Bach\t1\t12", "segue:composer/J.%20S.%20Bach\tJ. S. Bach\t3\t41",
      ])
    #expect(try run(["playlist"]).lines == ["segue:playlist/%D0%A3\tУтро\t3\t11:40\t2023-11-14T22:13:20Z"])
    #expect(
      try run(["history"]).lines == [
        "file:///music/So%20What.flac\t2023-11-14T22:13:20Z\tSo What\tMiles Davis\tKind of Blue\t2",
        "\(RecordedLibraryResponses.tracks[3].uri)\t2020-09-13T12:26:40Z\t^[[31mred^G^Jevil<U+009B><U+202E>\ta^Ib\t^[]0;c^G\t1",
      ])
    #expect(
      try run(["suggest", "mi"]).lines == ["segue:artist/3\tartist\tMiles Davis", "file:///m.flac\ttrack\tMi^["])
    #expect(try run(["search"]).lines == ["miles", "кино^["])
    #expect(try run(["album", "12"]).lines == Array(tracks.prefix(3)))
    #expect(try run(["artist", "3"]).lines == (try run(["albums"]).lines))
    #expect(try run(["search", "x"]).lines == (try run(["artists"]).lines) + (try run(["albums"]).lines) + tracks)
    #expect(try run(["fav", "list"]).lines == (try run(["search", "x"]).lines))
  }

  static let tables = [
    ["tracks"], ["albums"], ["artists"], ["genres"], ["browse", "composer"], ["album", "12"], ["artist", "3"],
    ["search", "x"], ["fav", "list"],
    ["history"], ["playlist"], ["playlist", "show", "x"], ["library"], ["suggest", "m"], ["lyrics"], ["search"],
  ]

  @Test(arguments: tables)
  func tablesFitTheTerminal(words: [String]) throws {
    for columns in [20, 40, 80, 200] {
      for language in ["C.UTF-8", "C"] {
        let outcome = try run(
          words, on: .terminal(columns: UInt16(columns)), environment: ["NO_COLOR": "1", "LANG": language])
        #expect(outcome.code == 0 && outcome.errorText == "")
        #expect(!outcome.lines.isEmpty)
        for line in outcome.lines {
          #expect(DisplayWidth.of(line) <= columns, "\(columns): \(line)")
          #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        }
      }
    }
  }

  @Test func tablesHaveTheExpectedLayout() throws {
    let terminal = ClientProcess.Place.terminal(columns: 60)
    #expect(
      try run(["albums"], on: terminal).lines == [
        "♥       12  Kind of Blue       Miles Davis    1959   5 songs",
        "         7  Музыка из фильмов  various arti…          1 song",
        "   1000000  音楽図鑑 ^[[2J     坂本龍一       1984  11 songs",
      ])
    #expect(
      try run(["genres"], on: terminal).lines == [
        "Jazz         5 songs", "Drum & Bass   1 song", "Acid Jazz    0 songs",
      ])
    #expect(
      try run(["browse", "composer"], on: terminal).lines == [
        "C. P. E. Bach   1 album  12 songs", "J. S. Bach     3 albums  41 songs", "Чайковский^G   0 albums    1 song",
      ])
    #expect(
      try run(["album", "12"], on: terminal).lines == [
        "Kind of Blue — Miles Davis (1959)", "5 songs  45:45  segue:album/12  ♥",
        "♥      So What                                          9:22",
        "       日本語のタイトルはとても長いので…   坂本龍一     3:21",
        "       e\u{301}tude 👩‍👩‍👧‍👦 שלום עולם                  Ноль      1:02:03",
      ])
    #expect(
      try run(["tracks"], on: .terminal(columns: 40)).lines == [
        "♥  So What     Miles …  Kind o…     9:22", "   日本語の…   坂本龍…  音楽図…     3:21",
        "   e\u{301}tude 👩‍👩‍👧‍👦 …  Ноль     Песня    1:02:03", "   ^[[31mred…  a^Ib     ^[]0;c…         ",
        "!  Broken                           3:21", "   long long…  name n…  x           3:21",
      ])
  }

  @Test func libraryShowsCountsFoldersAndFailures() throws {
    #expect(
      try run(["library"]).lines == [
        "tracks: 6", "albums: 3", "artists: 1", "scanning: no", "done: 0", "total: 0", "failed: 2", "error:",
        "folder: online\tfile:///music", "folder: offline\tfile:///mnt/%1B%5B2J",
        "failure: file:///music/a%20b.mp3\tunplayable\tno audio in it",
        "failure: file:///music/c.ogg\tdenied\t^[permission denied",
      ])
    #expect(
      try run(["library"], on: .terminal(columns: 80)).lines == [
        "6 tracks, 3 albums, 1 artist; 2 files could not be read", "  /music",
        "  /mnt/^[[2J  (offline; its tracks are kept)", "Unreadable files",
        "/music/a b.mp3  no audio in it", "/music/c.ogg    ^[permission denied",
      ])
    #expect(try run(["library", "--json"]).lines == [RecordedResponses.json(RecordedLibraryResponses.status())])
  }

  @Test func lyricsArePrintedAsPlainLines() throws {
    #expect(try run(["lyrics"]).lines == ["One", "^[[2Jtwo", "", "three"])
  }

  @Test func changesAreConfirmed() throws {
    #expect(try run(["fav"]).lines == ["added So What — Miles Davis to favorites (4 in total)"])
    #expect(try run(["fav", "add", "segue:album/12"]).lines == ["added 1 favorite (4 in total)"])
    #expect(try run(["rate"]).lines == ["So What — Miles Davis: 8 of 10"])
    #expect(try run(["rate", "8"]).lines == ["So What — Miles Davis: 8 of 10"])
    #expect(try run(["rate", "8", "http://host/a"]).lines == ["http://host/a: 8 of 10"])
    #expect(try run(["playlist", "save", "x"]).lines == ["saved the playlist Утро: 3 songs"])
    #expect(try run(["playlist", "delete", "x\u{1B}"]).lines == ["deleted x^["])
    #expect(try run(["playlist", "load", "x"]).lines == ["added 2 tracks"])
    #expect(try run(["search", "x", "--add"]).lines == ["added 2 tracks"])
    #expect(try run(["search", "x", "--play"]).lines == ["playing So What — Miles Davis  1:23 / 3:21"])
    #expect(try run(["scan"]).lines == ["6 tracks, 3 albums, 1 artist; 2 files could not be read"])
  }

  @Test func emptyListsAreExplainedOnTerminalsOnly() throws {
    let nothing: StubDaemon.Script = { _, _ in
      [.result(#"{"tracks":[],"albums":[],"artists":[],"genres":[],"plays":[],"playlists":[],"total":0,"offset":0}"#)]
    }
    for words in [
      ["tracks"], ["albums", "x"], ["genres", "x"], ["history"], ["playlist"], ["search", "x"], ["search"],
      ["fav", "list"], ["playlist", "show", "x"],
    ] {
      let program = try run(words, nothing)
      #expect(program.code == 0 && program.output == [] && program.errorText == "")
      #expect(try run(words, on: .terminal(columns: 80), nothing).lines.count == 1, "\(words)")
    }
    #expect(
      try run(["albums"], on: .terminal(columns: 80), nothing).lines == [
        "The library is empty.  segue library   shows the music folders."
      ])
  }

  @Test func jsonOptionPrintsTheResultInOneLine() throws {
    let albums = RecordedResponses.json(ListPage(items: RecordedLibraryResponses.albums, total: 3, offset: 0))
    #expect(try run(["albums", "--json"]).lines == [albums])
    #expect(try run(["albums", "--json"], on: .terminal(columns: 20)).lines == [albums])
    #expect(try run(["albums", "x", "--json"]).lines == [albums])
    #expect(
      try run(["genres", "acid", "--json"]).lines == [
        RecordedResponses.json(ListPage(items: [RecordedLibraryResponses.genres[2]], total: 1, offset: 0))
      ])
    #expect(
      try run(["tracks", "--json"]) { _, _ in [.result(#"{"tracks":[],"total":0,"offset":0}"#)] }.lines == [
        #"{"tracks":[],"total":0,"offset":0}"#
      ])
    let found = RecordedLibraryResponses.found("{}").replacing("\u{9B}", with: #"\u009b"#)
      .replacing("\u{202E}", with: #"\u202e"#)
    #expect(try run(["search", "x", "--json"]).lines == [found])
    #expect(try run(["rate", "8", "--json"]).lines == [#"{"uri":"file:///music/2.flac","rating":8}"#])
  }

  @Test func correctedQueryIsUsedOnlyWithoutMatches() throws {
    let none = RecordedResponses.json(SearchAnswer(found: FoundItems(), exact: true, correction: nil))
    let mixed: StubDaemon.Script = { _, parameters in
      [.result(parameters.contains("artist") ? RecordedLibraryResponses.found(parameters, correction: "kino") : none)]
    }
    let corrected = try run(["search", "kimo"], mixed)
    #expect(corrected.lines.count == 2)
    #expect(corrected.errorText == "segue: no matches; showing results for “kino”\n")
    let all = try run(["search", "kimo"]) { _, parameters in
      [.result(RecordedLibraryResponses.found(parameters, correction: "kino"))]
    }
    #expect(all.errorText == "segue: no matches; showing results for “kino”\n", "the notice is printed once")
    let some = try run(["search", "kimo"]) { _, parameters in
      [.result(RecordedLibraryResponses.found(parameters, correction: parameters.contains("track") ? nil : "kino"))]
    }
    #expect(some.lines.count == 6 && some.errorText == "")
    let list = try run(["artists", "kimo"], mixed)
    #expect(list.lines.count == 2 && list.errorText.contains("“kino”"))
    #expect(try run(["artists", "kimo", "--quiet"], mixed).errors == [])
  }
}
