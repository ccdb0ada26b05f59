import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of what clients may do that were restricted to a role.
@Suite struct RightsTests {
  private let fixture: LibraryFixture

  init() throws { fixture = try LibraryFixture() }

  private var song: String { quoted(fixture.uri("loose")) }
  /// A file of the machine that the library does not have.
  private static let foreign = quoted("file:///etc/passwd")

  /// Connects a client and restricts it.
  private func client(_ role: Role) throws -> SocketClient {
    let client = try fixture.daemon.connect()
    try client.call("rpc.restrict", #"["\#(role.rawValue)"]"#)
    return client
  }

  /// Returns the methods of the document of the protocol.
  private func methods() throws -> [JSON] {
    try #require(try fixture.client.call("rpc.discover")["methods"]?.elements)
  }

  /// Returns a value that a JSON Schema permits.
  private func sample(_ schema: JSON?) -> String {
    if let words = schema?["enum"]?.elements, let first = words.first { return first.string.map(quoted) ?? "true" }
    if let alternatives = schema?["anyOf"]?.elements { return sample(alternatives.first) }
    switch schema?["type"]?.string {
    case "array": return "[\(sample(schema?["items"]))]"
    case "boolean": return "true"
    case "integer", "number": return String(schema?["minimum"]?.int ?? 1)
    default: return #""word""#
    }
  }

  /// Returns the parameters of a request that gives those that are required, and `value` for the one with this name.
  /// URIs are those of a song of the library.
  private func parameters(of method: JSON, _ name: String?, _ value: String) -> String {
    let members = (method["params"]?.elements ?? []).compactMap { parameter -> String? in
      let given = parameter["name"]?.string ?? ""
      if given == name { return "\(quoted(given)):\(value)" }
      guard parameter["required"]?.bool == true else { return nil }
      let samples = ["uri": song, "uris": "[\(song)]"]
      return "\(quoted(given)):\(samples[given] ?? sample(parameter["schema"]))"
    }
    return "{\(members.joined(separator: ","))}"
  }

  /// Whether a string in a value contains a text.
  private func contains(_ text: String, _ json: JSON) -> Bool {
    json.string?.contains(text) == true || (json.elements ?? []).contains { contains(text, $0) }
      || json.names.contains { name in json[name].map { contains(text, $0) } == true }
  }

  /// Returns the result of a request, or the kind of its error.
  private func answer(
    _ client: SocketClient, _ method: String, _ params: String
  ) throws -> (result: JSON?, kind: String?) {
    do {
      return (try client.response(to: try client.sendRequest(method, params)), nil)
    } catch let error as SocketClient.ErrorResponse {
      return (nil, error.kind)
    }
  }

  @Test(arguments: Role.allCases) func aMethodIsDeniedExactlyBelowItsRole(role: Role) throws {
    let client = try client(role)
    for method in try methods() where method["name"]?.string != "rpc.restrict" {
      let name = try #require(method["name"]?.string)
      let required = Role(rawValue: try #require(method["x-role"]?.string)).map(Rights.init) ?? .all
      let answer = try answer(client, name, parameters(of: method, nil, ""))
      #expect((answer.kind == "denied") == (Rights(role) < required), "\(name)")
    }
    #expect(try fixture.client.call("rpc.version")["protocol"]?.int == 1, "the daemon runs")
  }

  @Test(arguments: Role.allCases) func noParameterNamesAFileThatTheUserDoesNotHave(role: Role) throws {
    let client = try client(role)
    // The index has the folders that the music folder is in, too.
    var folders: [FilePath] = [fixture.music.parent]
    while let folder = folders.last, folder.parent != folder { folders.append(folder.parent) }
    let foreign =
      [Self.foreign, #""/etc/passwd""#, quoted("file:///etc/"), quoted("file://localhost/etc/passwd")]
      + folders.map { quoted(FileURI.encode($0)) } + [quoted("file:///")]
    var uriParameters = 0
    for method in try methods() {
      let name = try #require(method["name"]?.string)
      for parameter in method["params"]?.elements ?? [] {
        let isList = parameter["schema"]?["type"]?.string == "array"
        let given = try #require(parameter["name"]?.string)
        for text in foreign {
          let parameters = parameters(of: method, given, isList ? "[\(text)]" : text)
          let answer = try answer(client, name, parameters)
          #expect(answer.result.map { contains("root:", $0) } != true, "\(name) \(parameters)")
          guard ["uri", "uris"].contains(given), !["playlists.remove", "library.folder"].contains(name),
            !name.hasPrefix("catalog.")
          else { continue }
          uriParameters += 1
          #expect(answer.kind == "denied", "\(name) \(parameters)")
        }
      }
    }
    #expect(uriParameters > 40)
    #expect(!contains("/etc/", try fixture.client.call("queue.list")))
  }

  @Test func aRestrictedClientMayNameWhatTheUserHas() throws {
    let outside = fixture.daemon.directory.appending("outside.flac")
    try AudioFile.write(try AudioFile.read(Repository.fixture("long.flac")), to: outside)
    let client = try client(.control)
    let folder = quoted(FileURI.encode(fixture.music.appending("Кино")))
    for uri in [song, folder, quoted("segue:genre/Rock"), quoted("segue:search/loose")] {
      #expect(try client.call("queue.replace", "[[\(uri)]]")["added"]?.count ?? 0 > 0, "\(uri)")
    }
    let uri = quoted(FileURI.encode(outside))
    #expect(try client.errorResponse(to: "lyrics", "[\(uri)]").kind == "denied")
    try fixture.client.call("queue.add", "[[\(uri)]]")
    #expect(try client.errorResponse(to: "lyrics", "[\(uri)]").kind == "not_found", "the queue has the file")
    try fixture.client.call("queue.clear")
    #expect(try client.errorResponse(to: "lyrics", "[\(uri)]").kind == "not_found", "the queue can be restored")
    #expect(try client.call("rating.set", "[\(song),7]")["rating"]?.int == 7)
  }

  @Test func onlyTheOwnerMayNameNewStreams() throws {
    let stream = quoted("http://127.0.0.1:9/stream")
    let (guest, owner) = (try client(.control), try client(.own))
    #expect(try guest.errorResponse(to: "queue.add", "[[\(stream)]]").kind == "denied")
    #expect(try guest.errorResponse(to: "favorites.add", "[[\(stream)]]").kind == "denied")
    #expect(try owner.call("favorites.add", "[[\(stream)]]")["urisTotal"]?.int == 1)
    #expect(try guest.call("queue.add", "[[\(stream)]]")["added"]?.count == 1, "the stream is a favorite")
  }

  @Test func rightsDoNotReturn() throws {
    let client = try client(.control)
    #expect(try client.errorResponse(to: "rpc.restrict", #"["own"]"#).kind == "denied")
    try client.call("rpc.restrict", #"["control"]"#)
    #expect(try client.call("volume", "[20]")["volume"]?.int == 20)
    #expect(try client.call("rpc.restrict", #"["listen"]"#)["role"]?.string == "listen")
    #expect(try client.errorResponse(to: "volume", "[30]").kind == "denied")
    #expect(try client.errorResponse(to: "rpc.restrict", #"["control"]"#).kind == "denied")
    #expect(try client.call("status")["volume"]?.int == 20)
  }

  @Test func aRestrictionAppliesToTheRequestsAfterItAndToAliases() throws {
    let client = try fixture.daemon.connect()
    try client.send(
      #"[{"method":"volume","params":[11],"id":1},{"method":"rpc.restrict","params":["listen"],"id":2},"#
        + #"{"method":"volume","params":[12],"id":3},{"method":"catalog.hints","id":4}]"#)
    let responses = try #require(try client.json().elements)
    #expect(responses[0]["result"]?["volume"]?.int == 11)
    #expect(responses[1]["result"]?["role"]?.string == "listen")
    #expect(responses[2...].map { $0["error"]?["data"]?["kind"]?.string } == ["denied", "denied"])
  }

  @Test func anErrorNamesTheRoleOrTheProgramsThatMay() throws {
    let listener = try client(.listen)
    #expect(
      try listener.errorResponse(to: "play").message
        == "`play` requires the role `control`, and this connection has `listen`")
    #expect(
      try client(.own).errorResponse(to: "daemon.shutdown").message
        == "`daemon.shutdown` is only for programs of the user on the machine where segued runs")
    let scan = try client(.own)
    let music = quoted(fixture.music.description)
    #expect(try scan.errorResponse(to: "library.scan", "[[\(music)]]").message.hasPrefix("`paths` of `library.scan`"))
    try scan.call("library.scan")
  }

  @Test func theOwnerChangesSettingsButNotFoldersAndAddresses() throws {
    let owner = try client(.own)
    #expect(try owner.call("settings.set", #"["player.fade",9]"#)["value"]?.int == 9)
    for name in ["library.musicFolder", "network.certificateAuthority", "catalog.radioBrowserURL"] {
      #expect(try owner.errorResponse(to: "settings.set", #"["\#(name)","/etc"]"#).kind == "denied", "\(name)")
    }
  }

  @Test func aSubscriptionHasOnlyTheTopicsOfTheRole() throws {
    let client = try fixture.daemon.connect()
    try client.call("subscribe", #"{"topics":["settings","ratings"]}"#)
    try client.call("rpc.restrict", #"["control"]"#)
    #expect(try client.errorResponse(to: "subscribe", #"{"topics":["player","settings"]}"#).kind == "denied")
    try fixture.client.call("settings.set", #"["player.fade",7]"#)
    try fixture.client.call("rating.set", "[\(song),3]")
    #expect(try client.event()["topic"]?.string == "ratings", "the change of the setting was not sent")
    let snapshot = try client.call("subscribe")
    #expect(snapshot["settings"]?["settings"]?.count == 0, "they name folders of the machine")
    #expect(snapshot["topics"]?.elements?.contains { $0.string == "settings" } == false)
    #expect(snapshot["status"] != nil)
  }

  @Test func theSearchesOfAListenerAreNotRemembered() throws {
    let (listener, guest) = (try client(.listen), try client(.control))
    try guest.call("library.search", #"["remembered"]"#)
    try listener.call("library.search", #"["forgotten"]"#)
    #expect(try guest.call("history.searches")["searches"]?.elements?.map(\.string) == ["remembered"])
    #expect(try guest.call("library.suggest", #"["remem"]"#)["suggestions"]?.count == 1)
    #expect(try listener.call("library.suggest", #"["remem"]"#)["suggestions"]?.count == 0)
  }
}
