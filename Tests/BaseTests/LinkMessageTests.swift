import SegueRing
import SegueSystem
import SegueWire
import Testing

@testable import SegueLink

/// Tests that the hand-written decoders of the protocol between daemon and worker agree with the encoders. Every member of
/// the samples has a value that is not its default.
struct LinkMessageTests {
  private static let gain = ReplayGain(trackGain: -7.25, trackPeak: 0.5, albumGain: -6, albumPeak: 1)
  private static let source: MediaSource = {
    var source = MediaSource(
      name: "я.flac", url: "http://x/", rangeStart: .seconds(1), rangeEnd: .seconds(2),
      gain: GainParameters(.album, preamp: 1, fallback: -2, preventsClipping: false, measured: gain),
      rate: SampleRate(48_000))
    (source.fadeOut, source.fadeIn, source.speed) = (.seconds(3), .seconds(4), .slowest)
    return source
  }()
  private static let info: MediaInfo = {
    var metadata = Metadata()
    (metadata.title, metadata.artist, metadata.artists) = ("t", "a", ["a", "b"])
    (metadata.album, metadata.albumArtist, metadata.composer) = ("b", "c", "d")
    (metadata.genre, metadata.date, metadata.year) = (["e"], "1999-03-01", 1999)
    (metadata.track, metadata.trackTotal, metadata.disc, metadata.discTotal) = (1, 2, 3, 4)
    (metadata.art, metadata.stream) = ("file:///a", "s")
    let audio = Audio(
      codec: "flac", container: "ogg", sampleRate: 44_100, channels: 2, bitDepth: 16, bitRate: 900_000, lossless: true,
      gapless: .exact)
    return MediaInfo(audio: audio, duration: .seconds(2.5), durationKind: .exact, seekable: true, metadata: metadata)
  }()
  private static let openedInfo: MediaInfo = {
    var opened = info
    opened.chapters = [Chapter(title: "1", start: .zero), Chapter(title: "2", start: .seconds(1))]
    opened.gain = AppliedGain(-7.25, requested: 3, limit: .peak)
    return opened
  }()
  private static let facts: FileFacts = {
    var details = TagDetails()
    (details.originalDate, details.compilation) = ("1980", true)
    (details.titleSort, details.artistSort) = ("t", "a")
    (details.albumSort, details.albumArtistSort) = ("b", "c")
    let id = "f4a1b2c3-0000-4000-8000-00000000000a"
    details.musicBrainz = MusicBrainzIDs(track: id, release: id, releaseGroup: id, artists: [id], albumArtists: [id])
    details.gain = gain
    let keys = SortKeys(title: [1], artist: [2], album: [3], albumArtist: [4], artists: [[5], []])
    return FileFacts(
      info: info, details: details, sortKeys: keys, hasCover: true, hasLyrics: true,
      chapters: openedInfo.chapters)
  }()
  private static let failure = Failure(.damaged, "cannot read \("я%"): \(LocalizableMessage("line \(3)"))")

  static let commands: [WorkerCommand] = [
    .ring, .open(Generation(1), source, start: .seconds(1)),
    .follow(Generation(2), source, after: Generation(1), start: .seconds(1)), .halt, .probe(ticket: 1, source),
    .scan(ticket: 2, names: ["a", "б\n\""]), .lyrics(ticket: 3, name: "x"),
    .cover(ticket: 4, name: ""),
    .cover(ticket: 4, name: "x", CoverRequest(place: .file, edge: 500, format: .ppm)),
    .measure(ticket: 5, source, isFirst: false),
    .collate(ticket: 6, []), .collate(ticket: 6, [CollationInput(""), CollationInput("я", sortName: "The я")]),
    .transcode(ticket: 7), .serve(url: "http://x/"), .serve(url: "http://x/", namedBy: .private), .serveCatalogs,
    .trust, .ping, .restart(Generation(3), source, of: Generation(2), start: .seconds(2)),
  ]

