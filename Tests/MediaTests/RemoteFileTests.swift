import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Synchronization
import Testing

/// Tests that files on servers are decoded as local files are.
@Suite struct RemoteFileTests {
  private let fetcher: WorkerProcess

  init() throws { fetcher = try WorkerProcess(.fetch, ring: false) }

  private static let files = [
    "a.alac.m4a", "a.flac", "a.itunes.m4a", "a.itunes.mp3", "a.m4a", "a.mp3", "a.ogg", "a.opus", "a.wav", "a.wv",
    "chained.ogg", "fragments.m4a", "frames.tta", "hybrid.alac.m4a", "hybrid.m4a", "long.aac", "long.alac.m4a",
    "long.cbr.mp3", "long.flac", "long.m4a", "long.mpc",
    "long.ogg", "long.opus", "long.opus.webm", "long.vbr.mp3", "long.vorbis.mka", "long.wma", "long.wv", "lossy.wv",
    "one-bit.dsf", "short.aiff", "short.au", "short.caf", "speech.spx", "tags.mp3", "truncated.flac",
  ]
  private static let longFiles = files.filter { $0.hasPrefix("long") }
  private static let decodableFiles = files.filter {
    $0 != "chained.ogg" || FFmpegVersion.decodesLinksOfOtherChannels
  }

