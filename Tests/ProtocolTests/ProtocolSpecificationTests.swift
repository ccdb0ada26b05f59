import SegueTestKit
import SegueWire
import Testing

/// The examples of the JSON-RPC 2.0 specification, section 7, with methods of Segue.
@Suite struct ProtocolSpecificationTests {
  let daemon: TestDaemon
  let client: SocketClient

  init() throws {
    daemon = try TestDaemon()
    client = try daemon.connect()
  }

  @Test func positionalParametersAreAccepted() throws {
    try client.send(#"{"jsonrpc": "2.0", "method": "volume", "params": [7], "id": 1}"#)
    let response = try client.json()
    #expect(response["jsonrpc"]?.string == "2.0")
    #expect(response["result"]?["volume"]?.int == 7)
    #expect(response["id"]?.int == 1)
    #expect(response["error"] == nil)
  }

  @Test func namedParametersMayComeInAnyOrder() throws {
    for params in [#"{"level": 7, "muted": true}"#, #"{"muted": true, "level": 7}"#] {
      let response = try client.call("volume", params)
      #expect(response["volume"]?.int == 7)
      #expect(response["muted"]?.bool == true)
      try client.call("volume", #"{"level": 70, "muted": false}"#)
    }
  }

  @Test func notificationsAreExecutedWithoutAResponse() throws {
    try client.send(#"{"jsonrpc": "2.0", "method": "volume", "params": [31]}"#)
    try client.send(#"{"jsonrpc": "2.0", "method": "foobar"}"#)
    // The next response belongs to the next request.
    #expect(try client.call("volume")["volume"]?.int == 31)
  }

  @Test func anUnknownMethodIsAnError() throws {
    try client.send(#"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#)
    try expectError(-32601, "method_not_found", id: #""1""#)
  }

  @Test func invalidJSONIsAParseError() throws {
    try client.send(#"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#)
    try expectError(-32700, "parse_error", id: "null")
  }

  @Test func anInvalidRequestIsAnError() throws {
    try client.send(#"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#)
    try expectError(-32600, "invalid_request", id: "null")
  }

  @Test func aBatchOfInvalidJSONIsAParseError() throws {
    try client.send(#"[{"jsonrpc": "2.0", "method": "list", "params": [1,2], "id": "1"},{"jsonrpc": "2.0", "method"]"#)
    try expectError(-32700, "parse_error", id: "null")
  }

  @Test func anEmptyBatchIsAnError() throws {
    try client.send("[]")
    try expectError(-32600, "invalid_request", id: "null")
  }

  @Test func aBatchOfOneInvalidRequestHasOneError() throws {
    try client.send("[1]")
    let responses = try #require(try client.json().elements)
    #expect(responses.map { $0["error"]?["code"]?.int } == [-32600])
    #expect(responses[0]["id"]?.isNull == true)
  }

  @Test func aBatchOfThreeInvalidRequestsHasThreeErrors() throws {
    try client.send("[1,2,3]")
    let responses = try #require(try client.json().elements)
    #expect(responses.map { $0["error"]?["code"]?.int } == [-32600, -32600, -32600])
  }

  @Test func aMixedBatchHasOneResponsePerRequest() throws {
    try client.send(
      #"""
      [{"jsonrpc": "2.0", "method": "list", "params": [1,2], "id": "1"},\#
      {"jsonrpc": "2.0", "method": "volume", "params": [7]},\#
      {"jsonrpc": "2.0", "method": "volume", "params": [42], "id": "2"},\#
      {"foo": "boo"},\#
      {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},\#
      {"jsonrpc": "2.0", "method": "volume", "id": "9"}]
      """#)
    let responses = try #require(try client.json().elements)
    #expect(responses.map { $0["id"]?.string } == ["1", "2", nil, "5", "9"])
    #expect(responses.map { $0["error"]?["code"]?.int } == [nil, nil, -32600, -32601, nil])
    #expect(responses[1]["result"]?["volume"]?.int == 42)
    #expect(responses[4]["result"]?["volume"]?.int == 42, "a batch is executed in order")
  }

  @Test func aBatchOfNotificationsIsNotAnswered() throws {
    try client.send(#"[{"jsonrpc": "2.0", "method": "volume", "params": [3]},{"jsonrpc": "2.0", "method": "volume"}]"#)
    #expect(try client.call("volume")["volume"]?.int == 3)
  }

  @Test(arguments: ["1", "-7", "0", #""""#, #""a\"bé""#, "null", "1.0", "2.5", "-0.125", "9223372036854775807"])
  func aResponseHasTheIDOfItsRequest(id: String) throws {
    try client.send("{\"jsonrpc\":\"2.0\",\"method\":\"rpc.version\",\"id\":\(id)}")
    let line = try #require(try client.line())
    #expect(line.hasSuffix(",\"id\":\(id)}"), "\(line)")
    #expect(line.contains("\"result\""))
  }

  @Test(arguments: ["[1]", "{}", "true"])
  func anIDOfAnInvalidTypeIsRejected(id: String) throws {
    try client.send("{\"jsonrpc\":\"2.0\",\"method\":\"rpc.version\",\"id\":\(id)}")
    try expectError(-32600, "invalid_request", id: "null")
  }

  @Test func theVersionIsOptionalButMustBeCorrect() throws {
    try client.send(#"{"method":"rpc.version","id":1}"#)
    #expect(try client.json()["result"]?["protocol"]?.int == 1)
    for version in [#""1.0""#, "2.0", "null"] {
      try client.send("{\"jsonrpc\":\(version),\"method\":\"rpc.version\",\"id\":2}")
      try expectError(-32600, "invalid_request", id: "2")
    }
  }

  private func expectError(_ code: Int, _ kind: String, id: String) throws {
    let line = try #require(try client.line())
    let response = try JSON(parsing: line)
    #expect(response["error"]?["code"]?.int == code)
    #expect(response["error"]?["data"]?["kind"]?.string == kind)
    #expect(response["error"]?["message"]?.string?.isEmpty == false)
    #expect(response["result"] == nil)
    #expect(line.hasSuffix(",\"id\":\(id)}"), "\(line)")
  }
}