  static let events: [WorkerEvent] = [
    .ready(lacking: [.landlock, .limits]), .opened(Generation(1), openedInfo), .failed(Generation(1), failure),
    .ended(Generation(1), duration: .seconds(1)), .faded(Generation(1), from: .seconds(1), into: Generation(2)),
    .incomplete(Generation(1), failure), .title(Generation(1), "t", at: .seconds(1)),
    .title(Generation(1), nil, at: .seconds(2)), .interrupted(Generation(1)), .resumed(Generation(2)),
    .probed(ticket: 1, openedInfo), .requestFailed(ticket: 2, failure),
    .scanned(
      ticket: 3, [.facts(facts), .failed(Failure(.damaged, .plain("m"))), .failed(Failure(.damaged, "m \(1)"))]),
    .lyrics(ticket: 4, "l"),
    .lyrics(ticket: 4, nil),
    .cover(ticket: 5, CoverInfo(size: 10, format: .png, width: 3, height: 4)), .cover(ticket: 5, nil),
    .measured(ticket: 6, gain), .collated(ticket: 7, [[0xAB, 0], []], collation: "c"),
    .transcoded(ticket: 8, size: 9), .idle(commands: 3),
    .cutOff(Generation(3), failure, at: .seconds(4)), .pong, .sourceNeeded(Generation(4)),
    .decoded(Generation(5)),
  ]

  static let fetchRequests: [FetchRequest] = [.open(id: 1, url: "http://x/я", offset: 5), .close(id: 2)]

  static let fetchResponses: [FetchResponse] = [
    .opened(
      id: 1,
      FetchedResource(url: "http://x/", size: 9, isSeekable: true, isStation: true, stationName: [0xFF, 0x00])),
    .failed(id: 2, failure), .metadata(id: 3, offset: 4, [0xFE, 0x0A]), .interrupted(id: 5), .resumed(id: 6),
    .ended(id: 7),
  ]

  @Test(arguments: commands) func commands_surviveEncodingAndDecoding(_ command: WorkerCommand) throws {
    var json = JSONWriter()
    command.encode(into: &json)
    #expect(WorkerCommand(try JSON(parsing: json.bytes)) == command)
  }

  @Test(arguments: events) func events_surviveEncodingAndDecoding(_ event: WorkerEvent) {
    var packet = JSONWriter()
    event.write(into: &packet)
    #expect(WorkerEvent(LinkPacket(bytes: packet.bytes)) == event)
  }

  @Test(arguments: fetchRequests) func fetchRequests_surviveEncodingAndDecoding(_ request: FetchRequest) {
    var packet = JSONWriter()
    request.encode(into: &packet)
    #expect(FetchRequest(LinkPacket(bytes: packet.bytes)) == request)
  }

  /// Sums of sizes and offsets of the other process must not overflow.
  @Test(arguments: [-1, 1 << 50 + 1, .max] as [Int64])
  func implausibleSizesAndOffsets_areInvalid(_ size: Int64) {
    func packet(_ member: String) -> LinkPacket {
      let start = "{\"request\":\"open\",\"response\":\"opened\",\"id\":1,\"url\":\"http://x/\","
      return LinkPacket(bytes: Array("\(start)\"\(member)\":\(size)}\n".utf8))
    }
    #expect(FetchRequest(packet("offset")) == nil)
    #expect(FetchResponse(packet("size")) == nil)
  }

  @Test(arguments: fetchResponses) func fetchResponses_surviveEncodingAndDecoding(_ response: FetchResponse) {
    var packet = JSONWriter()
    response.encode(into: &packet)
    #expect(FetchResponse(LinkPacket(bytes: packet.bytes)) == response)
  }

  @Test func samples_existForEveryCommand() {
    #expect(Set(Self.commands.map(number)) == Set(1...16))
  }

  @Test func samples_existForEveryEvent() {
    #expect(Set(Self.events.map(number)) == Set(1...22))
  }

  private func number(of command: WorkerCommand) -> Int {
    switch command {
    case .ring: 1
    case .open: 2
    case .follow: 3
    case .halt: 4
    case .probe: 5
    case .scan: 6
    case .lyrics: 7
    case .cover: 8
    case .measure: 9
    case .collate: 10
    case .transcode: 11
    case .serve: 12
    case .trust: 13
    case .serveCatalogs: 14
    case .ping: 15
    case .restart: 16
    }
  }

  private func number(of event: WorkerEvent) -> Int {
    switch event {
    case .ready: 1
    case .opened: 2
    case .failed: 3
    case .ended: 4
    case .faded: 5
    case .incomplete: 6
    case .title: 7
    case .probed: 8
    case .requestFailed: 9
    case .scanned: 10
    case .lyrics: 11
    case .cover: 12
    case .measured: 13
    case .collated: 14
    case .transcoded: 15
    case .idle: 16
    case .interrupted: 17
    case .resumed: 18
    case .cutOff: 19
    case .pong: 20
    case .sourceNeeded: 21
    case .decoded: 22
    }
  }
}
