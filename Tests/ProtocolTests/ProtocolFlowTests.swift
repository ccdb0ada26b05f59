import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests with many requests, many clients, and clients that do not read.
@Suite struct ProtocolFlowTests {
  let daemon: TestDaemon

  init() throws { daemon = try TestDaemon() }

  @Test func pipelinedRequestsAreAnsweredInOrder() throws {
    let client = try daemon.connect()
    let count = 5_000
    // Some requests need the store, some are answered at once, some are invalid.
    let lines = (0..<count).map { id in
      switch id % 5 {
      case 0: #"{"id":\#(id),"method":"volume","params":{"level":\#(id % 101)}}"#
      case 1: #"{"id":\#(id),"method":"repeat","params":{"mode":"one"}}"#
      case 2: #"{"id":\#(id),"method":"nothing"}"#
      case 3: #"{"id":\#(id),"method":"queue.clear"}"#
      default: #"{"id":\#(id),"method":"volume"}"#
      }
    }
    // Sent in blocks that fit into the socket buffers, so that the single thread of the test cannot deadlock.
    for start in stride(from: 0, to: count, by: 250) {
      try client.send(lines[start..<start + 250].joined(separator: "\n"))
      for id in start..<start + 250 {
        let response = try client.json()
        try #require(response["id"]?.int == id)
        if id % 5 == 4 { #expect(response["result"]?["volume"]?.int == (id - 4) % 101) }
      }
    }
  }

  @Test func aClientThatDoesNotReadDelaysNobody() throws {
    let stalled = try daemon.connect()
    let other = try daemon.connect()
    let flood = Array(String(repeating: "{\"id\":1,\"method\":\"rpc.discover\"}\n", count: 400).utf8)
    try stalled.send(flood)
    // The pending output exceeds the socket buffers by far, and the daemon serves other clients.
    for _ in 0..<100 { #expect(try other.call("rpc.version")["protocol"]?.int == 1) }
    for _ in 0..<400 { #expect(try stalled.json()["result"]?["openrpc"]?.string == "1.2.6") }
  }

  @Test func aLargeBatchResponseIsComplete() throws {
    let client = try daemon.connect()
    let batch = "[" + (0..<300).map { #"{"id":\#($0),"method":"rpc.discover"}"# }.joined(separator: ",") + "]"
    try client.send(batch)
    let responses = try #require(try client.json().elements)
    #expect(responses.map { $0["id"]?.int } == (0..<300).map { $0 })
  }

  @Test func onlySubscribersReceiveEvents() throws {
    let listener = try daemon.connect()
    let other = try daemon.connect()
    let first = try listener.call("subscribe", #"{"topics":["player"]}"#)
    #expect(first["seq"]?.int == 0)
    #expect(first["status"]?["volume"] != nil)
    #expect(first["queue"]?["version"] != nil)
    try other.call("volume", "[41]")
    let event = try listener.event()
    #expect(event["topic"]?.string == "player")
    #expect(event["seq"]?.int == 1)
    #expect(event["data"]?["volume"]?.int == 41)

    #expect(try listener.call("unsubscribe")["topics"]?.count == 0)
    try other.call("volume", "[42]")
    #expect(try listener.call("volume")["volume"]?.int == 42, "no event arrived before the response")
  }

  @Test func aSlowSubscriberReceivesOnlyTheLatestState() throws {
    let listener = try daemon.connect()
    let other = try daemon.connect()
    try listener.call("subscribe", #"{"topics":["player"]}"#)
    for round in 0..<4_000 { try other.call("volume", "[\(round % 100)]") }
    try other.call("volume", "[100]")
    var last = 0
    var count = 0
    while true {
      let event = try listener.event()
      let sequence = try #require(event["seq"]?.int)
      #expect(sequence > last)
      last = sequence
      count += 1
      if event["data"]?["volume"]?.int == 100 { break }
    }
    #expect(count < last, "states were merged: \(count) events of \(last)")
  }

  @Test func subscriptionTopicsAreValidated() throws {
    let error = try daemon.connect().errorResponse(to: "subscribe", #"{"topics":["weather"]}"#)
    #expect(error.code == -32602)
    #expect(error.message.contains("topics"))
    #expect(error.message.contains("player"))
  }
}
