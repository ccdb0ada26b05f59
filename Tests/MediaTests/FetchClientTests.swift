import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Synchronization
import Testing

/// Tests of the requests of a worker to the fetch process, in whose place is the test.
@Suite struct FetchClientTests {
  private static let url = "http://localhost/a.wav"
  /// The file is larger than the cache, so that seeks need requests.
  private static let file = WaveFile.bytes(seconds: 110)
  private static let resource = FetchedResource(url: url, size: Int64(file.count), isSeekable: true)
  /// The file is several times as large as the cache.
  private static let largeFile = WaveFile.bytes(seconds: 340)

  private let body: FetchPeer.Body

  init() throws { body = try FetchPeer.Body(Self.file) }

  private static func position(of time: MediaTime) -> Int { 44 + Int(time.seconds * 44_100) * 4 }

  private func makePeer() throws -> FetchPeer { try FetchPeer { [body] in try Self.respond(to: $0, $1, with: body) } }

  private static func respond(
    to request: FetchRequest, _ channel: FetchPeer.Channel, with body: FetchPeer.Body
  ) throws {
    guard case .open(let id, _, let offset) = request else { return }
    try channel.send(body, from: offset, of: FetchedResource(url: url, size: body.size, isSeekable: true), to: id)
  }

  private func waitForInfo(_ worker: WorkerProcess, _ generation: UInt32) throws {
    try worker.wait(for: "the file to be opened", draining: false) {
      $0.info(of: generation) != nil || $0.failure(of: generation) != nil
    }
    #expect(worker.failure(of: generation) == nil)
  }

  /// The connection is lost while a seek closes the request.
  @Test func lateResponsesToAClosedRequest_areIgnored() throws {
    let peer = try FetchPeer { [body] request, channel in
      if case .close(let id) = request {
        try channel.send(.interrupted(id: id))
        try channel.send(.failed(id: id, Failure(.offline, "late")))
      }
      try Self.respond(to: request, channel, with: body)
    }
    let worker = try WorkerProcess(.stream)
    try worker.open(Self.url, over: peer)
    try waitForInfo(worker, 1)
    for (generation, start) in [(UInt32(2), MediaTime.seconds(105)), (3, .seconds(60)), (4, .seconds(85))] {
      try worker.open(Self.url, as: generation, start: start, over: peer)
      try waitForInfo(worker, generation)
    }
    _ = try worker.decodedGeneration(4)
    #expect(peer.requests.contains { if case .close = $0 { true } else { false } })
    for event in worker.events {
      if case .decoding(_, .interrupted) = event { Issue.record("\(event)") }
    }
  }

