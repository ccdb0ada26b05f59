import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Every kind of error that a client can cause is documented for its method. This holds for all tests of the protocol:
/// the daemon responds with `internal_error` instead of an undocumented kind, and `SocketClient` reports that as a
/// failure.
@Suite struct ProtocolErrorTests {
  @Test func everyErrorIsListedInTheDocument() throws {
    let fixture = try LibraryFixture()
    let client = fixture.client
    let home = fixture.daemon.directory.appending("home")
    try AudioFile.write(Array("no music".utf8), to: home.appending("text.flac"))
    try AudioFile.write([UInt8](repeating: 0x20, count: (16 << 20) + 1), to: home.appending("large.m3u8"))
    home.appending("pipe.mp3").withCString { _ = mkfifo($0, 0o600) }
    let text = FileURI.encode(home.appending("text.flac"))
    let large = FileURI.encode(home.appending("large.m3u8"))
    let pipe = FileURI.encode(home.appending("pipe.mp3"))
    let url = "http://h/" + String(repeating: "x", count: 17_000)
    try client.call("playlists.save", #"["list",["\#(fixture.uri("loose"))"]]"#)
    try client.call("playlists.save", #"["other",["\#(fixture.uri("loose"))"]]"#)

    let cases: [(method: String, params: String, kind: String)] = [
      ("play", #"{"id":999999}"#, "no_such_track"), ("play", #"{"uri":"file:///gone"}"#, "not_found"),
      ("play", #"{"uri":"\#(text)"}"#, "unplayable"), ("play", #"{"uri":"\#(large)"}"#, "too_large"),
      ("play", #"{"uri":"none"}"#, "invalid_params"), ("queue.add", #"{"uris":[],"at":77}"#, "out_of_range"),
      ("queue.move", #"{"ids":[999999],"to":0}"#, "no_such_track"), ("queue.remove", "[[999999]]", "no_such_track"),
      ("seek", "[1]", "no_such_track"), ("play", "[0]", ""), ("stop", "[]", ""), ("seek", "[1]", "unavailable"),
      ("chapters", #"["file:///gone"]"#, "not_found"),
      ("chapters", #"["\#(text)"]"#, "unplayable"), ("chapters", #"["\#(url)"]"#, "too_large"),
      ("chapters", #"["\#(pipe)"]"#, "unplayable"), ("lyrics", #"["file:///gone"]"#, "not_found"),
      ("lyrics", #"["\#(url)"]"#, "too_large"), ("art", #"["\#(url)"]"#, "too_large"),
      ("art", #"["segue:album/999999"]"#, "not_found"), ("art", #"["\#(text)"]"#, "not_found"),
      ("output.list", "[]", "unavailable"), ("output.set", #"["x"]"#, "unavailable"),
      ("settings.get", #"["nonsense"]"#, "not_found"), ("settings.set", #"["nonsense",1]"#, "not_found"),
      ("settings.set", #"["library.musicFolder","/"]"#, "denied"),
      ("settings.set", #"["output.device","x"]"#, "unavailable"),
      ("settings.set", #"["player.fade","x"]"#, "invalid_params"), ("settings.reset", #"["nonsense"]"#, "not_found"),
      ("settings.reset", #"["library.musicFolder"]"#, "denied"), ("library.album", "[999999]", "not_found"),
      ("library.artist", "[999999]", "not_found"),
      ("library.folder", #"["/nowhere"]"#, "not_found"), ("library.folder", #"["nowhere"]"#, "invalid_params"),
      ("library.track", #"["file:///gone"]"#, "not_found"),
      ("library.scan", #"[["/nowhere"]]"#, "not_found"), ("library.scan", #"[["nowhere"]]"#, "invalid_params"),
      ("library.tracks", #"{"year":"x"}"#, "invalid_params"), ("library.search", #"[" "]"#, "query_too_short"),
      ("rating.set", #"["file:///gone",5]"#, "not_found"), ("rating.set", #"["\#(url)",5]"#, "too_large"),
      ("rating.set", #"["segue:album/1",5]"#, "invalid_params"), ("playlists.get", #"["gone"]"#, "not_found"),
      ("playlists.save", #"["list"]"#, "exists"), ("playlists.save", #"["a",["file:///gone"]]"#, "not_found"),
      ("playlists.save", #"["a",["\#(text)"]]"#, "unplayable"),
      ("playlists.save", #"["a",["\#(large)"]]"#, "too_large"),
      ("playlists.save", #"["a/b"]"#, "invalid_params"), ("playlists.add", #"["list",["\#(large)"]]"#, "too_large"),
      ("playlists.add", #"["list",["\#(fixture.uri("loose"))"],77]"#, "out_of_range"),
      ("playlists.remove", #"["list",[77]]"#, "out_of_range"), ("playlists.remove", #"["gone",[0]]"#, "not_found"),
      ("playlists.rename", #"["list","other"]"#, "exists"), ("playlists.rename", #"["gone","a"]"#, "not_found"),
      ("playlists.delete", #"["gone"]"#, "not_found"), ("queue.redo", "[]", "nothing_to_redo"),
      ("queue.clear", "[]", ""), ("play", "[]", "empty_queue"),
      ("toggle", "[]", "empty_queue"), ("next", "[]", "empty_queue"), ("prev", "[]", "empty_queue"),
      ("seek", "[1]", "empty_queue"), ("chapters", "[]", "empty_queue"), ("art", "[]", "empty_queue"),
    ]
    var named: [String: Set<String>] = [:]
    for method in try #require(try client.call("rpc.discover")["methods"]?.elements) {
      let errors = method["errors"]?.elements?.compactMap { $0["$ref"]?.string?.split(separator: "/").last } ?? []
      named[try #require(method["name"]?.string)] = Set(errors.map(String.init))
    }
    for (method, params, kind) in cases {
      guard !kind.isEmpty else {
        try client.call(method, params)
        continue
      }
      let error = try client.errorResponse(to: method, params)
      #expect(error.kind == kind, "\(method) \(params.prefix(60)): \(error.message.prefix(200))")
      #expect(named[method]?.contains(error.kind) == true, "\(method) does not name \(error.kind)")
    }
  }

  /// If the folder of the library cannot be made, every method that needs it reports this.
  @Test func unavailableFeaturesAreNamed() throws {
    let daemon = try TestDaemon(running: false)
    let local = daemon.directory.appending("home/.local")
    try Folder.create(local)
    // Root cannot create a folder inside a file either.
    try AudioFile.write([], to: local.appending("state"))
    try daemon.start()
    let client = try daemon.connect()
    let document = try client.call("rpc.discover")
    for (method, params) in [
      ("library.tracks", "[]"), ("library.albums", "[]"), ("library.artists", "[]"), ("library.genres", "[]"),
      ("library.values", #"["genre"]"#),
      ("library.album", "[1]"), ("library.artist", "[1]"), ("library.folder", #"["/"]"#),
      ("library.track", #"["file:///a"]"#),
      ("library.random", "[]"),
      ("library.search", #"["a"]"#), ("library.suggest", #"["a"]"#), ("library.failures", "[]"),
      ("favorites.add", #"[["segue:album/1"]]"#), ("favorites.list", "[]"), ("history.list", "[]"),
      ("history.searches", "[]"), ("rating.set", #"["http://h/x",5]"#), ("rating.get", #"["http://h/x"]"#),
      ("art", #"["segue:album/1"]"#),
    ] {
      #expect(try client.errorResponse(to: method, params).kind == "unavailable", "\(method)")
      let described = document["methods"]?.elements?.first { $0["name"]?.string == method }
      let errors = described?["errors"]?.elements?.compactMap { $0["$ref"]?.string } ?? []
      #expect(errors.contains("#/components/errors/unavailable"), "\(method)")
    }
  }
}