  private func decode(
    _ name: String, from server: WebServer, start: MediaTime
  ) throws -> (WorkerProcess.DecodedGeneration, MediaInfo) {
    let worker = try WorkerProcess(.stream)
    try worker.open(server.url(name), start: start, through: fetcher)
    let decoded = try worker.decodedGeneration(1)
    return (decoded, try #require(worker.info(of: 1)))
  }

  private func decodeLocally(
    _ name: String, start: MediaTime
  ) throws -> (WorkerProcess.DecodedGeneration, MediaInfo) {
    let worker = try WorkerProcess()
    try worker.open(1, Fixture.path(name), start: start)
    let decoded = try worker.decodedGeneration(1)
    return (decoded, try #require(worker.info(of: 1)))
  }

  @Test(arguments: decodableFiles)
  func remoteFiles_areDecodedAsLocalFiles(_ name: String) throws {
    let server = try WebServer(serving: try Fixture.bytes(name))
    let (remote, remoteInfo) = try decode(name, from: server, start: .zero)
    let (local, localInfo) = try decodeLocally(name, start: .zero)
    #expect(remote.bytes == local.bytes)
    #expect(remote.end == local.end)
    #expect(remoteInfo.metadata == localInfo.metadata)
    // The links of a chain are found by reading the whole file.
    if name != "chained.ogg" {
      #expect(remoteInfo.duration == localInfo.duration)
      #expect(remoteInfo.durationKind == localInfo.durationKind)
    }
    #expect(remoteInfo.seekable)
    #expect(remoteInfo.audio == localInfo.audio)
  }

  @Test(arguments: longFiles, [MediaTime.seconds(1.5), .seconds(2.25), .seconds(3)])
  func seeksInRemoteFiles_areAsExactAsInLocalFiles(_ name: String, _ start: MediaTime) throws {
    let server = try WebServer(serving: try Fixture.bytes(name))
    let (remote, _) = try decode(name, from: server, start: start)
    let (local, _) = try decodeLocally(name, start: start)
    #expect(remote.parts.first?.mediaFrame == local.parts.first?.mediaFrame)
    #expect(remote.bytes == local.bytes)
    #expect(remote.end == local.end)
  }

  /// The length of an MP3 file without a tag is estimated from its first part: counting its frames would take reading
  /// all of it.
  @Test func lengthOfUntaggedMP3_isEstimatedFromTheBeginning() throws {
    let part = try Fixture.bytes("long.untagged.mp3")
    let file = Array([part, part, part, part].joined())
    let (remote, info) = try decode("long.mp3", from: try WebServer(serving: file), start: .zero)
    #expect(info.durationKind == .estimated)
    let exact = try #require(remote.parts.first).format.rate.time(of: try #require(remote.end))
    #expect(abs(try #require(info.duration).seconds - exact.seconds) < exact.seconds / 50)
  }

  /// A server disconnects after every 100,000 bytes.
  @Test func lostConnections_areResumedAtTheMissingByte() throws {
    let bytes = try Fixture.bytes("long.flac")
    let server = try WebServer(serving: bytes, disconnectingAfter: 100_000)
    let (remote, _) = try decode("long.flac", from: server, start: .zero)
    #expect(try remote.bytes == decodeLocally("long.flac", start: .zero).0.bytes)
    #expect(server.connectionCount > bytes.count / 100_000)
  }

  /// The bytes that were read to open a file are kept, so that another position in it takes one request.
  @Test func anotherPositionInTheSameFile_takesOneRequest() throws {
    let server = try WebServer(serving: try Fixture.bytes("long.flac"))
    let worker = try WorkerProcess(.stream)
    try worker.open(server.url("long.flac"), through: fetcher)
    _ = try worker.decodedGeneration(1)
    let before = server.requestCount
    try worker.open(server.url("long.flac"), as: 2, start: .seconds(2), through: fetcher)
    let decoded = try worker.decodedGeneration(2)
    #expect(try decoded.bytes == decodeLocally("long.flac", start: .seconds(2)).0.bytes)
    #expect(server.requestCount <= before + 1)
  }

  @Test func aFileOnAServerIsInMemoryOnceItWasRead() throws {
    let size = 24 * 176_400
    let header = Array(try Fixture.bytes("a.wav")[..<40]) + withUnsafeBytes(of: UInt32(size).littleEndian) { Array($0) }
    let server = try WebServer(serving: header + [UInt8](repeating: 0, count: size))
    let worker = try WorkerProcess(.stream)
    try worker.open(server.url("long.wav"), through: fetcher)
    #expect(try worker.decodedGeneration(1).parts.first?.isSourceCached == false)
    try worker.open(server.url("long.wav"), as: 2, start: .seconds(12), through: fetcher)
    #expect(try worker.decodedGeneration(2).parts.first?.isSourceCached == true)
  }

  /// Finding a position in a large MP3 file without an index exactly would take reading everything before it.
  @Test func positionInALargeMP3_isFoundWithoutReadingEverythingBefore() throws {
    let part = try Fixture.bytes("long.untagged.mp3")
    let file = Array(repeatElement(part, count: 6_000_000 / part.count).joined())
    let server = try WebServer(serving: file)
    let worker = try WorkerProcess(.stream)
    try worker.open(server.url("long.mp3"), through: fetcher)
    try worker.wait(for: "the file to be opened", draining: false) { $0.info(of: 1) != nil }
    let duration = try #require(worker.info(of: 1)?.duration)
    let start = MediaTime.seconds(duration.seconds * 0.95)
    try worker.open(server.url("long.mp3"), as: 2, start: start, through: fetcher)
    let decoded = try worker.decodedGeneration(2)
    let first = try #require(decoded.parts.first)
    #expect(abs(first.format.rate.time(of: first.mediaFrame).seconds - start.seconds) < 1)
    let starts = server.requests.compactMap { $0.firstMatch(of: /Range: bytes=(\d+)-/).flatMap { Int($0.1) } }
    #expect(starts.contains { $0 > file.count * 9 / 10 }, "\(starts)")
  }

  /// A FLAC file of almost three seconds.
  private static let flac: [UInt8] = {
    let blocks = 120
    var file = FLACFile(.init(), total: blocks * FLACFile.blockSize)
    file.append(.init(), blocks: blocks) { frame, channel in (frame * 7 + channel * 3) % 20_000 - 10_000 }
    return file.bytes
  }()

  /// Every place of the file that is examined costs a request.
  @Test func aSeekInAFLACFile_isExactAndTakesFewRequests() throws {
    let file = Self.flac
    let folder = try TemporaryFolder()
    let path = try folder.write("a.flac", file)
    let server = try WebServer(serving: file)
    let (remote, local) = (try WorkerProcess(.stream), try WorkerProcess())
    try remote.open(server.url("a.flac"), through: fetcher)
    try remote.wait(for: "the file", draining: false) { $0.info(of: 1) != nil }
    for (generation, start) in [(UInt32(2), 2.001), (3, 1.2), (4, 2.7), (5, 1.7)] {
      let before = server.requestCount
      try remote.open(server.url("a.flac"), as: generation, start: .seconds(start), through: fetcher)
      let found = try remote.decodedGeneration(generation)
      try local.open(generation, path, start: .seconds(start))
      let expected = try local.decodedGeneration(generation)
      #expect(found.parts.first?.mediaFrame == expected.parts.first?.mediaFrame)
      #expect(found.bytes == expected.bytes)
      #expect(server.requestCount - before <= 3, "\(start)")
    }
  }

  /// The numbers of the frames begin again in the middle of the file.
  @Test(arguments: [1.2, 1.5, 2.5]) func aSeekInJoinedFLACFiles_isAsInALocalFile(_ start: Double) throws {
    let file = Self.flac + Self.flac
    let folder = try TemporaryFolder()
    let (remote, _) = try decode("a.flac", from: try WebServer(serving: file), start: .seconds(start))
    let worker = try WorkerProcess()
    try worker.open(1, try folder.write("a.flac", file), start: .seconds(start))
    let local = try worker.decodedGeneration(1)
    #expect(remote.parts.first?.mediaFrame == local.parts.first?.mediaFrame)
    #expect(remote.bytes == local.bytes)
  }

  // MARK: Damage and changes

  /// A part in the middle is unreadable.
  @Test(arguments: longFiles)
  func damagedRemoteFiles_areDecodedAsLocalFiles(_ name: String) throws {
    var bytes = try Fixture.bytes(name)
    for index in bytes.count / 2..<bytes.count * 5 / 8 { bytes[index] = UInt8(truncatingIfNeeded: index * 31) & 0x7F }
    let folder = try TemporaryFolder()
    let local = try WorkerProcess()
    try local.open(1, try folder.write(name, bytes))
    let remote = try WorkerProcess(.stream)
    let server = try WebServer(serving: bytes)
    try remote.open(server.url(name), through: fetcher)
    for worker in [local, remote] {
      try worker.wait(for: "the end") { $0.duration(of: 1) != nil || $0.failure(of: 1) != nil }
    }
    #expect(remote.failure(of: 1) == local.failure(of: 1))
    #expect(remote.duration(of: 1) == local.duration(of: 1))
    #expect(remote.interruption(of: 1) == local.interruption(of: 1))
    if local.failure(of: 1) == nil {
      #expect(try remote.decodedGeneration(1).bytes == local.decodedGeneration(1).bytes)
    }
  }

  /// The connection is lost in the middle, and the server has another file afterwards.
  @Test func aFileThatChangesDuringPlayback_failsWithThatReasonAndTime() throws {
    let file = WaveFile.bytes(seconds: 75)
    let isChanged = Mutex(false)
    let server = try WebServer { request, client in
      let start = request.firstMatch(of: /Range: bytes=(\d+)-/).flatMap { Int($0.1) } ?? 0
      let size = isChanged.withLock(\.self) ? file.count - 4_000 : file.count
      let head =
        "HTTP/1.1 206 Part\r\nContent-Range: bytes \(start)-\(size - 1)/\(size)\r\nAccept-Ranges: bytes\r\n"
        + "Content-Length: \(size - start)\r\n\r\n"
      guard client.send(head) else { return false }
      // After 65 seconds of audio.
      let limit = 44 + 65 * 44_100 * 4
      guard start < limit else { return client.send(Array(file[start..<size])) }
      isChanged.withLock { $0 = true }
      _ = client.send(Array(file[start..<limit]))
      return false
    }
    let worker = try WorkerProcess(.stream)
    try worker.open(server.url("a.wav"), through: fetcher)
    try worker.wait(for: "the failure") { $0.failure(of: 1) != nil }
    let failure = try #require(worker.failure(of: 1))
    #expect(failure.kind == .badResponse)
    #expect(failure.message == "the stream ended unexpectedly after 1:05: the file on the server has changed")
  }

  /// A podcast whose advertisements differ with each request.
  @Test func aSeekInAFileThatHasChanged_playsTheNewFile() throws {
    // The files are larger than what is read ahead.
    let (old, new) = (WaveFile.bytes(seconds: 80), WaveFile.bytes(seconds: 82, seed: 2))
    let isChanged = Mutex(false)
    let server = try WebServer { request, client in
      let file = isChanged.withLock(\.self) ? new : old
      let start = request.firstMatch(of: /Range: bytes=(\d+)-/).flatMap { Int($0.1) } ?? 0
      let head =
        "HTTP/1.1 206 Part\r\nContent-Range: bytes \(start)-\(file.count - 1)/\(file.count)\r\n"
        + "Accept-Ranges: bytes\r\nContent-Length: \(file.count - start)\r\n\r\n"
      return client.send(head) && client.send(Array(file[start...]))
    }
    let worker = try WorkerProcess(.stream)
    try worker.open(server.url("a.wav"), through: fetcher)
    try worker.wait(for: "the file", draining: false) { $0.info(of: 1) != nil }
    isChanged.withLock { $0 = true }
    try worker.open(server.url("a.wav"), as: 2, start: .seconds(75), through: fetcher)
    let decoded = try worker.decodedGeneration(2)
    #expect(decoded.bytes == Array(new[(44 + 75 * 44_100 * 4)...]))
    #expect(worker.info(of: 2)?.duration == .seconds(82))
  }

  /// The readers of tags and of the length read the end of a file through a second request.
  @Test(
    arguments: ["long.flac", "long.vbr.mp3", "tags.mp3", "long.opus", "long.m4a", "long.wv"],
    ["403 Forbidden", "429 Too Many Requests", "503 Service Unavailable"])
  func aFileWhoseServerRefusesFurtherRequests_isPlayedFromItsBeginning(_ name: String, _ status: String) throws {
    let file = try Fixture.bytes(name)
    let server = try WebServer { request, client in
      guard request.contains("Range: bytes=0-") else {
        return client.send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
      }
      let head =
        "HTTP/1.1 206 Part\r\nContent-Range: bytes 0-\(file.count - 1)/\(file.count)\r\nAccept-Ranges: bytes\r\n"
        + "Content-Length: \(file.count)\r\n\r\n"
      return client.send(head) && client.send(file)
    }
    let (remote, _) = try decode(name, from: server, start: .zero)
    let (local, _) = try decodeLocally(name, start: .zero)
    #expect(remote.bytes == local.bytes)
  }

  /// How a server treats a request beside the first one without refusing it.
  enum UnansweredRequest: CaseIterable, Sendable {
    case waits
    /// The server waits after the head of a response.
    case hasHeadOnly
    case isDisconnected
  }

  @Test(arguments: ["long.flac", "long.wv"], UnansweredRequest.allCases)
  func aFileWhoseServerDoesNotAnswerFurtherRequests_isPlayedFromItsBeginning(
    _ name: String, _ further: UnansweredRequest
  ) throws {
    let file = try Fixture.bytes(name)
    let server = try WebServer { request, client in
      let start = request.firstMatch(of: /Range: bytes=(\d+)-/).flatMap { Int($0.1) } ?? 0
      if start > 0, further == .isDisconnected { return false }
      let head =
        "HTTP/1.1 206 Part\r\nContent-Range: bytes \(start)-\(file.count - 1)/\(file.count)\r\n"
        + "Accept-Ranges: bytes\r\nContent-Length: \(file.count - start)\r\n\r\n"
      if start == 0 { return client.send(head) && client.send(file) }
      if further == .hasHeadOnly { _ = client.send(head) }
      client.waitForEnd()
      return false
    }
    let (remote, _) = try decode(name, from: server, start: .zero)
    let (local, _) = try decodeLocally(name, start: .zero)
    #expect(remote.bytes == local.bytes)
    #expect(server.requests.contains { !$0.contains("Range: bytes=0-") })
  }
}