  /// A server does not respond to the request of a seek, and the user seeks again.
  @Test func aRequestThatIsNoLongerAwaited_isClosed() throws {
    let isSilent = Mutex(false)
    let peer = try FetchPeer { [body] request, channel in
      if case .open = request, isSilent.withLock(\.self) { return }
      try Self.respond(to: request, channel, with: body)
    }
    let worker = try WorkerProcess(.stream)
    try worker.open(Self.url, over: peer)
    try waitForInfo(worker, 1)
    let count = peer.requests.count
    isSilent.withLock { $0 = true }
    try worker.open(Self.url, as: 2, start: .seconds(100), over: peer)
    var silent: UInt32?
    try waitUntil("the request of the seek") {
      silent =
        peer.requests.dropFirst(count).lazy.compactMap {
          if case .open(let id, _, _) = $0 { id } else { nil }
        }.first
      return silent != nil
    }
    isSilent.withLock { $0 = false }
    try worker.open(Self.url, as: 3, start: .seconds(5), over: peer)
    try waitForInfo(worker, 3)
    let closing = FetchRequest.close(id: try #require(silent))
    try waitUntil("the request is closed") { peer.requests.contains(closing) }
  }

  /// The server of the current station does not respond, and the user stops playback.
  @Test func afterAHalt_theFollowingStationIsNotRequested() throws {
    let isRequested = Mutex(0)
    let following = try FetchPeer { _, _ in }
    let worker = try WorkerProcess(.stream)
    for generation in stride(from: UInt32(1), to: 201, by: 2) {
      let current = try FetchPeer { _, _ in isRequested.withLock { $0 += 1 } }
      try worker.open(Self.url, as: generation, over: current)
      try worker.send(
        .follow(
          Generation(generation + 1), MediaSource(name: Self.url, url: Self.url), after: Generation(generation),
          start: .zero), files: [], and: [following.workerEnd.raw])
      let count = Int(generation / 2)
      try waitUntil("the request") { isRequested.withLock { $0 > count } }
      try worker.send(.halt)
    }
    let last = try makePeer()
    try worker.open(Self.url, as: 1000, over: last)
    try waitForInfo(worker, 1000)
    #expect(following.requests.isEmpty)
  }

  /// The fetch process is killed. The daemon opens another channel with the seek.
  @Test func aSeekAfterTheEndOfTheFetchProcess_usesTheNewChannel() throws {
    let first = try makePeer()
    let worker = try WorkerProcess(.stream)
    try worker.open(Self.url, over: first)
    try waitForInfo(worker, 1)
    first.disconnect()
    let second = try makePeer()
    try worker.open(Self.url, as: 2, start: .seconds(100), over: second)
    let decoded = try worker.decodedGeneration(2)
    #expect(decoded.bytes == Array(Self.file[Self.position(of: .seconds(100))...]))
  }

  // MARK: Restarts

  /// The test reads nothing from the ring, so that the worker decodes the file all the time.
  @Test func aRestart_isExactAndOpensNoFurtherChannel() throws {
    let peer = try makePeer()
    let worker = try WorkerProcess(.stream)
    try worker.open(Self.url, over: peer)
    try waitForInfo(worker, 1)
    for (generation, start) in [(UInt32(2), MediaTime.seconds(90)), (3, .seconds(20)), (4, .seconds(60))] {
      try worker.restart(generation, of: generation - 1, Self.url, start: start)
      try waitForInfo(worker, generation)
    }
    let decoded = try worker.decodedGeneration(4)
    #expect(decoded.parts.first?.mediaFrame == Frames(60 * 44_100))
    #expect(decoded.bytes == Array(Self.file[Self.position(of: .seconds(60))...]))
  }

  /// The server sends the frames at the new position, and nothing after them. The daemon must know that the file is
  /// open.
  @Test func aRestart_isReportedBeforeTheServerSendsMore() throws {
    let isWhole = Mutex(true)
    let rests = Mutex<[SharedDescriptor]>([])
    let peer = try FetchPeer { [body] request, channel in
      guard case .open(let id, _, let offset) = request else { return }
      if isWhole.withLock(\.self) { return try Self.respond(to: request, channel, with: body) }
      let bytes = Array(Self.file[Int(offset)..<(Self.position(of: .seconds(100)) + 20_000)])
      let rest = try channel.sendBeginning(bytes, of: Self.resource, to: id)
      rests.withLock { $0.append(rest) }
    }
    let worker = try WorkerProcess(.stream)
    try worker.open(Self.url, over: peer)
    try waitForInfo(worker, 1)
    isWhole.withLock { $0 = false }
    try worker.restart(2, of: 1, Self.url, start: .seconds(100))
    try waitForInfo(worker, 2)
  }

  /// The file cannot be read any further without another channel.
  @Test func aRestartAfterTheEndOfTheFetchProcess_needsTheSource() throws {
    let first = try makePeer()
    let worker = try WorkerProcess(.stream)
    try worker.open(Self.url, over: first)
    try waitForInfo(worker, 1)
    first.disconnect()
    try worker.restart(2, of: 1, Self.url, start: .seconds(100))
    try worker.wait(for: "the request for the source", draining: false) { $0.needsSource(of: 2) }
    #expect(worker.info(of: 2) == nil)
    let second = try makePeer()
    try worker.open(Self.url, as: 2, start: .seconds(100), over: second)
    #expect(try worker.decodedGeneration(2).bytes == Array(Self.file[Self.position(of: .seconds(100))...]))
  }

  /// The server does not respond to the request of the first restart, which the second one interrupts.
  @Test func aRestartDuringARestart_needsTheSource() throws {
    let isSilent = Mutex(false)
    let peer = try FetchPeer { [body] request, channel in
      if case .open = request, isSilent.withLock(\.self) { return }
      try Self.respond(to: request, channel, with: body)
    }
    let worker = try WorkerProcess(.stream)
    try worker.open(Self.url, over: peer)
    try waitForInfo(worker, 1)
    let count = requestCount(peer)
    isSilent.withLock { $0 = true }
    try worker.restart(2, of: 1, Self.url, start: .seconds(100))
    try waitUntil("the request") { requestCount(peer) > count }
    isSilent.withLock { $0 = false }
    try worker.restart(3, of: 2, Self.url, start: .seconds(5))
    try worker.wait(for: "the request for the source", draining: false) { $0.needsSource(of: 3) }
    try worker.open(Self.url, as: 3, start: .seconds(5), over: peer)
    #expect(try worker.decodedGeneration(3).bytes == Array(Self.file[Self.position(of: .seconds(5))...]))
    #expect(worker.info(of: 2) == nil && worker.failure(of: 2) == nil)
  }

  // MARK: Reading ahead

  private func requestCount(_ peer: FetchPeer) -> Int {
    peer.requests.filter { if case .open = $0 { true } else { false } }.count
  }

  /// The test reads nothing from the ring, so that the worker waits for room in it.
  @Test func aSeekToBytesThatWereReadAhead_makesNoRequest() throws {
    let peer = try makePeer()
    let worker = try WorkerProcess(.stream)
    try worker.open(Self.url, over: peer)
    try waitUntil("the bytes are read") { body.positions.last ?? 0 > Self.position(of: .seconds(44)) }
    let count = requestCount(peer)
    try worker.open(Self.url, as: 2, start: .seconds(40), over: peer)
    try waitForInfo(worker, 2)
    #expect(requestCount(peer) == count)
    #expect(try worker.decodedGeneration(2).bytes == Array(Self.file[Self.position(of: .seconds(40))...]))
  }

  /// Plays `count` bytes of the last generation in small parts. Before each of them, the worker has filled the ring and
  /// has read ahead.
  private func play(_ count: Int, of worker: WorkerProcess) throws {
    var played = 0
    while played < count {
      _ = try worker.bufferedBytesWhenIdle()
      try worker.waitUntilIdle()
      try worker.drain(limit: 1 << 18)
      played = worker.decodedGenerations.last?.parts.reduce(0) { $0 + $1.bytes.count } ?? 0
    }
  }

  /// When a file is opened again, the cache keeps the last blocks until the end, and has less room for others.
  @Test func bytesThatWereReadAhead_arePlayedWithoutAnotherRequest() throws {
    let body = try FetchPeer.Body(Self.largeFile)
    let peer = try FetchPeer { try Self.respond(to: $0, $1, with: body) }
    let worker = try WorkerProcess(.stream)
    try worker.open(Self.url, over: peer)
    try play(1, of: worker)
    try worker.open(Self.url, as: 2, over: peer)
    try worker.wait(for: "the second beginning") { $0.decodedGenerations.last?.generation == Generation(2) }
    try play(50 << 20, of: worker)
    #expect(try worker.decodedGeneration(2).bytes == Array(Self.largeFile.dropFirst(44)))
    #expect(requestCount(peer) == 1)
  }

  /// The cache contains only the bytes before and after the previous position.
  @Test func afterASeekBackwards_bytesAreReadAheadAgain() throws {
    let body = try FetchPeer.Body(Self.largeFile)
    let peer = try FetchPeer { try Self.respond(to: $0, $1, with: body) }
    let worker = try WorkerProcess(.stream)
    try worker.open(Self.url, over: peer)
    try play(40 << 20, of: worker)
    let count = requestCount(peer)
    try worker.open(Self.url, as: 2, start: .seconds(30), over: peer)
    let end = Int64(Self.position(of: .seconds(40)) + 5 << 20)
    try waitUntil("the bytes are read ahead") { body.positions.dropFirst(count).last ?? 0 >= end }
  }

  /// The worker reads ten seconds into the ring, and 6 MiB beyond them.
  @Test func bytesThatAreReadAhead_areLimited() throws {
    let peer = try makePeer()
    let worker = try WorkerProcess(.stream)
    try worker.open(Self.url, over: peer)
    try waitUntil("the bytes are read") { body.positions.last ?? 0 >= 7 << 20 }
    let request = body.positions.count - 1
    try worker.open(Self.url, as: 2, start: .seconds(105), over: peer)
    try waitForInfo(worker, 2)
    #expect(body.positions[request] <= Self.position(of: .seconds(10.5)) + 6 << 20)
  }

  /// Opens a file whose first request ends with an error after 30 seconds, and waits until the worker has read ahead to
  /// it.
  private func openAndReadAheadToAnError(
    _ worker: WorkerProcess, thenRespond: @escaping @Sendable (FetchRequest, FetchPeer.Channel) throws -> Void
  ) throws -> FetchPeer {
    let part = Array(Self.file[..<Self.position(of: .seconds(30))])
    let peer = try FetchPeer { request, channel in
      if case .open(1, _, _) = request {
        try channel.send(part, of: Self.resource, to: 1, endingWith: Failure(.offline, "cut off"))
      } else {
        try thenRespond(request, channel)
      }
    }
    try worker.open(Self.url, over: peer)
    try waitUntil("the request is closed") { peer.requests.contains(.close(id: 1)) }
    return peer
  }

  @Test func anErrorAheadOfPlayback_isFollowedByAnotherRequestWhenPlaybackNeedsTheBytes() throws {
    let worker = try WorkerProcess(.stream)
    let peer = try openAndReadAheadToAnError(worker) { [body] in try Self.respond(to: $0, $1, with: body) }
    #expect(requestCount(peer) == 1)
    #expect(try worker.decodedGeneration(1).bytes == Array(Self.file.dropFirst(44)))
    #expect(peer.requests.contains(.open(id: 2, url: Self.url, offset: Int64(Self.position(of: .seconds(30))))))
  }

  @Test func bytesThatWereReadAheadOfAnError_arePlayedBeforeTheErrorIsReported() throws {
    let worker = try WorkerProcess(.stream)
    let peer = try openAndReadAheadToAnError(worker) { request, channel in
      guard case .open(let id, _, _) = request else { return }
      try channel.send(.failed(id: id, Failure(.offline, "no connection")))
    }
    try worker.wait(for: "the failure") { $0.failure(of: 1) != nil }
    #expect(worker.failure(of: 1)?.message == "the stream ended unexpectedly after 0:30: no connection")
    #expect(requestCount(peer) == 2)
  }

  /// Every seek reads other parts of the file.
  @Test(.disabled(if: Sanitizer.isOn, "sanitizers keep freed memory, and exceed the limit of the worker"))
  func manySeeks_doNotEnlargeTheCache() throws {
    let body = try FetchPeer.Body(Self.largeFile)
    let peer = try FetchPeer { try Self.respond(to: $0, $1, with: body) }
    let worker = try WorkerProcess(.stream)
    var memory: [Int] = []
    for generation in UInt32(1)...900 {
      let start = MediaTime.milliseconds(Int(generation) * 7919 % 339_000)
      try worker.open(Self.url, as: generation, start: start, over: peer)
      try worker.wait(for: "the file to be opened") { $0.info(of: generation) != nil }
      if generation.isMultiple(of: 300) { memory.append(try worker.peakMemory) }
    }
    #expect(memory[2] - memory[0] < 4 << 20)
  }

  /// A server states a size that no file has. Tags may be at the end of an MP3 file.
  @Test func anImplausibleSize_isNoReasonToCrash() throws {
    let file = try Fixture.bytes("long.cbr.mp3")
    let huge = FetchedResource(url: "http://localhost/a.mp3", size: 1 << 50, isSeekable: true)
    let peer = try FetchPeer { request, channel in
      guard case .open(let id, _, let offset) = request else { return }
      let part = file.dropFirst(Int(offset))
      try channel.send(part.isEmpty ? [UInt8](repeating: 0, count: 128) : Array(part), of: huge, to: id)
    }
    let worker = try WorkerProcess(.stream)
    try worker.open("http://localhost/a.mp3", over: peer)
    try worker.wait(for: "a response") { $0.info(of: 1) != nil || $0.failure(of: 1) != nil }
    let other = try makePeer()
    try worker.open(Self.url, as: 2, start: .seconds(100), over: other)
    let decoded = try worker.decodedGeneration(2)
    #expect(decoded.bytes == Array(Self.file[Self.position(of: .seconds(100))...]))
  }
}

/// A WAVE file of stereo audio with 44,100 frames a second and 16 bits.
enum WaveFile {
  /// A file that is larger than a ring, with less than ten seconds of 192 kHz, eight channels and 24 bits.
  static let large: [UInt8] = {
    let size = 8 << 20
    func little(_ value: Int, _ bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(value >> (8 * $0) & 0xFF) } }
    var file = joined("RIFF".utf8, little(36 + size, 4), "WAVEfmt ".utf8, little(16, 4), little(1, 2))
    file += little(8, 2) + little(192_000, 4) + little(192_000 * 24, 4) + little(24, 2) + little(24, 2)
    return file + joined("data".utf8, little(size, 4), [UInt8](repeating: 0, count: size))
  }()

  /// Returns a file of noise. Files with different `seed` have different samples.
  static func bytes(seconds: Int, seed: UInt32 = 1) -> [UInt8] {
    let size = seconds * 44_100 * 4
    func number(_ value: Int, _ bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(value >> (8 * $0) & 0xFF) } }
    var file = joined("RIFF".utf8, number(36 + size, 4), "WAVEfmt ".utf8, number(16, 4), number(1, 2))
    file += number(2, 2) + number(44_100, 4) + number(44_100 * 4, 4) + number(4, 2) + number(16, 2)
    file += joined("data".utf8, number(size, 4))
    // The noise is repeated, because it takes long to compute.
    var state = seed
    let noise = (0..<1_000_003).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    file.reserveCapacity(44 + size)
    while file.count < 44 + size { file += noise.prefix(44 + size - file.count) }
    return file
  }
}
