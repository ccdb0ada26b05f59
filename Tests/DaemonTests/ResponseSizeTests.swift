import Glibc
import SegueLibrary
import SegueSQLite
import SegueState
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// No response or event exceeds 4 MiB, whatever the state of the daemon.
@Suite struct ResponseSizeTests {
  private static let maximumResponseLength = 4 << 20

  @Test func noResponseOfAnyMethodExceedsFourMegabytes() throws {
    let fixture = try LargestStateFixture()
    try readAllPages(of: fixture)
    try requestLongestResponses(of: fixture)
  }

  /// Every method of the method table, with the parameters that cause its longest response. The test fails for a method
  /// that is not listed here.
  private func requestLongestResponses(of fixture: LargestStateFixture) throws {
    let client = fixture.client
    let (album, artist) = try (
      fixture.firstID("library.albums", "albums"), fixture.firstID("library.artists", "artists")
    )
    let page = #"{"limit":1000}"#
    let catalogs = try Self.catalogWithLongTexts()
    try fixture.daemon.configure(catalogs.configuration)
    fixture.daemon.signal(SIGHUP)
    _ = try fixture.daemon.notification { $0.contains("READY=1") }
    let long = String(repeating: "x", count: 700_000)
    let (missing, tracks) = (fixture.uris([fixture.missing]), fixture.trackURIs(0))
    let folder = fixture.track[..<(fixture.track.lastIndex(of: "/") ?? fixture.track.endIndex)]
    var calls: [(method: String, params: [String?])] = [
      (
        "queue.add",
        [
          #"{"uris":\#(missing)}"#, #"{"uris":\#(fixture.uris([fixture.longLine]))}"#,
          #"{"uris":["\#(String(repeating: "x", count: 700_000))"]}"#,
        ]
      ),
      ("queue.list", [page, nil, #"{"offset":15}"#]), ("status", [nil]),
      ("play", [#"{"index":0}"#, #"{"uri":"\#(String(repeating: "x", count: 700_000))"}"#]), ("pause", [nil]),
      ("toggle", [nil]), ("next", [nil]), ("prev", [nil]), ("seek", [#"{"fraction":0.5}"#]), ("stop", [nil]),
      ("volume", [nil]), ("repeat", [#"["all"]"#]), ("shuffle", [#"["albums"]"#]), ("consume", ["[false]"]),
      ("sleep", ["[60]"]), ("gain", [nil]), ("speed", [nil]), ("chapters", [#"{"uri":"\#(fixture.track)"}"#]),
      ("queue.move", [#"{"ids":[1],"to":0}"#]), ("queue.remove", [#"{"ids":[1]}"#]), ("output.list", [nil]),
      ("output.set", [#"["\#(String(repeating: "x", count: 700_000))"]"#]), ("settings.list", [nil]),
      ("settings.get", [#"["\#(String(repeating: "x", count: 70_000))"]"#]),
      ("settings.set", [#"["library.musicFolder","/"]"#]), ("settings.reset", [#"["library.musicFolder"]"#]),
      ("library.tracks", [page]), ("library.albums", [page]), ("library.artists", [page]), ("library.genres", [page]),
      ("library.values", ["albumArtist", "composer", "work"].map { #"{"tag":"\#($0)","limit":1000}"# }),
      ("library.album", [#"{"id":\#(album)}"#]), ("library.artist", [#"{"id":\#(artist)}"#]),
      ("library.track", [#"["\#(fixture.track)"]"#]), ("library.random", [page]),
      ("library.folder", [#"{"uri":"\#(folder)","limit":1000}"#, #"["/\#(long)"]"#]),
      (
        "library.search",
        [#"{"query":"title","limit":1000}"#, #"{"query":"\#(String(repeating: "\\\"", count: 256))","limit":1000}"#]
      ), ("library.suggest", [#"["t",100]"#, #"["\#(String(repeating: "\\\"", count: 250))",100]"#]),
      ("library.scan", [#"{"paths":["/\#(String(repeating: "x", count: 700_000))"]}"#]), ("library.status", [nil]),
      ("library.failures", [page]), ("lyrics", [#"["\#(fixture.track)"]"#]),
      ("art", [#"{"uri":"\#(fixture.track)"}"#, #"{"uri":"segue:album/\#(album)"}"#]),
      ("favorites.add", [#"{"uris":\#(tracks)}"#, #"{"uris":\#(fixture.unreachable)}"#]),
      ("favorites.list", [page, #"{"type":"track"}"#]), ("favorites.remove", [#"{"uris":["segue:album/99999"]}"#]),
      ("rating.set", [#"["\#(fixture.track)",5]"#]), ("rating.get", [#"["\#(fixture.track)"]"#]),
      ("history.list", [page]), ("history.searches", [nil]),
      (
        "playlists.save",
        [
          #"{"name":"b"}"#, #"{"name":"c","uris":\#(missing)}"#,
          #"{"name":"a","uris":["http://127.0.0.1:9/","\#(FileURI.encode(fixture.missing))"]}"#,
        ]
      ), ("playlists.add", [#"{"name":"a","uris":["http://127.0.0.1:9/","\#(FileURI.encode(fixture.missing))"]}"#]),
      ("playlists.list", [page]), ("playlists.get", [#"["long",0,1000]"#, #"["line"]"#]),
      ("playlists.remove", [#"["a",[0]]"#]), ("playlists.rename", [#"["a","e"]"#]), ("playlists.delete", [#"["e"]"#]),
      ("queue.replace", [#"{"uris":\#(missing)}"#, #"{"uris":\#(tracks)}"#]), ("queue.clear", [nil]),
      ("queue.undo", [nil]), ("queue.redo", [nil]),
      ("catalog.providers", [nil]), ("catalog.genres", [#"["song"]"#, #"["song","\#(long)"]"#]),
      ("catalog.search", [#"{"query":"long","kind":"episode","limit":200}"#, #"{"query":"\#(long)"}"#]),
      ("catalog.suggest", [#"{"prefix":"long","kind":"episode"}"#, #"{"prefix":"\#(long)"}"#]),
      ("catalog.popular", [#"{"limit":200}"#, #"{"kind":"film","genre":"\#(long)"}"#]),
      ("catalog.people", [nil, #"{"provider":"\#(long)"}"#]),
      ("catalog.info", [#"{"uri":"itunes:podcast:1"}"#, #"{"uri":"itunes:\#(long)"}"#]),
      ("catalog.person", [#"{"uri":"itunes:artist:1"}"#, #"{"uri":"\#(long)"}"#]), ("catalog.searches", [nil]),
      ("catalog.setToken", [#"["tmdb","\#(long)"]"#]),
      ("subscribe", [nil]), ("unsubscribe", [nil]), ("rpc.version", [nil]), ("rpc.discover", [nil]),
      ("rpc.restrict", [#"["\#(long)"]"#]), ("daemon.stats", [nil]),
    ]
    let last = "daemon.shutdown"
    let methods = ListedMethods(try client.call("rpc.discover"))
    for name in methods.withoutRequiredParameters where name != last && !calls.contains(where: { $0.method == name }) {
      calls.append((name, [nil]))
    }
    calls.append((last, [nil]))
    #expect(Set(calls.map(\.method)) == methods.all, "every method of the document is called")
    for (method, allParams) in calls {
      for params in allParams {
        let response = try #require(try fixture.responseLength(method, params), "\(method) has no response")
        #expect(response <= Self.maximumResponseLength, "\(method) \(params?.prefix(80) ?? "")")
        if params?.contains("itunes:podcast:1") == true { #expect(response > 2 << 20, "the page ends early") }
      }
    }
    while let event = try fixture.watcher.line() { #expect(event.utf8.count <= Self.maximumResponseLength) }
  }

  /// Returns a server whose items have the longest texts.
  private static func catalogWithLongTexts() throws -> CatalogServer {
    let server = try CatalogServer()
    // A quotation mark takes two bytes in JSON. The body may have at most 4 MiB.
    let text = String(repeating: #"\""#, count: 3_200)
    let episodes = (1...200).map { id in
      #"{"kind":"podcast-episode","trackId":\#(id),"trackName":"\#(text)","description":"\#(text)","artistName":"\#(text)"}"#
    }
    let podcast = #"{"kind":"podcast","collectionId":1,"collectionName":"\#(text)"}"#
    server.respond(
      to: "/itunes/", with: .init(200, #"{"results":[\#(([podcast] + episodes).joined(separator: ","))]}"#))
    return server
  }

  /// Settings appear in responses and events. The maximum is the largest number of folders with the longest paths.
  @Test func settingsFitIntoAResponse() throws {
    let daemon = try DaemonProcess(running: false)
    for part in ["home/.config", "home/.config/segue"] {
      daemon.directory.appending(part).withCString { _ = mkdir($0, 0o700) }
    }
    let folders = (0..<150).map { "MusicFolder=/\(String(repeating: "ж", count: 2_000))\($0)" }
    let configuration =
      ["[Library]"] + folders + ["MusicFolder=/\(String(repeating: "x", count: 5_000))", "[Output]"]
      + ["Device=\(String(repeating: "\"", count: 2_000))", "Device=\(String(repeating: "\"", count: 1_000))"]
    try AudioFile.write(
      Array(configuration.joined(separator: "\n").utf8),
      to: daemon.directory.appending("home/.config/segue/segue.conf"))
    try daemon.start()
    let errors = daemon.errors.split(separator: "\n").filter { $0.contains("segue.conf:") }
    #expect(errors.count == 102)
    #expect(errors.count { $0.contains("there are more than 50 paths") } == 100)
    #expect(errors.contains { $0.contains("MusicFolder=the path is longer than 4095 bytes") })
    #expect(errors.contains { $0.contains("Device=the name is longer than 1024 bytes") })
    let client = try daemon.connect()
    #expect(try client.call("settings.get", #"["library.musicFolder"]"#)["value"]?.count == 50)
    for method in ["settings.list", "library.status", "status", "subscribe"] {
      try client.send(#"{"id":1,"method":"\#(method)"}"#)
      #expect(
        try #require(try client.line()).utf8.count <= Self.maximumResponseLength - LineFramer.maximumLineLength,
        "\(method)")
    }
    try client.call("settings.set", #"["player.fade",100]"#)
    #expect(try client.event(of: "settings")["settings"]?.elements?.isEmpty == false)
  }

  /// A page may be shorter than requested. The next page begins where it ended.
  private func readAllPages(of fixture: LargestStateFixture) throws {
    _ = try fixture.client.call("queue.add", #"{"uris":\#(fixture.uris([fixture.longURLs]))}"#)
    for portion in 0..<3 { _ = try fixture.client.call("favorites.add", #"{"uris":\#(fixture.trackURIs(portion))}"#) }
    _ = try fixture.client.call("favorites.add", #"{"uris":["segue:album/1","segue:artist/1"]}"#)
    let lists: [(String, String, [String])] = [
      ("list", "", ["tracks"]), ("library.tracks", "", ["tracks"]),
      ("playlists.load", #""name":"long","#, ["tracks"]), ("favorites.list", "", ["tracks", "albums", "artists"]),
      ("history.list", "", ["plays"]), ("library.failures", "", ["failures"]),
    ]
    for (method, params, members) in lists {
      var (offset, pages) = (0, 0)
      var found: Set<String> = []
      while true {
        let page = try fixture.client.call(method, "{\(params)\"offset\":\(offset)}")
        let items = members.flatMap { page[$0]?.elements ?? [] }
        if items.isEmpty { break }
        for item in items { found.insert(item["uri"]?.string ?? item["track"]?["uri"]?.string ?? "") }
        offset += items.count
        pages += 1
        if offset >= page["total"]?.int ?? 0 { break }
      }
      let total = try fixture.client.call(method, "{\(params)\"limit\":1}")["total"]?.int ?? 0
      #expect(found.count == total, "\(method)")
      #expect(pages > 1, "\(method): \(total) in \(pages)")
    }
  }

  /// Of 20,000 lines with missing files, the response lists the first thousand reasons and the total number.
  @Test func aResponseListsOnlyTheFirstOfManyFailures() throws {
    let daemon = try DaemonProcess()
    let pid = try #require(daemon.pid)
    let list = daemon.directory.appending("home/bad.m3u")
    let lines = (0..<20_000).map { "missing \($0).mp3\n" }.joined()
    try AudioFile.write(Array(lines.utf8), to: list)
    let client = try daemon.connect()
    let response = try client.call("queue.add", #"{"uris":["\#(FileURI.encode(list))"]}"#)
    #expect(response["failed"]?.count == 1_000)
    #expect(response["failedTotal"]?.int == 20_000)
    #expect(response["added"]?.count == 0)
    #expect(response["addedTotal"]?.int == 0)
    let messages = response["failed"]?.elements?.compactMap { $0["message"]?.string } ?? []
    #expect(messages[0].contains("missing 0.mp3") && messages[999].contains("line 1000 of"))
    if !Sanitizer.isOn { #expect(Processes.privateDirty(of: pid) < 32 << 20) }
  }

  /// A long response within a batch and another after it, with events in between.
  @Test func aLongResponseIsCompleteBesideOtherResponses() throws {
    let daemon = try DaemonProcess()
    let client = try daemon.connect()
    let uri = "http://127.0.0.1:9/" + String(repeating: "x", count: 10_000)
    let uris = "[" + Array(repeating: "\"\(uri)\"", count: 80).joined(separator: ",") + "]"
    for _ in 0..<2 { try client.call("queue.add", "[\(uris)]") }
    try client.call("subscribe")
    try client.send(
      #"[{"id":1,"method":"list"},{"id":2,"method":"volume","params":[7]},{"method":"list"},{"id":3,"method":"list"}]"#)
    try client.send(#"{"id":4,"method":"list"}"#)
    try client.send(#"{"id":5,"method":"volume"}"#)
    var responses: [JSON] = []
    var volumes: [Int?] = []
    while responses.count < 5 {
      let line = try client.json()
      if line["method"]?.string == "event" {
        volumes.append(line["params"]?["data"]?["volume"]?.int)
      } else {
        responses += line.elements ?? [line]
      }
    }
    #expect(responses.map { $0["id"]?.int } == [1, 2, 3, 4, 5])
    for index in [0, 2, 3] {
      let tracks = responses[index]["result"]?["tracks"]?.elements ?? []
      #expect((102...103).contains(tracks.count), "expected 2 MiB of tracks, found \(tracks.count) tracks")
      #expect(tracks.allSatisfy { $0["uri"]?.string == uri })
      #expect(responses[index]["result"]?["total"]?.int == 160)
    }
    if volumes.isEmpty { volumes.append(try client.event(of: "player")["volume"]?.int) }
    #expect(volumes.contains(7))
  }
}

/// A daemon whose responses are as long as files, tags and settings permit.
private final class LargestStateFixture {
  let daemon: DaemonProcess
  let client: SocketClient
  /// A client that has subscribed to all topics.
  let watcher: SocketClient
  /// Playlists: one with 80 URLs of 16,000 bytes, which exceed the maximum of a list together with their titles, one
  /// with the names of 1,200 missing files, and one with a single line of a million bytes.
  let (longURLs, missing, longLine): (FilePath, FilePath, FilePath)
  /// The first track. It has lyrics and chapters.
  let track: String
  private let trackPaths: [FilePath]

  private static let tracks = 150
  /// The number of files that cannot be read. Their entries are shorter than those of tracks.
  private static let badFiles = 200
  /// The text of a tag of which every byte is escaped in JSON.
  private static let longText = String(repeating: "\"", count: 1_000)

  init() throws {
    daemon = try DaemonProcess(running: false)
    // Half of the longest path. Every byte of it is percent-encoded.
    let name = String(repeating: "ж", count: 120)
    var folder = daemon.directory.appending("music")
    for _ in 0..<15 {
      folder = folder.appending(name)
      folder.withCString { _ = mkdir($0, 0o700) }
    }
    let flac = try AudioFile.read(Repository.fixture("a.flac"))
    var paths: [FilePath] = []
    for number in 0..<Self.tracks {
      var tags = ["TITLE", "ARTIST", "ALBUMARTIST", "COMPOSER", "GENRE"].map { tag in
        (tag, "title \(number) \(Self.longText)")
      }
      tags += [("ALBUM", "album \(number / 20) \(Self.longText)"), ("TRACKNUMBER", "\(number)")]
      if number == 0 {
        for chapter in 0..<512 {
          tags.append(("CHAPTER\(chapter + 100)", "00:0\(chapter / 60 % 10):\(10 + chapter % 50).000"))
          tags.append(("CHAPTER\(chapter + 100)NAME", Self.longText))
        }
      }
      let path = folder.appending("\(1_000 + number).flac")
      try AudioFile.write(FLACTags.replace(flac, tags), to: path)
      paths.append(path)
    }
    for number in 0..<Self.badFiles {
      try AudioFile.write(Array("no music".utf8), to: folder.appending("bad \(1_000 + number).flac"))
    }
    trackPaths = paths
    track = FileURI.encode(paths[0])
    let words = (0..<600).map { _ in "[00:01.00][00:02.00][00:03.00][00:04.00]" + String(repeating: "\"", count: 40) }
    try AudioFile.write(Array(words.joined(separator: "\n").utf8), to: folder.appending("1000.lrc"))
    try AudioFile.write(PictureFile.png(600, 600, [200, 30, 30]), to: folder.appending("cover.png"))

    let lists = daemon.directory.appending("home/.local/share/segue/playlists")
    var parent = daemon.directory.appending("home")
    for part in [".local", "share", "segue", "playlists"] {
      parent = parent.appending(part)
      parent.withCString { _ = mkdir($0, 0o700) }
    }
    for part in ["home/.config", "home/.config/segue", "home/.local/state", "home/.local/share/segue"] {
      daemon.directory.appending(part).withCString { _ = mkdir($0, 0o700) }
    }
    (longURLs, missing, longLine) = (
      lists.appending("long.m3u8"), lists.appending("missing.m3u8"), lists.appending("line.m3u8")
    )
    let url = "http://127.0.0.1:9/" + String(repeating: "x", count: 16_000)
    try AudioFile.write(Array((0..<80).map { "\(url)\($0)\n" }.joined().utf8), to: longURLs)
    let gone = String(repeating: "ж", count: 100)
    try AudioFile.write(Array((0..<1_200).map { "\(gone) \($0)\n" }.joined().utf8), to: missing)
    try AudioFile.write([UInt8](repeating: 0xE9, count: 1 << 20), to: longLine)
    for number in 0..<200 {
      try AudioFile.write([], to: lists.appending(String(repeating: "\"", count: 240) + "\(1_000 + number).m3u8"))
    }

    try daemon.start()
    client = try daemon.connect()
    watcher = try daemon.connect()
    try watcher.call("subscribe")
    let client = client
    try waitUntil("the music folder was scanned") {
      let status = LibraryStatus(try client.call("library.status"))
      return !status.scanning && status.tracks == Self.tracks && status.failed == Self.badFiles
    }
    try waitUntil("the search finds all tracks") {
      try client.call("library.status")["searchable"]?.int == Self.tracks
    }
    for number in 0..<5 {
      let query = String(repeating: "\\\"", count: 240) + "\(number)"
      try client.call("library.search", #"{"query":"\#(query)"}"#)
    }
    try addPlays()
  }

  /// Writes the history directly, because playing hundreds of tracks would take too long.
  private func addPlays() throws {
    let store = LibraryStore(path: daemon.directory.appending("home/.local/state/segue/library.db"))
    let uris = trackPaths.map(FileURI.encode)
    store.write({ writer throws(StoreError) in for uri in uris { try writer.addPlay(uri) } }, { _ in })
    store.close()
    let client = client
    try waitUntil("the history contains the plays") {
      try client.call("history.list", "[0,1]")["total"]?.int == Self.tracks
    }
  }

  /// Returns a JSON array of the URIs of `paths`.
  func uris(_ paths: [FilePath]) -> String {
    "[" + paths.map { "\"\(FileURI.encode($0))\"" }.joined(separator: ",") + "]"
  }

  /// Adds as many tracks as fit into a request.
  func trackURIs(_ portion: Int) -> String { uris(Array(trackPaths[(50 * portion)..<(50 * portion + 50)])) }

  /// Returns the longest names of missing files.
  var unreachable: String {
    uris((0..<60).map { trackPaths[0].parent.appending("gone \($0)") })
  }

  func firstID(_ method: String, _ member: String) throws -> Int {
    try client.call(method, #"{"limit":1}"#)[member]?.elements?.first?["id"]?.int ?? 0
  }

  /// Returns the length of the response to a request whose id makes its line as long as allowed. A daemon that shuts
  /// down does not wait until a long response is read.
  func responseLength(_ method: String, _ params: String?) throws -> Int? {
    let rest = #","method":"\#(method)""# + (params.map { #","params":\#($0)"# } ?? "") + "}"
    let id =
      method == "daemon.shutdown"
      ? "x" : String(repeating: "x", count: LineFramer.maximumLineLength - rest.utf8.count - #"{"id":"""#.utf8.count)
    try client.send(#"{"id":"\#(id)""# + rest)
    return try client.line()?.utf8.count
  }
}
