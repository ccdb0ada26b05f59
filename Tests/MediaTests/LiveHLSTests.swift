import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Synchronization
import Testing

/// Tests of HLS radio, whose manifest is read again and again.
@Suite struct LiveHLSTests {
  /// A station whose manifest names three other segments at each request. It fails for a while.
  private final class Station: Sendable {
    private let requests = Mutex((manifests: 0, segments: 0))

    /// Sends the response to a request for `path`. Returns false to close the connection.
    func respond(_ path: String, _ audio: [UInt8], _ client: WebServer.Connection) -> Bool {
      let numbers = requests.withLock { requests in
        if path == "/live" { requests.manifests += 1 } else { requests.segments += 1 }
        return requests
      }
      guard path == "/live" else {
        // A segment breaks off, and its server is not there afterwards.
        if numbers.segments == 5 { return client.send(Self.response(audio).dropLast(5_000)) && false }
        if numbers.segments == 6 { return client.send("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n") }
        return client.send(Self.response(audio))
      }
      if numbers.manifests == 3 { return client.send("HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n") }
      if numbers.manifests == 4 { return false }
      let first = 3 * numbers.manifests
      let lines = (first..<first + 3).map { "#EXTINF:1,\n\($0).aac\n" }.joined()
      let manifest = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(first)\n\(lines)"
      return client.send(Self.response(Array(manifest.utf8)))
    }

    private static func response(_ body: [UInt8]) -> [UInt8] {
      Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
    }
  }

  @Test func aStationThatFailsForAWhile_playsOn() throws {
    let audio = try Fixture.bytes("long.aac")
    let station = Station()
    let server = try WebServer { request, client in
      let path = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
      return station.respond(path, audio, client)
    }
    let fetcher = try WorkerProcess(.fetch, ring: false)
    let worker = try WorkerProcess(.stream)
    try worker.open(server.url("live"), through: fetcher)
    let (local, _) = try Fixture.decode("long.aac")
    try worker.wait(for: "the audio of twelve segments") {
      $0.failure(of: 1) != nil || ($0.decodedGenerations.first?.bytes.count ?? 0) > 12 * local.bytes.count
    }
    #expect(worker.failure(of: 1) == nil)
    #expect(worker.info(of: 1)?.durationKind == .unbounded)
    #expect(server.paths.filter { $0 == "/live" }.count > 4)
  }
}
