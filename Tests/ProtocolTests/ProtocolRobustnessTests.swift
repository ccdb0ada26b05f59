import SegueTestKit
import SegueWire
import Testing

/// Tests with malicious or fragmented input. After each, the daemon serves another client.
@Suite struct ProtocolRobustnessTests {
  let daemon: TestDaemon
  let client: SocketClient

  init() throws {
    daemon = try TestDaemon()
    client = try daemon.connect()
  }

  static let garbage: [LongArgument] =
    [
      "", "   ", "}", "nul", #"{"id":1"#, #"{"id":1,"method":"status"}{"id":2}"#, #"{"id":1e999,"method":"status"}"#,
      "\0", "{\"a\0\":1}", #""\ud800""#, String(repeating: "[", count: 100_000),
      String(repeating: #"{"a":"#, count: 100_000), #"{"id":"# + String(repeating: "9", count: 100_000) + "}",
    ].map { LongArgument($0) } + [LongArgument([0xFF, 0xFE, 0x00]), LongArgument([0x22, 0xC3, 0x28, 0x22])]

  @Test(arguments: garbage)
  func garbageIsAParseError(_ garbage: LongArgument) throws {
    try client.send(garbage.bytes + [0x0A])
    let response = try client.json()
    #expect(response["error"]?["code"]?.int == -32700)
    #expect(response["id"]?.isNull == true)
    #expect(try client.call("rpc.version")["protocol"]?.int == 1, "the connection stays open")
  }

  @Test func anUnknownMethodNameMayContainAnything() throws {
    let response = try client.errorResponse(to: "a\0b\n\"é")
    #expect(response.kind == "method_not_found")
    #expect(response.message.contains("a\0b\n\"é"))
  }

  @Test func aParameterNameWithANULIsUnknown() throws {
    let error = try client.errorResponse(to: "volume", #"{"level":7,"le\u0000vel":9}"#)
    #expect(error.code == -32602)
    #expect(error.message.contains("le␀vel"))
    // Unknown members are ignored, whatever their names.
    try client.send(#"{"id":1,"method":"rpc.version","\u0000":{"\u0000":[]}}"#)
    #expect(try client.json()["result"]?["protocol"]?.int == 1)
  }

  @Test func aLineBeyondTheLimitClosesTheConnection() throws {
    let head = #"{"id":1,"method":"rpc.version"}"#
    try client.send(head + String(repeating: " ", count: LineFramer.maximumLineLength - head.utf8.count))
    #expect(try client.json()["result"]?["protocol"]?.int == 1)

    let other = try daemon.connect()
    // The daemon may close the connection before it has read everything.
    try? other.send(String(repeating: "x", count: LineFramer.maximumLineLength + 1))
    let response = try other.json()
    #expect(response["error"]?["code"]?.int == -32600)
    #expect(response["error"]?["data"]?["kind"]?.string == "too_large")
    #expect(try other.line() == nil)
    #expect(try client.call("rpc.version")["protocol"]?.int == 1)
  }

  @Test func requestsByteByByteWithCRLFAreRead() throws {
    for byte in Array("{\"id\":1,\"method\":\"rpc.version\"}\r\n".utf8) { try client.send([byte]) }
    #expect(try client.json()["result"]?["protocol"]?.int == 1)
  }

  @Test func aLastLineWithoutANewlineIsAnswered() throws {
    try client.send(Array("{\"id\":1,\"method\":\"rpc.version\"}\n{\"id\":2,\"method\":\"volume\"}".utf8))
    client.finish()
    #expect(try client.json()["id"]?.int == 1)
    #expect(try client.json()["id"]?.int == 2)
    #expect(try client.line() == nil)
  }

  @Test func requestsOfAClientThatDisconnectsAreExecuted() throws {
    do {
      let disconnecting = try daemon.connect()
      try disconnecting.send(#"{"method":"volume","params":{"level":13}}"#)
    }
    while try client.call("volume")["volume"]?.int != 13 {
      if try client.call("daemon.stats")["clients"]?.int == 1 { break }
    }
    #expect(try client.call("volume")["volume"]?.int == 13)
  }

  @Test func aClientThatDisconnectsWithinALineIsHarmless() throws {
    for _ in 0..<50 { try daemon.connect().send(Array(#"{"id":1,"meth"#.utf8)) }
    #expect(try client.call("rpc.version")["protocol"]?.int == 1)
  }
}
