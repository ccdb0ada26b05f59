import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of the titles of Ogg stations, which send a link of a chain for each song.
@Suite struct LinkTitleTests {
  private let fetcher: WorkerProcess

  init() throws { fetcher = try WorkerProcess(.fetch, ring: false) }

  /// Opens a stream of links of `name` with these comments.
  private func open(
    _ name: String, _ comments: [[String]], _ headers: String = "icy-name: Radio\r\n"
  ) throws -> (worker: WorkerProcess, server: WebServer) {
    var body: [UInt8] = []
    for (index, comments) in comments.enumerated() {
      body += try Self.link(name, serial: 1_000 + index, TagBytes.comments(comments))
    }
    let head = "HTTP/1.0 200 OK\r\nContent-Type: application/ogg\r\n\(headers)\r\n"
    let server = try WebServer { [body] _, client in
      _ = client.send(Array(head.utf8) + body)
      return false
    }
    let worker = try WorkerProcess(.stream)
    try worker.open(server.url("radio"), through: fetcher)
    return (worker, server)
  }

  /// Returns a file, whose second page begins with its comments, with other ones and another serial number.
  private static func link(_ name: String, serial: Int, _ comments: [UInt8]) throws -> [UInt8] {
    let file = try Fixture.bytes(name)
    var result: [UInt8] = []
    var (number, position) = (0, 0)
    while position < file.count {
      var laces = Array(file[(position + 27)...].prefix(Int(file[position + 26])))
      let start = position + 27 + laces.count
      let end = start + laces.reduce(0) { $0 + Int($1) }
      var body = Array(file[start..<end])
      if number == 1 {
        let count = try #require(laces.firstIndex { $0 < 255 }) + 1
        let packet = body.prefix(laces.prefix(count).reduce(0) { $0 + Int($1) })
        var new = comments
        switch packet.first {
        case 3: new = joined(packet.prefix(7), comments, [1])
        case UInt8(ascii: "O"): new = joined(packet.prefix(8), comments)
        default: new = joined(packet.prefix(1), TagBytes.bigEndian(comments.count, bytes: 3), comments)
        }
        body = joined(new, body.dropFirst(packet.count))
        laces = joined(
          [UInt8](repeating: 255, count: new.count / 255), [UInt8(new.count % 255)], laces.dropFirst(count))
      }
      result += TagBytes.oggPage(
        file[position..<position + 14] + TagBytes.littleEndian(serial), number: number, laces[...], body[...])
      number += 1
      position = end
    }
    return result
  }

  private static let songs = [
    ["TITLE=One", "ARTIST=First", "ALBUM=Album"], ["TITLE=Two", "ARTIST=Second"], ["TITLE=Three"], [],
    ["TITLE=Five", "ARTIST=Fifth"],
  ]

  @Test(arguments: ["long.opus", "long.ogg", "pages.oga"])
  func eachLinkHasItsOwnTitle(_ name: String) throws {
    let (worker, server) = try open(name, Self.songs)
    try worker.wait(for: "the titles") {
      $0.titles.starts(with: ["First - One", "Second - Two", "Three", nil, "Fifth - Five"])
    }
    withExtendedLifetime(server) {}
  }

  /// The artist and the album of a song, or of an advertisement, must not stand beside the titles that follow it.
  @Test(arguments: ["long.opus", "long.ogg", "pages.oga"])
  func theFirstSongDoesNotDescribeTheStation(_ name: String) throws {
    let (worker, server) = try open(name, Self.songs)
    try worker.wait(for: "the stream") { $0.info(of: 1) != nil }
    var expected = Metadata()
    expected.title = "Radio"
    #expect(worker.info(of: 1)?.metadata == expected)
    #expect(worker.info(of: 1)?.durationKind == .unbounded)
    withExtendedLifetime(server) {}
  }

  /// The server does not state the size of a recording, and cannot send a part of it.
  @Test(arguments: ["long.opus", "long.ogg", "pages.oga"])
  func theTagsOfARecordingDescribeIt(_ name: String) throws {
    let (worker, server) = try open(name, [Self.songs[0]], "")
    _ = try worker.decodedGeneration(1)
    let info = try #require(worker.info(of: 1))
    #expect(info.durationKind != .unbounded)
    #expect(info.metadata.title == "One")
    #expect(info.metadata.artist == "First")
    withExtendedLifetime(server) {}
  }

  @Test func commentsWithALargePictureAreRead() throws {
    let picture = TagBytes.pictureComment(10_000)
    let (worker, server) = try open(
      "long.opus", [["TITLE=One"], [picture, "TITLE=Two", "ARTIST=Second"], ["TITLE=Three"]])
    try worker.wait(for: "the titles") { $0.titles.starts(with: ["One", "Second - Two", "Three"]) }
    withExtendedLifetime(server) {}
  }
}
