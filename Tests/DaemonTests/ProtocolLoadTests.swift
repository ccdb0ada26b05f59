import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Hostile clients affect neither other clients nor playback nor the machine.
@Suite struct ProtocolLoadTests {
  private static let megabyte = 1 << 20

  /// A thousand hostile clients run beside playback and a well-behaved client.
  @Test func hostileClientsDisturbNeitherPlaybackNorOtherClients() throws {
    let fixture = try DaemonFixture()
    let pid = try #require(fixture.daemon.pid)
    try fixture.add([try fixture.track("long", 0..<(120 * Signal.rate))], play: true)
    try fixture.recording.wait(forFrame: 1_000)
    let before = Processes.descriptors(of: pid)

    let hostileClients = try HostileClients(around: fixture.daemon.socket)
    var most = 0
    var round = 0
    // A sanitizer makes everything ten times slower.
    let share = Sanitizer.isOn ? 6 : 1
    while case let counts = hostileClients.soFar,
      counts.connections < 600 / share || counts.longLines < 6 / share || counts.overlongLines < 6 / share
        || counts.batches < 1 || counts.flood < Self.megabyte / share
    {
      round += 1
      try #require(round < 20_000, "the hostile clients make no progress: \(counts)")
      // Responses come in order, and requests have their effect.
      let mode = round.isMultiple(of: 2) ? "one" : "off"
      #expect(try fixture.client.call("repeat", "[\"\(mode)\"]")["repeat"]?.string == mode)
      #expect(try fixture.status().state == .playing)
      #expect(try fixture.client.call("list")["total"]?.int == 1)
      most = max(most, Processes.privateDirty(of: pid))
    }
    print(
      "the hostile clients did \(hostileClients.soFar) in \(round) rounds of the well-behaved client; maximum memory \(most >> 20) MB"
    )
    expect(most, below: 192)

    hostileClients.end()
    try waitUntil("all hostile clients have disconnected") {
      try fixture.client.call("daemon.stats")["clients"]?.int == 2
    }
    // There are fewer descriptors if the probing worker has exited.
    #expect(Processes.descriptors(of: pid) <= before)
    expect(Processes.privateDirty(of: pid), below: 16)
    let status = try fixture.status()
    #expect(status.output.underruns == 0)
    #expect(status.output.reconnects == 0)
    try fixture.recording.wait(for: "sound") { !$0.sound.isEmpty }
    #expect(
      fixture.recording.recordedFrames.sound.count == 1,
      "a frame is missing or misplaced: \(fixture.recording.recordedFrames)")
    #expect(try fixture.client.call("daemon.stats")["workersLost"]?.int == 0)
  }

  @Test func aThousandIdleClientsCostLittleMemory() throws {
    let daemon = try DaemonProcess()
    let pid = try #require(daemon.pid)
    let client = try daemon.connect()
    // Files that are opened once to save state are open now.
    try client.call("volume", "[50]")
    // Files of the library are open, too.
    try waitUntil("the music folder was scanned") {
      try client.call("library.status")["scanning"]?.bool == false
    }
    let before = (memory: Processes.privateDirty(of: pid), descriptors: Processes.descriptors(of: pid))
    var idle: [SocketClient] = []
    for _ in 0..<1_000 { idle.append(try daemon.connect()) }
    try waitUntil("all clients are connected") { try client.call("daemon.stats")["clients"]?.int == 1_001 }
    expect(Processes.privateDirty(of: pid) - before.memory, below: 8)
    idle = []
    try waitUntil("all clients have disconnected") { try client.call("daemon.stats")["clients"]?.int == 1 }
    #expect(Processes.descriptors(of: pid) == before.descriptors)
  }

  /// Two clients send as many requests as fit into a line. One reads the responses, and the other does not.
  @Test func hugeBatchesAreAnsweredInOrderWithLittleMemory() throws {
    let daemon = try DaemonProcess()
    let pid = try #require(daemon.pid)
    let elements = (0..<27_000).map { #"{"method":"volume","id":\#($0)}"# }
    let batch = Array(("[" + elements.joined(separator: ",") + "]\n").utf8)
    let neverReading = try (0..<4).map { _ in try daemon.connect() }
    for client in neverReading { try client.send(batch) }
    let client = try daemon.connect()
    try client.send(batch)
    let responses = try #require(try client.json().elements)
    #expect(responses.map { $0["id"]?.int } == Array(0..<27_000))
    #expect(responses.allSatisfy { $0["result"]?["volume"]?.int == 100 })
    expect(Processes.privateDirty(of: pid), below: 32)
    // The shortest values, none of which is a request, so each is rejected.
    try client.send(Array(("[" + String(repeating: "1,", count: 99_999) + "1]\n").utf8))
    let errors = try #require(try client.line())
    #expect(errors.utf8.count { $0 == UInt8(ascii: "{") } == 100_000 * 3)
    expect(Processes.privateDirty(of: pid), below: 32)
    #expect(try client.call("rpc.version")["protocol"]?.int == 1)
  }

  /// Requests of a client that disconnects are executed completely without delaying other clients.
  @Test func requestsOfDisconnectedClientsDelayNobody() throws {
    let daemon = try DaemonProcess()
    let client = try daemon.connect()
    let batch = Array(("[" + String(repeating: "1,", count: 200_000) + "1]\n").utf8)
    do {
      let disconnecting = try (0..<4).map { _ in try daemon.connect() }
      for other in disconnecting { try other.send(batch) }
    }
    // Every response arrives while requests are left.
    var answered = 0
    while try client.call("daemon.stats")["clients"]?.int != 1 { answered += 1 }
    #expect(answered > 20)
  }

  /// Unread output is bounded for each client and for all clients together.
  @Test func theLargestClientIsEvictedAtTheTotalLimit() throws {
    let daemon = try DaemonProcess()
    let pid = try #require(daemon.pid)
    let reader = try daemon.connect()
    let half = [UInt8](repeating: UInt8(ascii: "x"), count: Self.megabyte - 1)
    var evictable: [SocketClient] = []
    for _ in 0..<160 {
      let client = try daemon.connect()
      try? client.send(half)
      evictable.append(client)
    }
    try waitUntil("some clients were evicted") { try reader.call("daemon.stats")["clients"]?.int ?? 0 < 130 }
    #expect(try reader.call("daemon.stats")["clients"]?.int ?? 0 > 100, "no more clients were evicted than necessary")
    expect(Processes.privateDirty(of: pid), below: 192)
    evictable = []
    try waitUntil("all clients have disconnected") { try reader.call("daemon.stats")["clients"]?.int == 1 }
    expect(Processes.privateDirty(of: pid), below: 16)
  }

  /// Unread events are bounded, so a slow subscriber is not disconnected.
  @Test func aSlowSubscriberContinuesWithTheLatestState() throws {
    let daemon = try DaemonProcess()
    let pid = try #require(daemon.pid)
    let other = try daemon.connect()
    let uri = "http://127.0.0.1:9/" + String(repeating: "x", count: 15_000)
    let uris = "[" + Array(repeating: "\"\(uri)\"", count: 50).joined(separator: ",") + "]"
    for _ in 0..<4 { try other.call("queue.add", "[\(uris)]") }
    let silent = try daemon.connect()
    try silent.call("subscribe")
    for id in 0..<20 { try silent.send(#"{"id":\#(id),"method":"list","params":{"limit":1000}}"#) }
    for round in 0..<100 { try other.call("volume", "[\(round)]") }
    expect(Processes.privateDirty(of: pid), below: 32)
    #expect(try other.call("daemon.stats")["clients"]?.int == 2)
    var ids: [Int] = []
    var volume: Int?
    while ids.last != 19 || volume != 99 {
      let line = try silent.json()
      if let id = line["id"]?.int {
        ids.append(id)
        #expect(line["result"]?["total"]?.int == 200)
      } else if line["params"]?["topic"]?.string == "player" {
        volume = line["params"]?["data"]?["volume"]?.int
      }
    }
    #expect(ids == Array(0..<20))
  }

  /// The memory limit. A sanitizer needs much more.
  private func expect(_ bytes: Int, below megabytes: Int, at location: SourceLocation = #_sourceLocation) {
    if !Sanitizer.isOn { #expect(bytes < megabytes * Self.megabyte, sourceLocation: location) }
  }
}
