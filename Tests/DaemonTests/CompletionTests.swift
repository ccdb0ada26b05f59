import Glibc
import SegueSystem
import SegueTestKit
import Testing

/// Tests of contrib/completions in real shells.
@Suite struct CompletionTests {
  static let playlists = [
    "Rainy day", #"It's "quoted" $HOME `id` \ !x"#, "a:b=c & d; *", "Ütf 名", "(un)#balanced [?] {x,y} ~",
  ]
  private static let songs: [LibraryFixture.Song] = [
    ("1", [("TITLE", "One"), ("ARTIST", "Somebody"), ("ALBUM", "Kind of Blue")]),
    ("2", [("TITLE", "Two"), ("ARTIST", "Somebody Else"), ("ALBUM", #"What's "Up", $USER?"#)]),
    ("3 line\nfeed \u{1B}[31m", [("ARTIST", "Nobody")]),
    ("4", [("TITLE", "Four"), ("ALBUM", "Zero\n$(reboot)"), ("GENRE", "[a-z]* ? {x}")]),
  ]

  private static func fixture() throws -> LibraryFixture {
    let fixture = try LibraryFixture(songs)
    for name in playlists + ["Sunday morning", "Sunday evening"] {
      let saved = try ClientProcess.run(
        ["playlist", "save", name], environment: ["SEGUE_SOCKET": "\(fixture.daemon.socket)"])
      #expect(saved.code == 0, "\(saved.errorText)")
    }
    return fixture
  }

  /// These completions come from the program and need no daemon.
  @Test(arguments: Shell.Kind.allCases) func completionCompletesVerbsOptionsAndKeywords(kind: Shell.Kind) throws {
    let shell = try Shell(kind, socket: FilePath("/nonexistent/socket"))
    #expect(try shell.arguments(of: "segue volu\t") == ["volume"])
    #expect(try shell.arguments(of: "segue --qui\tshuf\talb\t") == ["--quiet", "shuffle", "albums"])
    #expect(try shell.arguments(of: "segue random trac\t") == ["random", "tracks"])
    #expect(try shell.arguments(of: "segue --color alw\tstatu\t") == ["--color", "always", "status"])
    #expect(try shell.arguments(of: "segue search x --pl\t") == ["search", "x", "--play"])
    #expect(try shell.arguments(of: "segue art --size ful\t") == ["art", "--size", "full"])
    #expect(
      try shell.arguments(of: "segue status --foll\t--outp\ti3s\t") == [
        "status", "--follow", "--output", "i3status-rs",
      ])
    #expect(try shell.arguments(of: "segue status --output=i3s\t") == ["status", "--output=i3status-rs"])
    #expect(try shell.arguments(of: "segue add segue:se\t") == ["add", "segue:search/"])
    #expect(try shell.arguments(of: "segue settings res\tx") == ["settings", "reset", "x"])
    #expect(try shell.arguments(of: "segue watch sett\t") == ["watch", "settings"])
    #expect(try shell.arguments(of: "segue playlist rena\tx") == ["playlist", "rename", "x"])
    #expect(try shell.arguments(of: "segue fav list rat\t") == ["fav", "list", "rating"])
    #expect(try shell.arguments(of: "segue tracks --sor\trand\t") == ["tracks", "--sort", "random"])
    #expect(try shell.arguments(of: "segue sort dur\tx") == ["sort", "duration", "x"])
    #expect(try shell.arguments(of: "segue sort rev\tx") == ["sort", "reverse", "x"])
    #expect(try shell.arguments(of: "segue history --sort pl\t") == ["history", "--sort", "plays"])
    #expect(try shell.arguments(of: "segue watch --tr\t") == ["watch", "--track"])
    #expect(try shell.arguments(of: "segue watch playe\tout\t") == ["watch", "player", "output"])
    #expect(try shell.arguments(of: "segue help chap\t") == ["help", "chapters"])
    let verbs = try ClientProcess.run(["--help"]).lines.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .map { String($0.split(separator: " ")[0]) }.filter { $0 != "segue" && !$0.hasPrefix("-") }
    #expect(verbs.count > 40)
    _ = try shell.screen(after: "segue \t\t") { text in verbs.allSatisfy { text.contains($0) } }
  }

  @Test(arguments: Shell.Kind.allCases) func completionQuotesNamesForTheShell(kind: Shell.Kind) throws {
    let fixture = try Self.fixture()
    let shell = try Shell(kind, socket: fixture.daemon.socket)
    for name in Self.playlists {
      let start = name.prefix(1) == "(" ? #"\("# : String(name.prefix(1))
      #expect(try shell.arguments(of: "segue playlist show \(start)\t") == ["playlist", "show", name])
      for quote in ["'", "\""] where !name.hasPrefix("(") {
        #expect(try shell.arguments(of: "segue playlist load \(quote)\(start)\t") == ["playlist", "load", name])
      }
    }
    #expect(
      try shell.arguments(of: #"segue playlist delete Sunday\ mo"# + "\t") == ["playlist", "delete", "Sunday morning"])
    // The common prefix of two candidates is inserted first.
    #expect(try shell.arguments(of: "segue playlist show Su\tmo\t") == ["playlist", "show", "Sunday morning"])
    #expect(try shell.arguments(of: "segue playlist show 'Su\tev\t") == ["playlist", "show", "Sunday evening"])
    #expect(try shell.arguments(of: "segue album Ki\t") == ["album", "Kind of Blue"])
    #expect(try shell.arguments(of: "segue album W\t") == ["album", #"What's "Up", $USER?"#])
    #expect(try shell.arguments(of: "segue artist No\t") == ["artist", "Nobody"])
    #expect(try shell.arguments(of: "segue play album Ki\t") == ["play", "album", "Kind of Blue"])
    #expect(try shell.arguments(of: "segue add playlist Su\tmo\t") == ["add", "playlist", "Sunday morning"])
    #expect(try shell.arguments(of: "segue add genre \\[\t") == ["add", "genre", "[a-z]* ? {x}"])
    #expect(try shell.arguments(of: "segue album Ze\t").last?.hasSuffix("$(reboot)") == true)
    #expect(try shell.arguments(of: "segue add segue:pl\tSu\tmo\t") == ["add", "segue:playlist/Sunday%20morning"])
    #expect(
      try shell.arguments(of: "segue settings set player.rest\tres\t") == [
        "settings", "set", "player.restore", "resume",
      ])
    #expect(try shell.arguments(of: "segue settings get player.gr\t") == ["settings", "get", "player.gracePeriod"])
    #expect(try shell.arguments(of: "segue settings set PreventClipping y\t").last == "yes")
    #expect(try shell.arguments(of: "segue rpc playlists.re\t").last?.hasPrefix("playlists.re") == true)
    #expect(try shell.arguments(of: "segue rpc playlists.ren\t") == ["rpc", "playlists.rename"])
  }

  @Test(arguments: Shell.Kind.allCases) func wordsBeforeTheTypedOneMayBeQuoted(kind: Shell.Kind) throws {
    let fixture = try Self.fixture()
    let shell = try Shell(kind, socket: fixture.daemon.socket)
    for name in ["'player.restore'", #""player.restore""#, #"pl'ayer'\."rest"ore"#, #"player\.restore"#] {
      #expect(
        try shell.arguments(of: "segue 'settings' \"set\" \(name) res\t") == [
          "settings", "set", "player.restore", "resume",
        ])
    }
  }

  @Test(arguments: Shell.Kind.allCases) func completionExecutesNothingOfTheLine(kind: Shell.Kind) throws {
    let folder = try TemporaryFolder()
    let shell = try Shell(kind, socket: FilePath("/nonexistent/socket"))
    let command = "touch \(folder.path)/executed"
    for word in ["$(\(command))", "\"$(\(command))\"", "a\"b$(\(command))\""] {
      // Control-U clears the line.
      #expect(try shell.arguments(of: "segue 'settings' \(word) res\t\u{15}segue x") == ["x"])
    }
    #expect(folder.path.appending("executed").withCString { access($0, F_OK) } != 0)
  }

  @Test(arguments: Shell.Kind.allCases) func completionShowsNamesOfEntriesAndAlbums(kind: Shell.Kind) throws {
    let fixture = try Self.fixture()
    let shell = try Shell(kind, socket: fixture.daemon.socket)
    let entries = try shell.screen(after: "segue remove \t\t") { text in
      ["One - Somebody", "Two - Somebody Else", "3 line^Jfeed ^[[31m - Nobody"].allSatisfy(text.contains)
    }
    #expect(entries.contains("1") && entries.contains("3"))
    let albums = try shell.screen(after: "\u{15}segue add segue:album/\t\t") { text in
      ["Kind of Blue", #"What's "Up", $USER?"#].allSatisfy(text.contains)
    }
    // fish 4.9 abbreviates the common prefix.
    #expect(albums.contains("/1") && albums.contains("/2"))
  }

  @Test(arguments: Shell.Kind.allCases) func completionCompletesPaths(kind: Shell.Kind) throws {
    let fixture = try Self.fixture()
    let shell = try Shell(kind, socket: fixture.daemon.socket)
    let music = fixture.music.description
    #expect(try shell.arguments(of: "segue add \(music)/1\t") == ["add", "\(music)/1.flac"])
    #expect(try shell.arguments(of: "segue play \(music)/2\t") == ["play", "\(music)/2.flac"])
  }

  /// Completion prints no error, whether there is no daemon or one that does not respond.
  @Test(arguments: Shell.Kind.allCases) func completionOffersNoEntriesWithoutADaemon(kind: Shell.Kind) throws {
    let fixture = try Self.fixture()
    let shell = try Shell(kind, socket: fixture.daemon.socket)
    fixture.daemon.signal(SIGSTOP)
    #expect(try shell.arguments(of: "segue playlist show S\t") == ["playlist", "show", "S"])
    fixture.daemon.kill()
    #expect(try shell.arguments(of: "segue playlist show S\t") == ["playlist", "show", "S"])
    #expect(try shell.arguments(of: "segue remove \t") == ["remove"])
    #expect(!shell.text.contains("daemon") && !shell.text.contains("Terminated"))
  }
}
