import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// A hundred thousand entries, and somebody else who wants an answer meanwhile.
@Suite struct QueueSizeTests {
  static let count = 100_000

  @Test func aLongQueueStallsNobody() throws {
    let stage = try Stage(.null("test"))
    try stage.track("1", 0..<4_410)
    let list = try stage.write("long.m3u8", String(repeating: "1.wav\n", count: Self.count))
    let steps: [(String, String)] = [
      ("queue.add", #"{"uris":\#(stage.list([FileURI.encode(list)]))}"#), ("list", #"{"offset":50000}"#),
      ("shuffle", #"{"mode":"tracks"}"#), ("play", #"{"index":99999}"#), ("shuffle", #"{"mode":"albums"}"#),
      ("next", "{}"), ("shuffle", #"{"mode":"off"}"#), ("queue.move", #"{"ids":[5],"to":90000}"#),
      ("queue.remove", #"{"ids":[\#((20_000..<60_000).map(String.init).joined(separator: ","))]}"#),
      ("queue.clear", "{}"),
    ]
    let other = try stage.daemon.connect()
    for (method, params) in steps {
      let began = MonotonicTime.now
      let request = try stage.client.begin(method, params)
      var longest = MediaTime.zero
      var answer: JSON?
      // `status` of the other client, one after the other, until the answer is there.
      while answer == nil {
        let asked = MonotonicTime.now
        _ = try other.call("status")
        longest = max(longest, MonotonicTime.now - asked)
        if stage.client.hasMore { answer = try stage.client.answer(to: request) }
      }
      print("\(method): \((MonotonicTime.now - began).seconds) s; the longest wait of another: \(longest.seconds) s")
      switch method {
      case "queue.add":
        #expect(answer?["added"]?.count == 1_000)
        #expect(answer?["addedTotal"]?.int == Self.count)
      case "list":
        #expect(answer?["tracks"]?.count == 1_000)
        #expect(answer?["total"]?.int == Self.count)
      case "queue.remove": #expect(answer?["length"]?.int == 60_000)
      case "queue.clear": #expect(answer?["length"]?.int == 0)
      default: break
      }
    }
    // What was answered is on disk.
    stage.daemon.kill()
    try stage.daemon.start()
    try stage.reconnect()
    #expect(try stage.status().length == 0)
  }
}
