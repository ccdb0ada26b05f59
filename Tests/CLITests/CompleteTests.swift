import Glibc
import SegueSystem
import SegueTestKit
import Testing

/// Tests of the hidden verb `complete`, which the completions of shells call.
@Suite struct CompleteTests {
  /// Returns the printed lines.
  private func lines(
    _ words: [String], _ environment: [String: String] = ["SEGUE_SOCKET": "/nonexistent/socket"]
  ) throws -> [String] {
    let outcome = try ClientProcess.run(["complete"] + words, environment: environment)
    #expect(outcome.errorText == "" && outcome.code == 0)
    return outcome.lines
  }

  /// Returns the candidates without their descriptions.
  private func candidates(_ words: String..., daemon: StubDaemon? = nil) throws -> [String] {
    try lines(words, daemon?.environment ?? ["SEGUE_SOCKET": "/nonexistent/socket"]).map {
      String($0.prefix { $0 != "\t" })
    }
  }

  @Test func verbsAndTheirDescriptionsAreCandidates() throws {
    #expect(try lines(["volu"]) == ["volume\tshow or set the volume (0 to 100)"])
    let verbs = try candidates("")
    #expect(verbs.first == "status" && verbs.contains("help") && !verbs.contains("complete"))
    #expect(try candidates("help", "") == verbs)
    #expect(try candidates("--quiet", "--color", "never", "VOLU") == ["volume"])
    #expect(try candidates("unknown", "") == [])
  }

  @Test func descriptionsAreInTheLanguageOfTheUser() throws {
    try BuiltTranslations.compile("ru")
    let russian = try lines(["volu"], ["SEGUE_SOCKET": "/nonexistent/socket", "LANG": "ru_RU.UTF-8"])
    let english = try lines(["volu"])
    #expect(russian.count == 1 && english.count == 1 && russian != english)
  }

  @Test func optionsOfTheProgramAndOfTheVerbAreCandidates() throws {
    let global = try candidates("-")
    #expect(global.first == "-h" && global.contains("--no-pager") && !global.contains("--follow"))
    #expect(try candidates("status", "-") == global + ["--follow", "--output", "--format"])
    #expect(try candidates("sort", "title", "--rev") == ["--reverse"])
    #expect(try candidates("play", "--", "-") == [""])
  }

  @Test(arguments: [
    (["--color", ""], ["auto", "always", "never"]), (["--colour", "ne"], ["never"]), (["--socket", ""], [""]),
    (["status", "--output", "i3"], ["i3blocks", "i3status-rs"]), (["status", "--output=wa"], ["--output=waybar"]),
    (["status", "--format", ""], []), (["art", "--size", ""], ["small", "medium", "full"]),
    (["search", "--kind", "fi"], ["film"]),
    (["albums", "--sort", ""], ["title", "artist", "year", "added", "random"]),
    (["songs", "--sort", "al"], ["album"]), (["history", "--sort", ""], ["time", "plays"]),
    (["fav", "--sort", "rat"], ["rating"]), (["albums", "--limit", ""], []), (["popular", "--country", ""], []),
  ])
  func valuesOfOptionsAreCandidates(words: [String], expected: [String]) throws {
    #expect(try lines(words) == expected)
  }

  @Test(arguments: [
    (["volume", ""], ["mute", "unmute", "toggle"]), (["repeat", ""], ["off", "one", "all"]),
    (["random", ""], ["off", "tracks", "albums", "now"]), (["consume", "o"], ["on", "off"]),
    (["sleep", ""], ["track", "album", "queue", "off"]), (["gain", ""], ["off", "track", "album", "auto"]),
    (["next", ""], ["track"]), (["rate", "1"], ["1", "10"]), (["popular", "pod"], ["podcast"]),
    (["sort", ""], ["album", "title", "artist", "date", "duration", "path", "reverse"]),
    (["providers", ""], ["token", "forget"]), (["settings", ""], ["list", "get", "set", "reset"]),
    (["playlist", ""], ["list", "show", "load", "save", "add", "remove", "rename", "delete"]),
    (["fav", ""], ["add", "remove", "list"]), (["fav", "list", ""], ["date", "title", "year", "rating"]),
    (["watch", "player", "r"], ["player", "library", "favorites", "ratings", "history"]),
    (["outputs", ""], ["default"]), (["crossfade", ""], ["off"]), (["volume", "50", ""], []), (["pause", ""], []),
  ])
  func wordsOfVerbsAreCandidates(words: [String], expected: [String]) throws {
    let found = try lines(words)
    #expect(Set(found) == Set(expected) && found.count == expected.count)
  }

