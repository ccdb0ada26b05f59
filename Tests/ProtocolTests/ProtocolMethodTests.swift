import SegueTestKit
import SegueWire
import Testing

/// Compares the methods, their parameters and errors with `rpc.discover`.
@Suite struct ProtocolMethodTests {
  let daemon: TestDaemon
  let client: SocketClient

  init() throws {
    daemon = try TestDaemon()
    client = try daemon.connect()
  }

  /// A method, invalid parameters, and a word that the message must contain.
  static let invalidCalls: [(method: String, params: String, named: [String])] = [
    ("status", #"{"verbose":true}"#, ["verbose"]),
    ("status", "[1]", ["status"]),
    ("list", #"{"limit":0}"#, ["limit", "from 1"]),
    ("list", #"{"limit":"5"}"#, ["limit", "integer"]),
    ("list", #"{"offset":-1}"#, ["offset", "from 0"]),
    ("list", #"{"offset":1.5}"#, ["offset"]),
    ("list", #"{"id":"x"}"#, ["id"]),
    ("list", "[0, 10, 20, 30]", ["offset", "limit", "id"]),
    ("play", #"{"index":1,"id":2}"#, ["index", "id", "uri"]),
    ("play", #"{"index":null}"#, ["index"]),
    ("seek", "{}", ["position", "offset", "fraction"]),
    ("seek", #"{"position":1,"offset":1}"#, ["position", "offset"]),
    ("seek", #"{"fraction":1.01}"#, ["fraction", "0.0 to 1.0"]),
    ("volume", #"{"level":101}"#, ["level", "0 to 100"]),
    ("volume", #"{"level":50,"delta":1}"#, ["level", "delta"]),
    ("volume", #"{"muted":1}"#, ["muted", "true or false"]),
    ("repeat", #"{"mode":"sometimes"}"#, ["mode", "\"off\"", "\"one\"", "\"all\""]),
    ("shuffle", "{}", ["mode", "albums"]),
    ("consume", #"{"on":"yes"}"#, ["on"]),
    ("speed", "{}", ["factor", "delta"]),
    ("speed", #"{"factor":3.1}"#, ["factor", "0.5 to 3"]),
    ("speed", #"{"factor":1,"delta":1}"#, ["factor", "delta"]),
    ("sleep", #"{"seconds":-1}"#, ["seconds"]),
    ("sleep", #"{"off":false}"#, ["off"]),
    ("queue.add", "{}", ["uris"]),
    ("queue.add", #"{"uris":"a.flac"}"#, ["uris", "array"]),
    ("queue.add", #"{"uris":[1]}"#, ["uris", "string"]),
    ("queue.add", #"{"uris":[],"at":"start"}"#, ["at", "\"end\"", "\"next\"", "integer"]),
    ("queue.remove", #"{"ids":[1.5]}"#, ["ids"]),
    ("queue.move", #"{"ids":[1]}"#, ["to"]),
    ("output.set", "{}", ["device"]),
    ("unsubscribe", #"{"topics":"player"}"#, ["topics"]),
  ]

  @Test(arguments: invalidCalls.indices)
  func aWrongParameterIsNamed(index: Int) throws {
    let (method, params, named) = Self.invalidCalls[index]
    let error = try client.errorResponse(to: method, params)
    #expect(error.code == -32602)
    #expect(error.kind == "invalid_params")
    for word in named + [method] { #expect(error.message.contains(word), "\(error.message)") }
  }

  @Test(arguments: ["5", #""x""#, "null", "true"])
  func parametersThatAreNotAStructureAreRejected(params: String) throws {
    #expect(try client.errorResponse(to: "status", params).code == -32600)
  }

  @Test func limitsAreCappedAtAThousand() throws {
    #expect(try client.call("list", #"{"limit":9000000000000000000}"#)["tracks"]?.count == 0)
  }

  @Test func anEmptyQueueHasItsOwnErrorKind() throws {
    let error = try client.errorResponse(to: "play")
    #expect(error.code == 2)
    #expect(error.kind == "empty_queue")
    #expect(try client.errorResponse(to: "play", #"{"index":7}"#).code > 0)
  }

  @Test func statusHasEveryDocumentedMember() throws {
    let status = try client.call("status")
    let names = [
      "state", "position", "duration", "durationKind", "monotonic", "rate", "track", "metadata", "index", "length",
      "version", "volume", "muted", "repeat", "shuffle", "consume", "output", "audio",
    ]
    for name in names { #expect(status[name] != nil, "\(name)") }
    #expect(status["state"]?.string == "stopped")
  }

  @Test func statisticsCountEvents() throws {
    let before = try client.call("daemon.stats")
    try client.call("status")
    let after = try client.call("daemon.stats")
    #expect(after["clients"]?.int == 1)
    #expect((after["requests"]?.int ?? 0) - (before["requests"]?.int ?? 0) == 2)
    #expect((after["wakeups"]?.int ?? 0) > (before["wakeups"]?.int ?? 0))
  }

  @Test(arguments: [("queue.list", "list"), ("playlists.get", "playlists.load"), ("catalog.searches", "catalog.hints")])
  func aFormerNameOfAMethodStaysValid(name: String, former: String) throws {
    let method = try client.call("rpc.discover")["methods"]?.elements?.first { $0["name"]?.string == name }
    #expect(method?["x-aliases"]?.elements?.map(\.string) == [former])
    // Both names are those of the same method.
    let errors = try [name, former].map { try client.errorResponse(to: $0, #"{"surely not a parameter":0}"#).message }
    #expect(errors[0] == errors[1] && errors[0].contains("`\(name)`"))
  }

  // MARK: rpc.discover

  @Test func theDocumentIsValidOpenRPC() throws {
    let document = try client.call("rpc.discover")
    #expect(document["openrpc"]?.string == "1.2.6")
    #expect(document["info"]?["title"]?.string == "Segue")
    #expect(try document["info"]?["version"]?.string == client.call("rpc.version")["version"]?.string)
    let methods = try #require(document["methods"]?.elements)
    let names = methods.compactMap { $0["name"]?.string }
    #expect(names.count == methods.count)
    #expect(Set(names).count == names.count)
    let wanted = [
      "status", "queue.list", "play", "pause", "toggle", "stop", "next", "prev", "seek", "volume", "repeat", "shuffle",
      "consume", "sleep", "queue.add", "queue.replace", "queue.remove", "queue.move", "queue.clear", "queue.undo",
      "queue.redo", "output.list", "output.set", "subscribe", "unsubscribe", "rpc.version", "rpc.discover",
      "daemon.stats", "daemon.shutdown",
    ]
    #expect(Set(wanted).subtracting(names) == [])
    for method in methods {
      #expect(method["params"]?.elements != nil)
      #expect(method["result"]?["name"]?.string?.isEmpty == false)
      #expect(method["result"]?["schema"]?.kind == .object)
      for parameter in method["params"]?.elements ?? [] {
        #expect(parameter["name"]?.string?.isEmpty == false)
        #expect(parameter["schema"]?.kind == .object)
      }
    }
    for method in methods {
      let errors = method["errors"]?.elements?.compactMap { $0["$ref"]?.string } ?? []
      #expect(errors.contains("#/components/errors/invalid_params"))
      for error in errors {
        let kind = String(error.dropFirst("#/components/errors/".count))
        #expect(document["components"]?["errors"]?[kind]?["data"]?["kind"]?.string == kind, "\(error)")
      }
    }
    for kind in Failure.Kind.allCases {
      #expect(document["components"]?["errors"]?[kind.rawValue]?["code"]?.int == kind.code)
    }
  }

  /// Every documented method exists, accepts only the documented parameters, and requires the required ones.
  @Test func theDocumentListsAllMethods() throws {
    for method in try #require(try client.call("rpc.discover")["methods"]?.elements) {
      let name = try #require(method["name"]?.string)
      let parameters = method["params"]?.elements ?? []
      let surplus = "[" + Array(repeating: "0", count: parameters.count + 1).joined(separator: ",") + "]"
      #expect(try client.errorResponse(to: name, surplus).code == -32602, "\(name)")
      let unknown = try client.errorResponse(to: name, #"{"surely not a parameter":0}"#)
      #expect(unknown.code == -32602)
      for parameter in parameters {
        let parameterName = try #require(parameter["name"]?.string)
        #expect(unknown.message.contains("`\(parameterName)`"))
        // No parameter accepts an object, so a known parameter is rejected for its type.
        let error = try client.errorResponse(to: name, "{\"\(parameterName)\":{}}")
        #expect(error.code == -32602)
        #expect(error.message.contains("`\(parameterName)`"))
        if parameter["required"]?.bool == true {
          #expect(try client.errorResponse(to: name, "{}").kind == "invalid_params", "\(name)")
        }
      }
    }
  }
}
