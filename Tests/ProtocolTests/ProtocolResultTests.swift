import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Compares the results of all methods and the events of all topics with the document of `rpc.discover`.
/// `ProtocolObjectTests` compares objects with all their members.
@Suite struct ProtocolResultTests {
  private let catalogs: CatalogServer
  private let fixture: LibraryFixture
  private let document: JSON
  private let validator: SchemaValidator

  init() throws {
    catalogs = try CatalogServer()
    let song: LibraryFixture.Song = ("loose", [("TITLE", "Loose"), ("LYRICS", "[00:01.50]sung")])
    fixture = try LibraryFixture(
      Array(LibraryFixture.songs.dropLast()) + [song], configuration: catalogs.configuration, hasSoundServer: true)
    document = try fixture.client.call("rpc.discover")
    validator = SchemaValidator(document)
  }

  /// Calls the method and compares its result. The document itself is not compared, because its schema is that of
  /// OpenRPC.
  @discardableResult
  private func call(_ name: String, _ params: String? = nil, by client: SocketClient? = nil) throws -> JSON {
    let method = try #require(document["methods"]?.elements?.first { $0["name"]?.string == name })
    let schema = try #require(method["result"]?["schema"])
    let result = try (client ?? fixture.client).call(name, params)
    if name != "rpc.discover" {
      let violation = validator.violation(result, of: schema, at: name)
      #expect(violation == nil)
    }
    return result
  }

