import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of the titles of HLS radio.
@Suite struct SegmentTitleTests {
  private let fetcher: WorkerProcess

  init() throws { fetcher = try WorkerProcess(.fetch, ring: false) }

  /// Returns the titles of a recorded stream with these segments. `titles` follow `#EXTINF:1,`.
  private func titles(_ segments: [[UInt8]], named names: [String], type: String = "aac") throws -> [String?] {
    var manifest = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n"
    for (index, name) in names.enumerated() { manifest += "#EXTINF:1,\(name)\nseg/\(index).\(type)\n" }
    manifest += "#EXT-X-ENDLIST\n"
    let server = try WebServer { [manifest] request, client in
      let path = request.split(separator: " ")[1]
      var body = Array(manifest.utf8)
      if path.hasSuffix(type), let number = Int(path.drop { !$0.isNumber }.prefix { $0.isNumber }) {
        body = segments[number]
      }
      return client.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
        && client.send(body)
    }
    let worker = try WorkerProcess(.stream)
    try worker.open(server.url("radio.m3u8"), through: fetcher)
    _ = try worker.decodedGeneration(1)
    return worker.events.compactMap { event -> String?? in
      if case .decoding(_, .title(let title, _)) = event { .some(title) } else { nil }
    }
  }

  /// Each segment is longer than what libavformat reads ahead.
  private func audio() throws -> [UInt8] {
    let file = try Fixture.bytes("long.aac")
    return Array(repeatElement(file, count: 8).joined())
  }

  @Test func titlesOfTheManifestAreReported() throws {
    let names = ["First - One", "", #"title="Two",artist="Second",url="x""#, "3.aac", "Third - Three"]
    let titles = try titles(Array(repeating: try audio(), count: 5), named: names)
    #expect(titles == ["First - One", "Second - Two", "Third - Three"])
  }

  @Test func tagsAtTheStartOfSegmentsAreReported() throws {
    let segments = try [("Ä", "One"), ("Б", "Two"), ("Б", "Two"), ("Ж", "Three")].map { artist, title in
      TagBytes.id3v2(TagBytes.text("TPE1", artist) + TagBytes.text("TIT2", title)) + (try audio())
    }
    #expect(try titles(segments, named: ["", "", "", ""]) == ["Ä - One", "Б - Two", "Ж - Three"])
  }

  @Test func tagsBetweenThePacketsOfATransportStreamAreReported() throws {
    let audio = try audio()
    let segments = ["One", "Two", "Three"].map { title in
      var stream = TransportStream()
      stream.append(tag: TagBytes.id3v2(TagBytes.text("TIT2", title)))
      stream.append(adts: audio)
      return stream.bytes
    }
    let titles = try titles(segments, named: ["", "", ""], type: "ts")
    #expect(titles == ["One", "Two", "Three"])
  }
}
