import SegueCLI
import SegueSystem
import SegueTestKit
import SegueUnicode
import SegueWire
import Testing

/// Tests of lists that are longer than a page.
@Suite struct LibraryPagingTests {
  private static let tracks = (0..<2_500).map { RecordedLibraryResponses.track("Title \($0)", "Artist") }

  private let script: StubDaemon.Script = { _, parameters in
    [.result(RecordedLibraryResponses.page(Self.tracks, parameters))]
  }

  private func requests(_ offsets: [Int]) -> [String] {
    offsets.map { $0 == 0 ? "library.tracks" : #"library.tracks {"offset":\#($0)}"# }
  }

  @Test func allPagesAreReadAndEachItemIsPrintedOnce() throws {
    let daemon = try StubDaemon(script)
    let outcome = try ClientProcess.run(["tracks"], environment: daemon.environment)
    #expect(outcome.lines.map { $0.split(separator: "\t")[1] } == Self.tracks.map { $0.metadata.title?[...] })
    #expect(daemon.requests == requests([0, 1000, 2000]))
  }

  @Test func jsonOfSeveralPagesIsOneLine() throws {
    let daemon = try StubDaemon(script)
    let outcome = try ClientProcess.run(["tracks", "--json"], environment: daemon.environment)
    #expect(outcome.lines == [RecordedResponses.json(ListPage(items: Self.tracks, total: 2_500, offset: 0))])
  }

  /// The first page is printed while the second one is pending.
  @Test func firstPageIsPrintedBeforeTheNextOneArrives() throws {
    let daemon = try StubDaemon { _, parameters in
      (parameters.contains(#""offset""#) ? [.hold] : [])
        + [.result(RecordedLibraryResponses.page(Self.tracks, parameters))]
    }
    let client = try ClientProcess(["tracks"], environment: daemon.environment)
    #expect(try client.readLine()?.contains("\tTitle 0\t") == true)
    for _ in 0..<2 { daemon.release() }
    #expect(try client.finish().lines.count == 2_499)
  }

  @Test func listEndsWhenStandardOutputIsClosed() throws {
    let endless: StubDaemon.Script = { _, parameters in
      let offset = (try? JSON(parsing: parameters))?["offset"]?.int ?? 0
      return [
        .result(RecordedResponses.json(ListPage(items: Self.tracks.prefix(1000) + [], total: .max, offset: offset)))
      ]
    }
    let daemon = try StubDaemon(endless)
    let client = try ClientProcess(["tracks"], environment: daemon.environment)
    _ = try client.readLine()
    client.closeOutput()
    let outcome = try client.finish()
    #expect(outcome.code == 0 && outcome.errors == [])
  }

  /// A page of favorites contains three lists, each of which may continue on the next page.
  @Test func favoritesOfAllPagesAreJoined() throws {
    let albums = (0..<3).map {
      Album(
        id: Int64($0), uri: "segue:album/\($0)", title: "Album \($0)", albumArtist: nil, year: nil, trackCount: 1,
        discCount: 1, duration: .zero, art: nil, compilation: false, favorite: true)
    }
    let daemon = try StubDaemon { _, parameters in
      let offset = (try? JSON(parsing: parameters))?["offset"]?.int ?? 0
      let tracks = Array(Self.tracks.dropFirst(offset).prefix(1_000))
      let left = 1_000 - tracks.count
      let items = FoundItems(
        tracks: tracks, albums: Array(albums.prefix(left)), total: Self.tracks.count + albums.count, offset: offset)
      return [.result(RecordedResponses.json(items))]
    }
    let outcome = try ClientProcess.run(["fav", "list", "--json"], environment: daemon.environment)
    #expect(outcome.lines == [RecordedResponses.json(FoundItems(tracks: Self.tracks, albums: albums, total: 2_503))])
    #expect(
      daemon.requests == [
        #"favorites.list"#, #"favorites.list {"offset":1000}"#,
        #"favorites.list {"offset":2000}"#,
      ])
  }

  /// Each item takes more than 2 KB, so that the whole list takes more than a response of the daemon may.
  @Test(arguments: [(["fav", "list"], "tracks"), (["album", "1"], "tracks"), (["artist", "1"], "albums")])
  func jsonContainsAllItemsOfALongList(words: [String], list: String) throws {
    let name = String(repeating: "long ", count: 500)
    let tracks = (0..<2_500).map { RecordedLibraryResponses.track("\(name)\($0)") }
    let albums = (0..<2_500).map {
      Album(
        id: Int64($0), uri: "segue:album/\($0)", title: "\(name)\($0)", albumArtist: nil, year: nil, trackCount: 1,
        discCount: 1, duration: .zero, art: nil, compilation: false, favorite: true)
    }
    let daemon = try StubDaemon { method, parameters in
      let offset = (try? JSON(parsing: parameters))?["offset"]?.int ?? 0
      func page<CatalogItem>(_ items: [CatalogItem]) -> [CatalogItem] { Array(items.dropFirst(offset).prefix(1_000)) }
      switch method {
      case "library.album":
        let contents = AlbumContents(album: albums[0], tracks: page(tracks), total: tracks.count, offset: offset)
        return [.result(RecordedResponses.json(contents))]
      case "library.artist":
        let artist = RecordedLibraryResponses.artists[0]
        let contents = ArtistContents(artist: artist, albums: page(albums), total: albums.count, offset: offset)
        return [.result(RecordedResponses.json(contents))]
      default:
        return [.result(RecordedResponses.json(FoundItems(tracks: page(tracks), total: tracks.count, offset: offset)))]
      }
    }
    let outcome = try ClientProcess.run(words + ["--json"], environment: daemon.environment)
    #expect(outcome.code == 0 && outcome.lines.count == 1, "\(outcome.errorText)")
    let printed = try JSON(parsing: outcome.output)
    let uris = (printed[list]?.elements ?? []).map { $0["uri"]?.string }
    #expect(uris == (list == "tracks" ? tracks.map(\.uri) : albums.map(\.uri)))
    #expect(printed["total"]?.int == 2_500)
    #expect(printed["offset"]?.int == 0)
    #expect(daemon.requests.count > 3, "a page is shorter than a thousand items")
  }

  /// If a search reports a lower bound instead of the total, pages are read until one is empty.
  @Test func inexactTotalIsNotUsedAsTheEnd() throws {
    let daemon = try StubDaemon { _, parameters in
      let request = try? JSON(parsing: parameters)
      let offset = request?["offset"]?.int ?? 0
      let items = FoundItems(tracks: Array(Self.tracks.dropFirst(offset).prefix(1000)), total: 500, offset: offset)
      return [.result(RecordedResponses.json(SearchAnswer(found: items, exact: false, correction: nil)))]
    }
    #expect(try ClientProcess.run(["tracks", "x"], environment: daemon.environment).lines.count == 2_500)
  }

  /// The columns of later pages are aligned with those of the first page.
  @Test func columnsOfATableAreTheSameOnAllPages() throws {
    let daemon = try StubDaemon(script)
    let lines = try ClientProcess.run(
      ["tracks"], environment: daemon.environment.merging(["NO_COLOR": "1"]) { $1 }, on: .terminal(columns: 60)
    ).lines
    #expect(lines.count == 2_500)
    #expect(
      Set(lines.map { line in line.firstRange(of: "Artist").map { DisplayWidth.of(String(line[..<$0.lowerBound])) } })
        .count
        == 1)
  }

  @Test func historyOnATerminalShowsTheLast20Tracks() throws {
    let plays = (0..<50).map {
      PlayedTrack(time: UnixTime(nanoseconds: 1), plays: 1, track: RecordedLibraryResponses.track("Title \($0)"))
    }
    let daemon = try StubDaemon { _, parameters in [.result(RecordedLibraryResponses.page(plays, parameters))] }
    let terminal = ClientProcess.Place.terminal(columns: 80)
    #expect(try ClientProcess.run(["history"], environment: daemon.environment, on: terminal).lines.count == 20)
    #expect(try ClientProcess.run(["history", "30"], environment: daemon.environment, on: terminal).lines.count == 30)
    #expect(try ClientProcess.run(["history"], environment: daemon.environment).lines.count == 50)
  }
}