  @Test(arguments: [
    ["add"], ["play", "x.flac"], ["insert"], ["replace"], ["chapters"], ["info"], ["art"], ["lyrics"], ["rate", "5"],
    ["fav", "add"], ["playlist", "save", "x"], ["playlist", "add", "x", "y"],
  ])
  func filesPrecedeURIsOfTheLibrary(words: [String]) throws {
    let tags = ["albumArtist", "composer", "conductor", "work", "year", "decade"]
    let uris = (["album", "artist", "genre"] + tags + ["playlist", "search"]).map { "segue:\($0)/" }
    #expect(try lines(words + [""]) == [""] + uris)
    #expect(try lines(words + ["segue:pl"]) == ["segue:playlist/"])
  }

  @Test(arguments: [["scan"], ["folders"], ["scan", "x"]])
  func onlyFilesAreCandidatesForFolders(words: [String]) throws {
    #expect(try lines(words + [""]) == [""])
  }

  @Test func namesThatNoShellCanInsertAreURIs() throws {
    let names = [
      #"a\nb"#, #"tab\there"#, #"\u001b[31mred"#, "-rf", "  two  spaces ", "$(reboot) `x` 'q' * ?", #"\u202emoc"#,
    ]
    let playlists = names.enumerated().map { #"{"name":"\#($1)","uri":"segue:playlist/\#($0)","trackCount":1}"# }
    let daemon = try StubDaemon { _, _ in
      [.result(#"{"playlists":[\#(playlists.joined(separator: ","))],"total":7,"offset":0}"#)]
    }
    #expect(
      try lines(["playlist", "show", ""], daemon.environment) == [
        "segue:playlist/0", "segue:playlist/1", "segue:playlist/2", "  two  spaces ", "$(reboot) `x` 'q' * ?",
        "segue:playlist/6",
      ])
    #expect(try lines(["playlist", "show", "REBOOT"], daemon.environment) == ["$(reboot) `x` 'q' * ?"])
    #expect(try lines(["playlist", "show", "--", "-"], daemon.environment) == ["-rf"])
    #expect(daemon.requests == Array(repeating: #"playlists.list {"limit":500}"#, count: 3))
  }

  @Test func descriptionsContainNoControlCharacters() throws {
    let daemon = try StubDaemon { _, _ in
      [.result(#"{"outputs":[{"name":"hdmi","description":"a\nb\t\u001b[31m"}],"chosen":null}"#)]
    }
    #expect(try lines(["outputs", "hd"], daemon.environment) == ["hdmi\ta^Jb^I^[[31m"])
  }

  @Test func typedTextIsSearchedForInTheLibrary() throws {
    let daemon = try StubDaemon { method, _ in
      let album = #"{"id":12,"uri":"segue:album/12","title":"Kind of Blue","albumArtist":"Miles Davis"}"#
      return [.result(#"{"albums":[\#(album),\#(album)],"total":2,"offset":0,"exact":true}"#)]
    }
    let line = "Kind of Blue\tMiles Davis"
    #expect(try lines(["album", "ki"], daemon.environment) == [line])
    #expect(try lines(["add", "album", "Kind o"], daemon.environment) == [line])
    #expect(try lines(["album", ""], daemon.environment) == [line])
    #expect(try candidates("fav", "add", "album", "x", daemon: daemon) == [])
    #expect(try lines(["add", "segue:album/1"], daemon.environment) == ["segue:album/12\tKind of Blue"])
    #expect(
      daemon.requests == [
        #"library.search {"query":"ki","type":"album","limit":500,"remember":false}"#,
        #"library.search {"query":"Kind o","type":"album","limit":500,"remember":false}"#,
        #"library.albums {"limit":500}"#,
        #"library.search {"query":"x","type":"album","limit":500,"remember":false}"#,
        #"library.albums {"limit":500}"#,
      ])
  }

  @Test func settingsAndTheirValuesAreCandidates() throws {
    let daemon = try StubDaemon { method, _ in
      guard method == "settings.list" else {
        return [.result(#"{"outputs":[{"name":"hdmi","description":"HDMI"}],"chosen":null}"#)]
      }
      func setting(_ name: String, _ type: String, _ isChangeable: Bool, _ words: String = "") -> String {
        #"{"name":"\#(name)","type":"\#(type)","changeable":\#(isChangeable),"words":[\#(words)],"summary":"about"}"#
      }
      let settings = [
        setting("player.restore", "choice", true, #""off","pause""#), setting("player.clip", "boolean", true),
        setting("output.device", "string", true), setting("library.folders", "paths", false),
      ]
      return [.result(#"{"settings":[\#(settings.joined(separator: ","))]}"#)]
    }
    #expect(try lines(["settings", "get", "fold"], daemon.environment) == ["library.folders\tabout"])
    #expect(try lines(["settings", "reset", "fold"], daemon.environment) == [])
    #expect(try candidates("settings", "set", "RESTORE", "", daemon: daemon) == ["off", "pause"])
    #expect(try candidates("settings", "set", "player.clip", "", daemon: daemon) == ["yes", "no"])
    #expect(try candidates("settings", "set", "output.device", "", daemon: daemon) == ["hdmi"])
    #expect(try candidates("settings", "set", "other", "", daemon: daemon) == [])
  }

  @Test func daemonThatFailsOrDoesNotRespondIsLeftOut() throws {
    let scripts: [[StubDaemon.Step]] = [
      [.hold], [.close], [.line("no JSON")], [.line("[]")], [.result("null")], [.result("[1]")], [.endless],
      [.error(code: 1, kind: "unavailable", message: "no")],
    ]
    for script in scripts {
      let daemon = try StubDaemon { _, _ in script }
      #expect(try lines(["outputs", ""], daemon.environment) == ["default"])
    }
  }

  /// A process that listens at the usual socket may be the service manager, which would start the daemon for a
  /// connection.
  @Test func daemonThatDoesNotRunIsNotStarted() throws {
    let runtime = try TemporaryFolder()
    let socket = runtime.path.appending("segue/socket")
    for name in ["segue", "systemd", "systemd/units"] {
      _ = runtime.path.appending(name).withCString { mkdir($0, 0o700) }
    }
    let listener = try UnixSocket.listen(at: socket)
    func isConnected() -> Bool { (try? UnixSocket.accept(from: listener.raw)) != nil }
    let environment = ["XDG_RUNTIME_DIR": runtime.path.description]
    #expect(try lines(["outputs", ""], environment) == ["default"])
    #expect(!isConnected())
    // The file of a daemon that has ended is not locked.
    let lock = try runtime.write("segue/socket.lock", [])
    #expect(try lines(["outputs", ""], environment) == ["default"])
    #expect(!isConnected())
    let file = lock.withCString { open($0, O_RDWR | O_CLOEXEC) }
    #expect(flock(file, LOCK_EX) == 0)
    #expect(try lines(["outputs", ""], environment) == ["default"])
    #expect(isConnected())
    close(file)
    _ = runtime.path.appending("systemd/units/invocation:segued.service").withCString { symlink("3f", $0) }
    #expect(try lines(["outputs", ""], environment) == ["default"])
    #expect(isConnected())
  }
}
