import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueSQLite

/// Tests of queues with a hundred thousand entries and a second client.
@Suite struct QueueSizeTests {
  static let count = 100_000

  @Test func changesOfALongQueueSucceedBesideAnotherClient() throws {
    let fixture = try DaemonFixture(.null("test"))
    try fixture.track("1", 0..<4_410)
    let list = try fixture.write("long.m3u8", String(repeating: "1.wav\n", count: Self.count))
    let steps: [(String, String)] = [
      ("queue.add", #"{"uris":\#(fixture.list([FileURI.encode(list)]))}"#), ("list", #"{"offset":50000}"#),
      ("shuffle", #"{"mode":"tracks"}"#), ("play", #"{"index":99999}"#), ("shuffle", #"{"mode":"albums"}"#),
      ("next", "{}"), ("shuffle", #"{"mode":"off"}"#), ("queue.move", #"{"ids":[5],"to":90000}"#),
      ("queue.remove", #"{"ids":[\#((20_000..<60_000).map(String.init).joined(separator: ","))]}"#),
      ("queue.clear", "{}"),
    ]
    let other = try fixture.daemon.connect()
    for (method, params) in steps {
      let beginning = MonotonicTime.now
      let request = try fixture.client.sendRequest(method, params)
      var longest = MediaTime.zero
      var response: JSON?
      // The other client requests `status` repeatedly until the response arrives.
      while response == nil {
        let start = MonotonicTime.now
        _ = try other.call("status")
        longest = max(longest, MonotonicTime.now - start)
        if fixture.client.hasMore { response = try fixture.client.response(to: request) }
      }
      print(
        "\(method): \((MonotonicTime.now - beginning).seconds) s; longest response time of the other client: \(longest.seconds) s"
      )
      switch method {
      case "queue.add":
        #expect(response?["added"]?.count == 1_000)
        #expect(response?["addedTotal"]?.int == Self.count)
      case "list":
        #expect(response?["tracks"]?.count == 1_000)
        #expect(response?["total"]?.int == Self.count)
      case "queue.remove": #expect(response?["length"]?.int == 60_000)
      case "queue.clear": #expect(response?["length"]?.int == 0)
      default: break
      }
    }
    // The confirmed change is on disk.
    fixture.daemon.kill()
    try fixture.daemon.start()
    try fixture.reconnect()
    #expect(try fixture.status().length == 0)
  }

  /// A request may have 65,536 values.
  @Test(arguments: [(first: 11, last: 66_010, to: 1), (first: 1, last: 66_000, to: 66_100)])
  func theClientMovesMoreEntriesThanARequestMayName(first: Int, last: Int, to target: Int) throws {
    let length = 66_100
    let daemon = try daemon(withSaved: length)
    let outcome = try ClientProcess.run(
      ["move", "\(first)-\(last)", "\(target)"], environment: ["SEGUE_SOCKET": "\(daemon.socket)"])
    let count = last - first + 1
    #expect(outcome.lines == ["moved \(count) tracks; \(length) in the queue"], "\(outcome.errorText)")
    var expected = Array(1...length)
    expected.removeSubrange((first - 1)..<last)
    expected.insert(contentsOf: first...last, at: min(target - 1, length - count))
    try expectEntries(of: daemon, expected)
    let step = try daemon.connect().call("queue.undo")["step"]
    #expect(step?["tracks"]?.int == count, "one command is one step, however many requests it takes")
    try expectEntries(of: daemon, Array(1...length))
  }

  @Test func aCommandThatRemovesMoreEntriesThanARequestMayNameIsOneStep() throws {
    let daemon = try daemon(withSaved: 66_100)
    let outcome = try ClientProcess.run(["remove", "11-66010"], environment: ["SEGUE_SOCKET": "\(daemon.socket)"])
    #expect(outcome.lines == ["removed 66000 tracks; 100 in the queue"], "\(outcome.errorText)")
    try daemon.connect().call("queue.undo")
    try expectEntries(of: daemon, Array(1...66_100))
  }

  @Test func aCommandOfManyRequestsWritesEachEntryToTheDiskOnce() throws {
    let count = 20_000
    let daemon = try daemon(withSaved: count)
    let client = try daemon.connect()
    let pid = try #require(daemon.pid)
    /// Removes all entries, and returns how many bytes the daemon has written for that.
    func remove(in requests: Int) throws -> Int {
      let before = Processes.bytesWritten(by: pid)
      for request in 0..<requests {
        let ids = (1...count / requests).map { "\($0 + request * count / requests)" }.joined(separator: ",")
        try client.call("queue.remove", "{\"ids\":[\(ids)],\"command\":\(requests)}")
      }
      #expect(Status(try client.call("status")).length == 0)
      let written = Processes.bytesWritten(by: pid) - before
      #expect(try client.call("queue.undo")["step"]?["tracks"]?.int == count)
      return written
    }
    let once = try remove(in: 1)
    let divided = try remove(in: 40)
    #expect(divided < 8 * once, "\(divided) bytes in 40 requests, \(once) bytes in one")
  }

  @Test func theClientRemovesMoreEntriesOfAPlaylistThanARequestMayName() throws {
    let daemon = try DaemonProcess()
    let client = try daemon.connect()
    try client.call("playlists.save", #"["long",["http://b/1"]]"#)
    let file = daemon.directory.appending("home/.local/share/segue/playlists/long.m3u8")
    try AudioFile.write(Array((1...Self.count).map { "http://b/\($0)\n" }.joined().utf8), to: file)
    let outcome = try ClientProcess.run(
      ["playlist", "remove", "long", "90001-99999", "2-80000"], environment: ["SEGUE_SOCKET": "\(daemon.socket)"])
    #expect(outcome.lines == ["long: 10002 songs"], "\(outcome.errorText)")
    let lines = String(decoding: try AudioFile.read(file), as: UTF8.self).split(separator: "\n")
    let entries = lines.filter { !$0.hasPrefix("#") }
    #expect(entries.elementsEqual(([1] + Array(80_001...90_000) + [Self.count]).map { "http://b/\($0)"[...] }))
  }

  /// Compares the ids of the first, the last and some thousand entries between them: a test takes minutes to read all
  /// of them.
  private func expectEntries(of daemon: DaemonProcess, _ expected: [Int]) throws {
    let client = try daemon.connect()
    #expect(Status(try client.call("status")).length == expected.count)
    for offset in stride(from: 0, to: expected.count, by: 997) {
      let ids = try ids(client, at: offset)
      #expect(ids.elementsEqual(expected[offset...].prefix(3)), "from \(offset) on")
    }
    #expect(try ids(client, at: expected.count - 3).elementsEqual(expected.suffix(3)))
  }

  // MARK: Capacity

  private static let capacity = 1_000_000

  /// Starts a daemon with a saved queue of `count` streams, which are not probed.
  private func daemon(withSaved count: Int) throws -> DaemonProcess {
    let daemon = try DaemonProcess()
    #expect(daemon.stop() == 0)
    do {
      let path = daemon.directory.appending("home/.local/state/segue/segue.db")
      let file = try SQLiteConnection(path: path, busyTimeout: .zero)
      try file.execute(
        """
        INSERT INTO queue (id, rank, uri, probed)
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
          SELECT i, i * 1000, 'http://radio.example/' || i, 0 FROM n
        """)
    }
    try daemon.start()
    return daemon
  }

  // MARK: Long changes

  /// Returns the parameters that name every tenth entry from the third on.
  private static func scattered(_ more: String = "") -> String {
    "{\"ids\":[\(stride(from: 3, to: 60_000, by: 10).map(String.init).joined(separator: ","))]\(more)}"
  }

  /// Returns the ids of the three entries from `offset` on.
  private func ids(_ client: SocketClient, at offset: Int) throws -> [Int] {
    let page = try client.call("list", "{\"offset\":\(offset),\"limit\":3}")
    return page["tracks"]?.elements?.compactMap { $0["id"]?.int } ?? []
  }

  @Test func aLongChangeIsNotCalculatedByTheLoop() throws {
    let daemon = try daemon(withSaved: Self.count)
    let client = try daemon.connect()
    let pid = try #require(daemon.pid)
    try client.call("shuffle", #"{"mode":"albums"}"#)
    let list = daemon.directory.appending("home/long.m3u8")
    try AudioFile.write(Array((0..<1_500).map { "http://b/\($0)\n" }.joined().utf8), to: list)
    let replacement = "{\"uris\":[\(quoted(FileURI.encode(list)))]}"
    // A method, its parameters, the length of the queue after it, an index, and the ids of the entries from there on.
    let steps: [(String, String, Int, Int, [Int])] = [
      ("queue.remove", Self.scattered(), 94_000, 0, [1, 2, 4]),
      ("queue.undo", "{}", 100_000, 0, [1, 2, 3]),
      ("queue.redo", "{}", 94_000, 93_997, [99_998, 99_999, 100_000]),
      ("queue.undo", "{}", 100_000, 59_992, [59_993, 59_994, 59_995]),
      ("queue.move", Self.scattered(#","to":94000"#), 100_000, 94_000, [3, 13, 23]),
      ("queue.undo", "{}", 100_000, 59_992, [59_993, 59_994, 59_995]),
      ("queue.redo", "{}", 100_000, 93_999, [100_000, 3, 13]),
      ("queue.clear", "{}", 0, 0, []),
      ("queue.undo", "{}", 100_000, 93_999, [100_000, 3, 13]),
      ("queue.replace", replacement, 1_500, 1_497, [101_498, 101_499, 101_500]),
      ("queue.undo", "{}", 100_000, 93_999, [100_000, 3, 13]),
    ]
    for (method, params, length, offset, expected) in steps {
      let before = Processes.waits(ofThread: "queue", in: pid)
      try client.call(method, params)
      try waitUntil("\(method) was calculated by the thread") { Processes.waits(ofThread: "queue", in: pid) > before }
      #expect(Status(try client.call("status")).length == length, "\(method)")
      #expect(try ids(client, at: offset) == expected, "\(method)")
    }
    // A change of one entry does not wait for the thread.
    let before = Processes.waits(ofThread: "queue", in: pid)
    try client.call("queue.remove", #"{"ids":[1]}"#)
    try client.call("queue.undo")
    #expect(Processes.waits(ofThread: "queue", in: pid) == before)
    // The confirmed change is on disk.
    daemon.kill()
    try daemon.start()
    let again = try daemon.connect()
    #expect(Status(try again.call("status")).length == Self.count)
    #expect(try ids(again, at: 93_999) == [100_000, 3, 13])
  }

  @Test func changesOfOthersDuringALongChangeAreKept() throws {
    let daemon = try daemon(withSaved: Self.count)
    let client = try daemon.connect()
    let other = try daemon.connect()
    let removal = try client.sendRequest("queue.remove", Self.scattered())
    // These are carried out at once, and the long change is calculated again.
    try other.call("shuffle", #"{"mode":"tracks"}"#)
    let next = try #require(try other.call("next")["track"]?["id"]?.int)
    // These wait for the long change.
    try other.call("queue.remove", #"{"ids":[2]}"#)
    try other.call("queue.move", #"{"ids":[4],"to":0}"#)
    let added = try other.call("queue.add", #"{"uris":["http://a/1"],"at":0}"#)["added"]?.elements?.first?.int
    #expect(try client.response(to: removal)["length"]?.int == 94_000)
    #expect(try ids(other, at: 0) == [try #require(added), 4, 1])
    let status = Status(try other.call("status"))
    #expect(status.length == 94_000)
    // Only an entry that was removed has another successor.
    if (next - 3) % 10 != 0 { #expect(status.track.map { Int($0.id) } == next) }
    for _ in 0..<3 { try client.call("queue.undo") }
    #expect(try ids(other, at: 0) == [1, 2, 4])
    try client.call("queue.undo")
    #expect(try ids(other, at: 0) == [1, 2, 3])
    #expect(Status(try other.call("status")).length == Self.count)
  }

  /// Returns the URIs that a response rejects because the queue is full.
  private func rejected(_ response: JSON) -> [String] {
    (response["failed"]?.elements ?? []).filter { $0["kind"]?.string == "too_large" }.compactMap { $0["uri"]?.string }
  }

  @Test func entriesBeyondTheCapacityAreRejected() throws {
    let daemon = try daemon(withSaved: Self.capacity - 2)
    let client = try daemon.connect()
    func length() throws -> Int { Status(try client.call("status")).length }
    #expect(try length() == Self.capacity - 2)
    let partial = try client.call("queue.add", #"{"uris":["http://a/1","http://a/2","http://a/3"],"at":"next"}"#)
    #expect(partial["addedTotal"]?.int == 2)
    #expect(rejected(partial) == ["http://a/3"])
    #expect(try length() == Self.capacity)
    // A URI with many tracks is rejected as a whole, and the list is bounded.
    let list = daemon.directory.appending("home/long.m3u8")
    try AudioFile.write(Array((0..<1_500).map { "http://b/\($0)\n" }.joined().utf8), to: list)
    let none = try client.call("queue.add", "{\"uris\":[\(quoted(FileURI.encode(list)))]}")
    #expect(none["addedTotal"]?.int == 0)
    #expect(rejected(none).count == 1_000)
    #expect(none["failedTotal"]?.int == 1_500)
    #expect(try client.errorResponse(to: "play", #"{"uri":"http://a/4"}"#).kind == "too_large")
    #expect(try length() == Self.capacity)
    // The queue accepts as many entries as were removed, and has lost no others.
    let first = try client.call("list", #"{"limit":3}"#)["tracks"]?.elements ?? []
    #expect(first.map { $0["uri"]?.string } == ["http://a/1", "http://a/2", "http://radio.example/1"])
    try client.call("queue.remove", "{\"ids\":[\(first[0]["id"]?.int ?? 0)]}")
    let again = try client.call("queue.add", #"{"uris":["http://a/4","http://a/5"]}"#)
    #expect(again["addedTotal"]?.int == 1)
    #expect(rejected(again) == ["http://a/5"])
    let last = try client.call("list", "{\"offset\":\(Self.capacity - 1)}")["tracks"]?.elements
    #expect(last?.map { $0["uri"]?.string } == ["http://a/4"])
  }

  @Test func aSavedQueueBeyondTheCapacityIsTruncated() throws {
    let daemon = try daemon(withSaved: Self.capacity + 3)
    let client = try daemon.connect()
    #expect(Status(try client.call("status")).length == Self.capacity)
    #expect(daemon.errors.contains("3 entries dropped"))
  }
}
