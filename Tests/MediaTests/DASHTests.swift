import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of streams of MPEG-DASH.
@Suite struct DASHTests {
  private let fetcher: WorkerProcess
  private let initialization: [UInt8]
  /// The fragments of "fragments.m4a", each of about a second.
  private let fragments: [[UInt8]]

  init() throws {
    fetcher = try WorkerProcess(.fetch, ring: false)
    let bytes = try Fixture.bytes("fragments.m4a")
    var (initialization, fragments): ([UInt8], [[UInt8]]) = ([], [])
    var rest = bytes[...]
    while rest.count >= 8 {
      let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      let box = Array(rest.prefix(size))
      switch String(decoding: box[4..<8], as: UTF8.self) {
      case "moof": fragments.append(box)
      case "mdat": fragments[fragments.endIndex - 1] += box
      case "ftyp", "moov": initialization += box
      default: break
      }
      rest = rest.dropFirst(size)
    }
    (self.initialization, self.fragments) = (initialization, fragments)
  }

  /// Creates a server that sends a manifest with `content`, and the segments.
  private func server(_ content: String) throws -> WebServer {
    try WebServer { [initialization, fragments] request, client in
      let name = request.split(separator: " ")[1].dropFirst()
      var body = Array("<MPD type=\"static\" mediaPresentationDuration=\"PT4S\">\(content)</MPD>".utf8)
      if name == "init" { body = initialization }
      if let number = Int(name), (1...fragments.count).contains(number) { body = fragments[number - 1] }
      return client.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n") && client.send(body)
    }
  }

  private static let numbered = """
    <Period><AdaptationSet mimeType="audio/mp4"><SegmentTemplate duration="1" initialization="init" media="$Number$"/>\
    <Representation id="a" bandwidth="1"/></AdaptationSet></Period>
    """

  @Test func aRecording_isDecodedAsItsFile() throws {
    #expect(fragments.count == 4)
    let server = try server(Self.numbered)
    let worker = try WorkerProcess(.stream)
    try worker.open(server.url("stream?id=1"), through: fetcher)
    let remote = try worker.decodedGeneration(1)
    let local = try WorkerProcess()
    try local.open(1, Fixture.path("fragments.m4a"))
    #expect(try remote.bytes == local.decodedGeneration(1).bytes)
    #expect(worker.info(of: 1)?.seekable == true)
    #expect(server.paths == ["/stream?id=1", "/init", "/1", "/2", "/3", "/4"])
  }

  @Test(arguments: [MediaTime.zero, .seconds(2.5)])
  func rangesOfOneFile_areDecodedAsTheFile(_ start: MediaTime) throws {
    let file = initialization + fragments.joined()
    var end = initialization.count
    let segments = fragments.map { fragment in
      defer { end += fragment.count }
      return "<SegmentURL mediaRange=\"\(end)-\(end + fragment.count - 1)\"/>"
    }
    let manifest = """
      <MPD type="static" mediaPresentationDuration="PT4S"><Period><AdaptationSet mimeType="audio/mp4"><Representation>\
      <BaseURL>file</BaseURL><SegmentList duration="1"><Initialization range="0-\(initialization.count - 1)"/>\
      \(segments.joined())</SegmentList></Representation></AdaptationSet></Period></MPD>
      """
    let server = try WebServer { request, client in
      guard request.hasPrefix("GET /file ") else {
        return client.send("HTTP/1.1 200 OK\r\nContent-Length: \(manifest.utf8.count)\r\n\r\n\(manifest)")
      }
      let first = request.firstMatch(of: /Range: bytes=(\d+)-/).flatMap { Int($0.1) } ?? 0
      let head =
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes \(first)-\(file.count - 1)/\(file.count)\r\n"
        + "Content-Length: \(file.count - first)\r\n\r\n"
      return client.send(Array(head.utf8) + file[first...])
    }
    let worker = try WorkerProcess(.stream)
    try worker.open(server.url("stream"), start: start, through: fetcher)
    let remote = try worker.decodedGeneration(1)
    let local = try WorkerProcess()
    try local.open(1, Fixture.path("fragments.m4a"), start: start)
    #expect(try remote.bytes == local.decodedGeneration(1).bytes)
  }

  @Test func aPositionInARecording_isFoundInItsSegment() throws {
    let server = try server(Self.numbered)
    let worker = try WorkerProcess(.stream)
    try worker.open(server.url("stream"), start: .seconds(2.5), through: fetcher)
    let decoded = try worker.decodedGeneration(1)
    let local = try WorkerProcess()
    try local.open(1, Fixture.path("fragments.m4a"), start: .seconds(2.5))
    #expect(try decoded.bytes == local.decodedGeneration(1).bytes)
  }

  @Test func aStreamThatIsEncrypted_isRefused() throws {
    let protected =
      "<Period><AdaptationSet mimeType=\"audio/mp4\"><ContentProtection/><Representation/></AdaptationSet></Period>"
    let worker = try WorkerProcess(.stream)
    let server = try server(protected)
    try worker.open(server.url("stream"), through: fetcher)
    try worker.wait(for: "the refusal") { worker in
      worker.events.contains {
        if case .decoding(_, .failed(let failure)) = $0 { failure.message.contains("encrypted") } else { false }
      }
    }
    #expect(server.requestCount == 1)
  }
}