  @Test func results_matchDocument() throws {
    let uri = fixture.uri("loose")
    try AudioFile.write(PictureFile.png(60, 60, [1, 2, 3]), to: fixture.music.appending("cover.png"))
    let chapters = quoted(FileURI.encode(Repository.fixture("Tags/chapters.mka")))
    let calls: [(name: String, params: String?)] = [
      ("status", nil), ("queue.add", #"{"uris":["\#(uri)","file:///nowhere"]}"#), ("play", #"{"uri":"\#(uri)"}"#),
      ("pause", nil), ("toggle", nil), ("pause", nil), ("next", nil), ("prev", nil), ("seek", "[0]"), ("stop", nil),
      ("chapters", nil), ("chapters", "[\(chapters)]"), ("queue.list", nil), ("volume", nil), ("volume", "[50]"),
      ("repeat", #"["one"]"#), ("shuffle", #"["albums"]"#), ("consume", "[true]"), ("speed", "[1.5]"),
      ("sleep", "[60]"),
      ("sleep", #"{"after":"album"}"#), ("gain", nil), ("gain", #"["auto",-1.5]"#), ("output.list", nil),
      ("output.set", "[null]"), ("settings.list", nil), ("settings.get", #"["player.fade"]"#),
      ("settings.set", #"["player.fade",100]"#), ("settings.reset", #"["player.fade"]"#),
      ("library.tracks", nil), ("library.albums", nil), ("library.artists", nil), ("library.genres", nil),
      ("library.values", #"{"tag":"genre"}"#),
      ("library.album", "[1]"), ("library.artist", "[1]"),
      ("library.folder", "[\"\(FileURI.encode(fixture.music))\"]"), ("library.track", "[\"\(uri)\"]"),
      ("library.search", #"["kino"]"#), ("library.suggest", #"["k"]"#), ("library.random", nil),
      ("library.status", nil), ("library.scan", nil), ("library.failures", nil), ("lyrics", "[\"\(uri)\"]"),
      ("art", "[\"\(uri)\"]"), ("favorites.add", "[[\"\(uri)\",\"file:///no\"]]"), ("favorites.list", nil),
      ("favorites.remove", "[[\"\(uri)\"]]"), ("rating.set", "[\"\(uri)\",7]"),
      ("rating.get", "[\"\(uri)\"]"), ("history.list", nil), ("history.searches", nil),
      ("playlists.save", "[\"one\",[\"\(uri)\",\"file:///no\"]]"), ("playlists.list", nil),
      ("playlists.get", #"["one"]"#), ("playlists.add", "[\"one\",[\"\(uri)\"]]"),
      ("playlists.remove", #"["one",[0]]"#),
      ("playlists.rename", #"["one","two"]"#), ("playlists.delete", #"["two"]"#), ("subscribe", nil),
      ("unsubscribe", nil), ("queue.replace", "[[\"\(uri)\",\"\(fixture.uri("Björk/Debut/01"))\"]]"),
      ("rpc.version", nil), ("rpc.discover", nil), ("daemon.stats", nil), ("catalog.providers", nil),
      ("catalog.genres", #"["film"]"#), ("catalog.search", #"["music"]"#), ("catalog.suggest", #"["music"]"#),
      ("catalog.popular", nil), ("catalog.people", nil), ("catalog.info", #"["itunes:album:900000001"]"#),
      ("catalog.setToken", #"["tmdb","token"]"#), ("catalog.person", #"["tmdb:person:201"]"#),
      ("catalog.searches", nil),
    ]
    for (name, params) in calls { try call(name, params) }
    let ids = try call("queue.list")["tracks"]?.elements?.compactMap { $0["id"]?.int } ?? []
    try call("queue.move", "[[\(ids[1])],0]")
    try call("queue.crop", "[[\(ids[1])]]")
    try call("queue.remove", "[[\(ids[1])]]")
    let methods = ListedMethods(document)
    let others: Set = ["queue.move", "queue.remove", "queue.crop", "rpc.restrict", "daemon.shutdown"]
    var called = Set(calls.map(\.name)).union(others)
    for name in methods.withoutRequiredParameters where called.insert(name).inserted { try call(name) }
    // A restricted client may not call all others.
    try call("rpc.restrict", #"["own"]"#, by: fixture.watcher)
    try call("daemon.shutdown")
    #expect(called == methods.all)
  }

  /// While a track plays, the status contains every object.
  @Test func statusDuringPlayback_matchesDocument() throws {
    let watcher = try fixture.daemon.connect()
    try watcher.call("subscribe", #"{"topics":["player"]}"#)
    try fixture.client.call("repeat", #"["all"]"#)
    try call("play")
    var status = try call("status")
    while ["track", "audio"].contains(where: { status[$0]?.isNull != false })
      || status["output"]?["device"]?.isNull != false
    {
      _ = try watcher.event(of: "player")
      status = try call("status")
    }
    #expect(status["metadata"]?.isNull == false)
  }

  /// The document contains every topic, and events match it, except for those that clients must name.
  @Test func events_matchDocument() throws {
    let events = try #require(document["x-events"]?.elements)
    // `SoundTopicTests` have the topic that needs sound.
    let topics = events.filter { $0["x-optIn"] == nil }.compactMap { $0["topic"]?.string }
    let watcher = try fixture.daemon.connect()
    #expect(Set(try watcher.call("subscribe")["topics"]?.elements?.compactMap(\.string) ?? []) == Set(topics))
    let client = fixture.client
    try client.call("queue.add", #"{"uris":["http://127.0.0.1:9/x"]}"#)
    try client.call("settings.set", #"["player.fade",100]"#)
    try client.call("library.scan")
    let uri = fixture.uri("loose")
    try client.call("favorites.add", "[[\"\(uri)\"]]")
    try client.call("rating.set", "[\"\(uri)\",7]")
    try client.call("playlists.save", "[\"one\",[\"\(uri)\"]]")
    try client.call("queue.add", "[[\"\(uri)\"]]")
    try client.call("play")
    var missing = Set(topics)
    while !missing.isEmpty {
      let event = try watcher.event()
      let topic = try #require(event["topic"]?.string)
      let described = try #require(events.first { $0["topic"]?.string == topic })
      #expect(described["name"]?.string == "event")
      let violation = validator.violation(event, of: try #require(described["params"]), at: topic)
      #expect(violation == nil)
      missing.remove(topic)
    }
  }
}
