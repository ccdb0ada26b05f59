import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of positions in recorded HLS.
@Suite struct RecordedHLSTests {
  /// A way to divide a file into segments.
  enum Layout: CaseIterable {
    case files, ranges, rangesInSequence, discontinuities, tagged
  }

  private let fetcher: WorkerProcess

  init() throws { fetcher = try WorkerProcess(.fetch, ring: false) }

  /// Returns the frames of a file of ADTS, or of MPEG-1 layer 3 at 32 kHz without tags.
  private static func frames(_ name: String) throws -> [ArraySlice<UInt8>] {
    var frames: [ArraySlice<UInt8>] = []
    var rest = try Fixture.bytes(name)[...]
    while rest.count >= 7 {
      let start = rest.startIndex
      let size =
        name.hasSuffix("aac")
        ? Int(rest[start + 3] & 3) << 11 | Int(rest[start + 4]) << 3 | Int(rest[start + 5]) >> 5 : mpegFrameSize(rest)
      guard size > 0 else { throw Unexpected("not a frame") }
      frames.append(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    return frames
  }

  private static func mpegFrameSize(_ header: ArraySlice<UInt8>) -> Int {
    let rates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    let third = header[header.startIndex + 2]
    guard third >> 4 < rates.count else { return 0 }
    return 144_000 * rates[Int(third >> 4)] / 32_000 + Int(third >> 1 & 1)
  }

  /// Creates a server with a recording of `name` in segments of `count` frames, each of which lasts `seconds`.
  private func server(_ name: String, _ layout: Layout, _ count: Int, lasting seconds: Double) throws -> WebServer {
    let frames = try Self.frames(name)
    let segments = stride(from: 0, to: frames.count, by: count).map { Array(frames[$0...].prefix(count)) }
    let type = String(name.suffix(3))
    var manifest = "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:2\n"
    var bodies: [[UInt8]] = []
    for (index, segment) in segments.enumerated() {
      let duration = Double(segment.count) * seconds
      let tag = TagBytes.id3v2(TagBytes.text("TIT2", "Title \(index)"))
      let body = (layout == .tagged ? tag : []) + segment.joined()
      if layout == .discontinuities, index > 0 { manifest += "#EXT-X-DISCONTINUITY\n" }
      manifest += "#EXTINF:\(duration),\n"
      switch layout {
      case .ranges: manifest += "#EXT-X-BYTERANGE:\(body.count)@\(bodies.joined().count)\nall.\(type)\n"
      case .rangesInSequence:
        manifest += "#EXT-X-BYTERANGE:\(body.count)\(index == 0 ? "@0" : "")\nall.\(type)\n"
      case .files, .discontinuities, .tagged: manifest += "\(index).\(type)\n"
      }
      bodies.append(body)
    }
    return try WebServer { [manifest = manifest + "#EXT-X-ENDLIST\n", bodies] request, client in
      let path = request.split(separator: " ")[1].dropFirst()
      var body = Array(manifest.utf8)
      if let number = Int(path.prefix { $0 != "." }) { body = bodies[number] }
      var head = "HTTP/1.1 200 OK"
      if path.hasPrefix("all") {
        let whole = Array(bodies.joined())
        let start = request.firstMatch(of: /Range: bytes=(\d+)-/).flatMap { Int($0.1) } ?? 0
        head = "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes \(start)-\(whole.count - 1)/\(whole.count)"
        body = Array(whole[start...])
      }
      return client.send("\(head)\r\nContent-Length: \(body.count)\r\n\r\n") && client.send(body)
    }
  }

  private func decode(_ server: WebServer, at start: MediaTime) throws -> [UInt8] {
    let worker = try WorkerProcess(.stream)
    try worker.open(server.url("recording.m3u8"), start: start, through: fetcher)
    return try worker.decodedGeneration(1).bytes
  }

  /// The segments state no time, so that only the durations in the manifest tell where they begin.
  @Test(arguments: Layout.allCases, [MediaTime.seconds(2.5), .seconds(3.5)])
  func aPositionInSegmentsWithoutTimes_isExact(_ layout: Layout, _ start: MediaTime) throws {
    let server = try server("long.aac", layout, 40, lasting: 1024 / 44_100)
    let whole = try decode(server, at: .zero)
    let rest = try decode(server, at: start)
    let expected = whole.count - Int(start.seconds * 44_100) * 4
    #expect(abs(rest.count - expected) <= 4)
    #expect(rest.elementsEqual(whole.suffix(rest.count)))
  }

  @Test func aPositionInSegmentsOfMP3_isExact() throws {
    let server = try server("long.untagged.mp3", .files, 20, lasting: 1152 / 32_000)
    let whole = try decode(server, at: .zero)
    let rest = try decode(server, at: .seconds(2.5))
    let expected = whole.count - Int(2.5 * 32_000) * 4
    #expect(abs(rest.count - expected) <= 4)
    #expect(rest.elementsEqual(whole.suffix(rest.count)))
  }

  @Test func aPosition_doesNotChangeTheDuration() throws {
    let server = try server("long.aac", .files, 40, lasting: 1024 / 44_100)
    let durations = try [MediaTime.zero, .seconds(2.5)].map { start in
      let worker = try WorkerProcess(.stream)
      try worker.open(server.url("recording.m3u8"), start: start, through: fetcher)
      try worker.wait(for: "the stream") { $0.info(of: 1) != nil }
      return try #require(worker.info(of: 1)?.duration)
    }
    #expect(abs((durations[0] - durations[1]).seconds) < 0.001, "\(durations)")
  }

  @Test func segmentsBeforeAPosition_areNotRequested() throws {
    let server = try server("long.aac", .files, 20, lasting: 1024 / 44_100)
    _ = try decode(server, at: .seconds(3))
    // The first segments show that they state no time.
    #expect(!server.paths.contains("/4.aac"), "\(server.paths)")
    #expect(server.paths.last == "/8.aac")
  }
}
