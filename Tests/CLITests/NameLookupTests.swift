import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of arguments that name an item by its kind and its name, such as `album kind of blue`.
@Suite struct NameLookupTests {
  /// The script of a library in which every search finds only the first item of the requested kind.
  private static let onlyFirst: StubDaemon.Script = { method, parameters in
    guard method == "library.search" else { return RecordedLibraryResponses.standard(method, parameters) }
    var found = FoundItems()
    switch (try? JSON(parsing: parameters))?["type"]?.string {
    case "album": found.albums = [RecordedLibraryResponses.albums[0]]
    case "artist": found.artists = [RecordedLibraryResponses.artists[0]]
    default: found.tracks = [RecordedLibraryResponses.tracks[0]]
    }
    found.total = 1
    return [.result(RecordedResponses.json(SearchAnswer(found: found, exact: true, correction: nil)))]
  }

  struct Example: Sendable, CustomTestStringConvertible {
    let words: String
    /// The request that uses the URI.
    let request: String
    var testDescription: String { words }

    init(_ words: String, _ request: String) { (self.words, self.request) = (words, request) }
  }

  @Test(arguments: [
    Example("play album kind of blue", #"queue.add {"uris":["segue:album/12"],"at":"next","play":true}"#),
    Example("add artist miles davis", #"queue.add {"uris":["segue:artist/3"],"at":"end"}"#),
    Example("insert track so what", #"queue.add {"uris":["file:///music/So%20What.flac"],"at":"next"}"#),
    Example("add genre drum", #"queue.add {"uris":["segue:genre/Drum%20%26%20Bass"],"at":"end"}"#),
    Example("add genre jazz", #"queue.add {"uris":["segue:genre/Jazz"],"at":"end"}"#),
    Example("add playlist утро", #"queue.add {"uris":["segue:playlist/%D0%A3"],"at":"end"}"#),
    Example("fav add album blue", #"favorites.add {"uris":["segue:album/12"]}"#),
    Example("rate 9 track so what", #"rating.set {"uri":"file:///music/So%20What.flac","rating":9}"#),
    Example("playlist add x album blue", #"playlists.add {"name":"x","uris":["segue:album/12"]}"#),
    Example("art album blue", #"art {"uri":"segue:album/12"}"#),
    Example("lyrics track so what", #"lyrics {"uri":"file:///music/So%20What.flac"}"#),
  ])
  func kindAndNameStandForAnItem(_ example: Example) throws {
    let daemon = try StubDaemon(Self.onlyFirst)
    let outcome = try ClientProcess.run(
      example.words.split(separator: " ").map(String.init), environment: daemon.environment)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    #expect(daemon.requests.contains(example.request), "\(daemon.requests)")
  }

  @Test func favoritesStandForAllFavorites() throws {
    let daemon = try StubDaemon { method, parameters in
      guard method == "favorites.list" else { return RecordedLibraryResponses.standard(method, parameters) }
      let isFirst = !parameters.contains(#""offset""#)
      let artist = RecordedLibraryResponses.artists[0]
      return [
        .result(
          RecordedResponses.json(
            isFirst
              ? FoundItems(tracks: [RecordedLibraryResponses.tracks[0]], total: 2)
              : FoundItems(artists: [artist], total: 2, offset: 1)))
      ]
    }
    let outcome = try ClientProcess.run(["insert", "favorites"], environment: daemon.environment)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    #expect(
      daemon.requests.last
        == #"queue.add {"uris":["file:///music/So%20What.flac","segue:artist/3"],"at":"next"}"#)
    let none = try StubDaemon { _, _ in [.result(#"{"tracks":[],"albums":[],"artists":[],"total":0,"offset":0}"#)] }
    let empty = try ClientProcess.run(["add", "favorites"], environment: none.environment)
    #expect(empty.code == 1 && empty.errorText.contains("there are no favorites"))
  }

  @Test func nameInAnotherSpellingIsNotTaken() throws {
    let daemon = try StubDaemon { method, parameters in
      method == "library.search"
        ? [.result(RecordedLibraryResponses.found(parameters, correction: "kind of blue"))]
        : RecordedLibraryResponses.standard(method, parameters)
    }
    let outcome = try ClientProcess.run(["play", "album", "kind", "of", "bleu"], environment: daemon.environment)
    #expect(outcome.code == 1 && outcome.errorText.contains("did you mean “kind of blue”?"))
    #expect(!daemon.requests.contains { $0.hasPrefix("queue") })
  }

  /// Neither a dash nor a colon nor a number in a name has the meaning that it has in a query.
  @Test func nameIsNoQuery() throws {
    let daemon = try StubDaemon(Self.onlyFirst)
    _ = try ClientProcess.run(["add", "--", "album", "-dash", "year:1991", "\"x"], environment: daemon.environment)
    #expect(daemon.requests.first?.contains(#""query":"dash year \"1991\" x""#) == true, "\(daemon.requests)")
  }

  @Test func itemsOfANameAreNumberedOnATerminal() throws {
    let folder = try TemporaryFolder()
    let daemon = try StubDaemon(RecordedLibraryResponses.standard)
    let environment = ["SEGUE_SOCKET": "\(daemon.path)", "XDG_RUNTIME_DIR": "\(folder.path)", "NO_COLOR": "1"]
    let several = try ClientProcess.run(
      ["add", "artist", "i"], environment: environment, on: .terminal(columns: 80))
    #expect(several.code == 1 && several.errorText.contains("segue add 1   Miles Davis\n  segue add 2   坂本龍一"))
    let second = try ClientProcess.run(["add", "2"], environment: environment)
    #expect(second.code == 0 && daemon.requests.last == #"queue.add {"uris":["segue:artist/41"],"at":"end"}"#)
  }

  @Test func wordsThatAreNoFilesGetTheHintOfANameOrASearch() throws {
    let daemon = try StubDaemon(Self.onlyFirst)
    let outcome = try ClientProcess.run(["play", "kind", "of", "blue"], environment: daemon.environment)
    #expect(outcome.code == 1)
    #expect(
      outcome.errorText == """
        segue: there is no file or folder “kind of blue” (not_found)
          segue play album kind of blue   takes an album of the library; also artist, track, genre, playlist
          segue search kind of blue   searches the library

        """)
  }

  @Test func nameOfSeveralItemsIsAnErrorThatListsThem() throws {
    let daemon = try StubDaemon { method, parameters in
      guard method == "library.search" else { return RecordedLibraryResponses.standard(method, parameters) }
      var found = FoundItems()
      found.albums = [
        RecordedLibraryResponses.album(5, "Live", "A", year: 1970, tracks: 2),
        RecordedLibraryResponses.album(6, "Live", "B", year: nil, tracks: 2),
      ]
      found.total = 2
      return [.result(RecordedResponses.json(SearchAnswer(found: found, exact: true, correction: nil)))]
    }
    let outcome = try ClientProcess.run(["play", "album", "live"], environment: daemon.environment)
    #expect(outcome.code == 1)
    #expect(
      outcome.errorText == """
        segue: “live” matches more than one album
          segue play segue:album/5   Live — A (1970)
          segue play segue:album/6   Live — B

        """)
    #expect(!daemon.requests.contains { $0.hasPrefix("queue") })
  }

  @Test func unknownNameIsAnError() throws {
    let daemon = try StubDaemon { method, _ in
      [.result(method == "playlists.list" ? #"{"playlists":[],"total":0}"# : #"{"albums":[],"genres":[],"total":0}"#)]
    }
    for (words, message) in [
      ("play album x y", "album “x y” not found in the library (not_found)"),
      ("add genre polka", "genre “polka” not found in the library (not_found)"),
      ("add playlist none", "there is no playlist “none” (not_found)"),
    ] {
      let outcome = try ClientProcess.run(
        words.split(separator: " ").map(String.init), environment: daemon.environment)
      #expect(outcome.code == 1 && outcome.errorText.contains(message), "\(words): \(outcome.errorText)")
    }
  }

  /// The script of a daemon with these playlists.
  private static func playlists(_ names: String...) -> StubDaemon.Script {
    { method, parameters in
      let name = (try? JSON(parsing: parameters))?["name"]?.string
      switch method {
      case "playlists.list":
        let items = names.map { #"{"name":"\#($0)","uri":"segue:playlist/\#($0)"}"# }.joined(separator: ",")
        return [.result(#"{"playlists":[\#(items)],"total":\#(names.count)}"#)]
      case "playlists.load" where !names.contains(name ?? ""):
        return [.error(code: 3, kind: "not_found", message: "no such playlist")]
      default: return RecordedLibraryResponses.standard(method, parameters)
      }
    }
  }

  @Test func partOfTheNameOfAPlaylistStandsForIt() throws {
    let daemon = try StubDaemon(Self.playlists("Rock", "Rock classics", "Evening"))
    for (words, request) in [
      ("playlist load EVE", #"queue.add {"uris":["segue:playlist/Evening"],"at":"end"}"#),
      ("playlist load rock", #"queue.add {"uris":["segue:playlist/Rock"],"at":"end"}"#),
      // A change cannot be undone, and the playlist of add may be a new one.
      ("playlist rename even Night", #"playlists.rename {"name":"even","to":"Night"}"#),
      ("playlist add Eve /", #"playlists.add {"name":"Eve","uris":["file:///"]}"#),
      ("playlist delete Eve", #"playlists.delete {"name":"Eve"}"#),
    ] {
      let outcome = try ClientProcess.run(
        words.split(separator: " ").map(String.init), environment: daemon.environment)
      #expect(outcome.code == 0, "\(words): \(outcome.errorText)")
      #expect(daemon.requests.last == request)
    }
    let one = try StubDaemon(Self.playlists("Best of 2017"))
    let several = try ClientProcess.run(["playlist", "show", "roc"], environment: daemon.environment)
    #expect(several.code == 1)
    #expect(
      several.errorText == """
        segue: “roc” matches more than one playlist
          segue playlist show segue:playlist/Rock   Rock
          segue playlist show segue:playlist/Rock classics   Rock classics

        """)
    // An empty variable of a script, and a number that no list has, are no parts of names.
    for word in ["", "7"] {
      let outcome = try ClientProcess.run(["playlist", "load", word], environment: one.environment)
      #expect(outcome.code == 0)
      #expect(one.requests.last == #"queue.add {"uris":["segue:playlist/\#(word)"],"at":"end"}"#)
    }
    let none = try ClientProcess.run(["playlist", "load", "jazz"], environment: daemon.environment)
    #expect(none.code == 1 && none.errorText.hasPrefix("segue: there is no playlist “jazz” (not_found)\n"))
  }

  @Test func fileWithTheNameOfAKindHasPrecedence() throws {
    let folder = try TemporaryFolder()
    try folder.write("album")
    try folder.write("blue")
    let daemon = try StubDaemon(Self.onlyFirst)
    let outcome = try ClientProcess.run(
      ["add", "album", "blue"], environment: daemon.environment, folder: folder.path)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    #expect(
      daemon.requests == [#"queue.add {"uris":["file://\#(folder.path)/album","file://\#(folder.path)/blue"]}"#])
  }

  @Test func severalItemsInsteadOfOneAreAnError() throws {
    let daemon = try StubDaemon(Self.onlyFirst)
    for verb in ["info", "art", "lyrics"] {
      let outcome = try ClientProcess.run([verb, "kind", "of"], environment: daemon.environment)
      #expect(outcome.code == 2 && outcome.errorText.contains("“kind of” is more than one item"), "\(verb)")
    }
    #expect(daemon.requests == [])
  }
}
