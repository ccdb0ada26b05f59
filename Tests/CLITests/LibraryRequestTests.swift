import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the requests that the library verbs send to the daemon.
@Suite struct LibraryRequestTests {
  typealias Example = RequestExample

  static let lists: [Example] = [
    Example("tracks", "library.tracks"),
    Example("songs", "library.tracks"),
    Example("albums --json", "library.albums"),
    Example("artists", "library.artists"),
    Example("genres", "library.genres"),
    Example("genres jazz", "library.genres"),
    Example("browse composer", #"library.values {"tag":"composer"}"#),
    Example("browse albumartists nina", #"library.values {"tag":"albumArtist"}"#),
    Example("browse composer --reverse", #"library.values {"tag":"composer","order":"descending"}"#),
    Example("browse Years --reverse --json", #"library.values {"tag":"year","order":"ascending"}"#),
    Example(
      "add composer j. s. bach", #"library.values {"tag":"composer"}"#,
      #"queue.add {"uris":["segue:composer/J.%20S.%20Bach"],"at":"end"}"#),
    Example("add decade segue:decade/1990", #"queue.add {"uris":["segue:decade/1990"],"at":"end"}"#),
    Example("tracks so what", #"library.search {"query":"so what","type":"track","limit":1000,"remember":false}"#),
    Example(
      "albums year:1959",
      #"library.search {"query":"year:1959","type":"album","sort":"title","limit":1000,"remember":false}"#),
    Example(
      "artists miles", #"library.search {"query":"miles","type":"artist","sort":"title","limit":1000,"remember":false}"#
    ),
    Example("album 12", #"library.album {"id":12}"#),
    Example("album segue:album/12", #"library.album {"id":12}"#),
    Example(
      "album kind OF blue", #"library.search {"query":"kind OF blue","type":"album","remember":false}"#,
      #"library.album {"id":12}"#),
    Example("artist 3", #"library.artist {"id":3}"#),
    Example(
      "artist miles davis", #"library.search {"query":"miles davis","type":"artist","remember":false}"#,
      #"library.artist {"id":3}"#),
    Example(
      "search miles", #"library.search {"query":"miles","type":"artist","limit":1000}"#,
      #"library.search {"query":"miles","type":"album","limit":1000}"#,
      #"library.search {"query":"miles","type":"track","limit":1000}"#),
    Example("search miles --json", #"library.search {"query":"miles"}"#),
    Example("search miles -freddie --json", #"library.search {"query":"miles -freddie"}"#),
    Example("--json search -artist:x -qualm", #"library.search {"query":"-artist:x -qualm"}"#),
    Example("search --json -- -q", #"library.search {"query":"-q"}"#),
    Example("search x -live --add", #"queue.add {"uris":["segue:search/x%20-live"],"at":"end"}"#),
    Example("songs x -live", #"library.search {"query":"x -live","type":"track","limit":1000,"remember":false}"#),
    Example(
      "albums x -live",
      #"library.search {"query":"x -live","type":"album","sort":"title","limit":1000,"remember":false}"#),
    Example(
      "artists x -live",
      #"library.search {"query":"x -live","type":"artist","sort":"title","limit":1000,"remember":false}"#),
    Example("search", "history.searches"),
    Example("search a/b c --add", #"queue.add {"uris":["segue:search/a%2Fb%20c"],"at":"end"}"#),
    Example("search --next x", #"queue.add {"uris":["segue:search/x"],"at":"next"}"#),
    Example("search x --play", #"queue.add {"uris":["segue:search/x"],"at":"next","play":true}"#, "status"),
    Example("suggest mi da", #"library.suggest {"prefix":"mi da"}"#),
    Example("history", "history.list"),
    Example("history 5", #"history.list {"limit":5}"#),
    Example("history 5 --sort plays", #"history.list {"limit":5,"sort":"plays"}"#),
    Example("tracks --sort title", #"library.tracks {"sort":"title"}"#),
    Example("tracks --sort rating", #"library.tracks {"sort":"rating","order":"descending"}"#),
    Example("tracks --sort added --reverse", #"library.tracks {"sort":"added"}"#),
    Example("tracks --reverse", #"library.tracks {"order":"descending"}"#),
    Example("tracks --limit 3", #"library.tracks {"limit":3}"#),
    Example("tracks --sort random", #"library.tracks {"sort":"random","limit":50}"#),
    Example(
      "tracks miles --sort random --limit 2",
      #"library.search {"query":"miles","type":"track","sort":"random","limit":2,"remember":false}"#),
    Example(
      "albums miles --sort year",
      #"library.search {"query":"miles","type":"album","sort":"year","limit":1000,"remember":false,"order":"descending"}"#
    ),
    Example("albums --sort artist", #"library.albums {"sort":"artist"}"#),
    Example("artists --reverse --limit 2", #"library.artists {"order":"descending","limit":2}"#),
    Example("library", "library.status", "library.failures"),
    Example("lyrics", "status", #"lyrics {"uri":"file:///music/2.flac"}"#),
    Example("lyrics http://host/a", #"lyrics {"uri":"http://host/a"}"#),
    Example("scan", "library.scan"),
    Example("scan /usr", #"library.scan {"paths":["file:///usr"]}"#),
    Example("scan --watch", #"subscribe {"topics":["library"]}"#, "library.scan"),
    Example("update", "library.scan"),
    Example("scan --cancel", "library.status", #"library.scan {"cancel":true}"#),
    Example("scan --loudness", #"library.scan {"loudness":true}"#),
    Example("scan --loudness /usr", #"library.scan {"paths":["file:///usr"],"loudness":true}"#),
    Example("art", #"art"#),
    Example("art segue:album/12 --size full", #"art {"uri":"segue:album/12","size":"full"}"#),
  ]

  static let changes: [Example] = [
    Example("fav", "status", #"favorites.add {"uris":["file:///music/2.flac"]}"#),
    Example("like", "status", #"favorites.add {"uris":["file:///music/2.flac"]}"#),
    Example("fav add", "status", #"favorites.add {"uris":["file:///music/2.flac"]}"#),
    Example("fav remove", "status", #"favorites.remove {"uris":["file:///music/2.flac"]}"#),
    Example("fav add segue:album/12 /", #"favorites.add {"uris":["segue:album/12","file:///"]}"#),
    Example("fav remove segue:artist/3", #"favorites.remove {"uris":["segue:artist/3"]}"#),
    Example(
      "fav list", #"favorites.list {"type":"artist"}"#, #"favorites.list {"type":"album"}"#,
      #"favorites.list {"type":"track"}"#),
    Example("fav list rating --json", #"favorites.list {"sort":"rating","order":"descending"}"#),
    Example("fav list --sort date --reverse --json", #"favorites.list {"order":"ascending"}"#),
    Example("fav list --reverse --json", #"favorites.list {"order":"ascending"}"#),
    Example("rate", "status", #"rating.get {"uri":"file:///music/2.flac"}"#),
    Example("rate 8", "status", #"rating.set {"uri":"file:///music/2.flac","rating":8}"#),
    Example("rate 0 http://host/a", #"rating.set {"uri":"http://host/a","rating":0}"#),
    Example("rate none http://host/a", #"rating.set {"uri":"http://host/a","rating":null}"#),
    Example("playlist", "playlists.list"),
    Example("playlists", "playlists.list"),
    Example("playlist list", "playlists.list"),
    Example(
      "playlist show Утро", #"playlists.load {"name":"Утро","limit":1}"#, #"playlists.load {"name":"Утро"}"#),
    Example("playlist show segue:playlist/%D0%A3", #"playlists.load {"name":"У"}"#),
    Example(
      "playlist load a/b", #"playlists.load {"name":"a/b","limit":1}"#,
      #"queue.add {"uris":["segue:playlist/a%2Fb"],"at":"end"}"#),
    Example("playlist save x", #"playlists.save {"name":"x"}"#),
    Example("playlist save x --replace", #"playlists.save {"name":"x","replace":true}"#),
    Example("playlist save x segue:album/1", #"playlists.save {"name":"x","uris":["segue:album/1"]}"#),
    Example("playlist add x", "status", #"playlists.add {"name":"x","uris":["file:///music/2.flac"]}"#),
    Example("pl add x http://host/a", #"playlists.add {"name":"x","uris":["http://host/a"]}"#),
    Example(
      "playlist remove x 2-3,5 2", #"playlists.load {"name":"x","limit":1}"#,
      #"playlists.remove {"name":"x","indices":[1,2,4]}"#),
    Example("playlist rename x y", #"playlists.rename {"name":"x","to":"y"}"#),
    Example("playlist delete x", #"playlists.delete {"name":"x"}"#),
    Example("add segue:album/12", #"queue.add {"uris":["segue:album/12"],"at":"end"}"#),
    Example("insert segue:genre/Jazz", #"queue.add {"uris":["segue:genre/Jazz"],"at":"next"}"#),
    Example("play segue:artist/3", #"queue.add {"uris":["segue:artist/3"],"at":"next","play":true}"#, "status"),
  ]

  @Test(arguments: lists + changes)
  func libraryVerbSendsTheExpectedRequests(_ example: Example) throws {
    let daemon = try StubDaemon(RecordedLibraryResponses.standard)
    let outcome = try ClientProcess.run(example.words, environment: daemon.environment)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    #expect(daemon.requests == example.requests)
    #expect(outcome.errorText == "")
  }

  /// Queries and playlist names in URIs may contain spaces.
  @Test func queryInAURINeedsNoPercentEncoding() throws {
    let daemon = try StubDaemon(RecordedLibraryResponses.standard)
    let outcome = try ClientProcess.run(["add", "segue:search/so what"], environment: daemon.environment)
    #expect(outcome.code == 0)
    #expect(daemon.requests == [#"queue.add {"uris":["segue:search/so what"],"at":"end"}"#])
  }

  @Test func favRemovesACurrentTrackThatIsAFavorite() throws {
    var track = RecordedResponses.track(2, "So What", artist: "Miles Davis")
    track.favorite = true
    let status = RecordedResponses.json(RecordedResponses.status(track: track))
    let daemon = try StubDaemon { method, parameters in
      method == "status" ? [.result(status)] : RecordedLibraryResponses.standard(method, parameters)
    }
    let outcome = try ClientProcess.run(["fav"], environment: daemon.environment)
    #expect(outcome.lines == ["removed So What — Miles Davis from favorites (4 left)"])
    #expect(daemon.requests == ["status", #"favorites.remove {"uris":["file:///music/2.flac"]}"#])
  }

  /// The output is the same as for a single request.
  @Test(arguments: [
    ["fav", "add"], ["fav", "remove"], ["playlist", "save", "x", "--replace"], ["playlist", "add", "x"],
  ])
  func longListsAreSavedInSeveralRequests(words: [String]) throws {
    let playlist = RecordedLibraryResponses.playlists[0]
    let daemon = try StubDaemon { method, parameters in
      guard parameters.utf8.count <= 1 << 20, let json = try? JSON(parsing: parameters),
        let requested = json["uris"]?.elements
      else { return [.close] }
      let failed = URIFailureList([URIFailure(uri: requested.first?.string ?? "", failure: Failure(.notFound, "no"))])
      return method.hasPrefix("favorites")
        ? [
          .result(
            RecordedResponses.json(FavoriteResult(uris: requested.compactMap(\.string), failed: failed, total: 7)))
        ]
        : [.result(RecordedResponses.json(PlaylistResult(playlist: playlist, failed: failed)))]
    }
    let urls = (0..<200).map { "http://host/\($0)/" + String(repeating: "x", count: 8_000) }
    let outcome = try ClientProcess.run(words + ["--json"] + urls, environment: daemon.environment)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    #expect(outcome.errorText.split(separator: "\n").count == 2, "one failure per response")
    let requests = daemon.requests
    #expect(requests.count == 2)
    #expect(requests.allSatisfy { $0.contains("\"name\":\"x\"") } == words.contains("playlist"))
    #expect(requests.map { $0.contains("\"replace\":true") } == [words.contains("save"), false])
    let methods = requests.map { String($0.prefix { $0 != " " }) }
    switch words[1] {
    case "save": #expect(methods == ["playlists.save", "playlists.add"])
    default: #expect(methods.allSatisfy { $0.hasSuffix(".\(words[1])") })
    }
    var sent: [String] = []
    for request in requests {
      let json = try JSON(parsing: String(request.drop { $0 != "{" }))
      sent += json["uris"]?.elements?.compactMap(\.string) ?? []
    }
    #expect(sent == urls)
    let printed = try JSON(parsing: outcome.output)
    #expect(printed["failed"]?.count == 2)
    #expect(printed["failedTotal"]?.int == 2)
    if words[0] == "fav" {
      #expect(printed["uris"]?.count == 200)
      #expect(printed["urisTotal"]?.int == 200)
      #expect(printed["total"]?.int == 7)
    } else {
      #expect(PlaylistResult(printed).playlist == playlist)
    }
  }

  /// A response contains one page.
  @Test(arguments: [true, false]) func longAlbumIsReadInPages(isJSON: Bool) throws {
    let album = RecordedLibraryResponses.album(12, "Sounds", nil, year: nil, tracks: 2_500)
    let daemon = try StubDaemon { _, parameters in
      let offset = (try? JSON(parsing: parameters))?["offset"]?.int ?? 0
      let tracks = (offset..<min(offset + 1_000, 2_500)).map { RecordedLibraryResponses.track("Sound \($0)") }
      return [
        .result(RecordedResponses.json(AlbumContents(album: album, tracks: tracks, total: 2_500, offset: offset)))
      ]
    }
    let outcome = try ClientProcess.run(
      ["album", "12"] + (isJSON ? ["--json"] : []), environment: daemon.environment)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    #expect(daemon.requests.count == 3)
    if isJSON {
      let contents = AlbumContents(try JSON(parsing: outcome.output))
      #expect(contents.tracks.map(\.metadata.title) == (0..<2_500).map { "Sound \($0)" })
    } else {
      #expect(outcome.lines.map { $0.split(separator: "\t")[1] } == (0..<2_500).map { "Sound \($0)" })
    }
  }

  /// The name of an album may be a number, like "1989".
  @Test func unknownAlbumNumberIsSearchedAsAName() throws {
    let daemon = try StubDaemon { method, parameters in
      switch method {
      case "library.album" where parameters.contains("1989"):
        [.error(code: 3, kind: "not_found", message: "there is no album 1989")]
      case "library.search":
        [.result(#"{"albums":[{"id":5,"uri":"segue:album/5","title":"1989"},{"id":6,"title":"Live 1989"}],"total":2}"#)]
      default: RecordedLibraryResponses.standard(method, parameters)
      }
    }
    let outcome = try ClientProcess.run(["album", "1989"], environment: daemon.environment)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    #expect(daemon.requests.last == #"library.album {"id":5}"#)
  }
}
