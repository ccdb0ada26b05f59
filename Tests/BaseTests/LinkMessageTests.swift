import SegueRing
import SegueSystem
import SegueWire
import Testing

@testable import SegueWorkerProtocol

/// Tests that the hand-written decoders of the protocol between daemon and worker agree with the encoders. Every member
/// of the samples has a value that is not its default.
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
    (details.composers, details.conductors, details.works) = (["e", "f"], ["g"], ["h"])
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
    .follow(Generation(2), source, after: Generation(1), start: .seconds(1)), .halt,
    .request(ticket: 1, .probe(source)),
    .request(ticket: 2, .scan(names: ["a", "б\n\""])), .request(ticket: 3, .lyrics(name: "x")),
    .request(ticket: 4, .cover(name: "")),
    .request(ticket: 4, .cover(name: "x", CoverRequest(place: .file, edge: 500, format: .ppm))),
    .request(ticket: 5, .measure(source, isFirst: false)),
    .request(ticket: 6, .collate([])),
    .request(ticket: 6, .collate([CollationInput(""), CollationInput("я", sortName: "The я")])),
    .request(ticket: 7, .transcode),
    .restart(Generation(3), source, of: Generation(2), start: .seconds(2)),
  ]

  static let fetchCommands: [FetchCommand] = [
    .serve(url: "http://x/"), .serve(url: "http://x/", namedBy: .private), .serveCatalogs, .trust, .ping,
  ]

  static let events: [WorkerEvent] = [
    .ready(lacking: [.landlock, .limits]), .decoding(Generation(1), .opened(openedInfo)),
    .decoding(Generation(1), .failed(failure)),
    .decoding(Generation(1), .ended(duration: .seconds(1))),
    .decoding(Generation(1), .faded(from: .seconds(1), into: Generation(2))),
    .decoding(Generation(1), .incomplete(failure)), .decoding(Generation(1), .title("t", at: .seconds(1))),
    .decoding(Generation(1), .title(nil, at: .seconds(2))), .decoding(Generation(1), .interrupted),
    .decoding(Generation(2), .resumed),
    .response(ticket: 1, .probed(openedInfo)), .response(ticket: 2, .failed(failure)),
    .response(
      ticket: 3,
      .scanned([.facts(facts), .failed(Failure(.damaged, .plain("m"))), .failed(Failure(.damaged, "m \(1)"))])),
    .response(ticket: 4, .lyrics("l")),
    .response(ticket: 4, .lyrics(nil)),
    .response(ticket: 5, .cover(CoverInfo(size: 10, format: .png, width: 3, height: 4))),
    .response(ticket: 5, .cover(nil)),
    .response(ticket: 6, .measured(gain)), .response(ticket: 7, .collated([[0xAB, 0], []], collation: "c")),
    .response(ticket: 8, .transcoded(size: 9)), .idle(commands: 3),
    .decoding(Generation(3), .cutOff(failure, at: .seconds(4))), .pong, .decoding(Generation(4), .sourceNeeded),
    .decoding(Generation(5), .decoded),
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

  @Test(arguments: fetchCommands) func fetchCommands_surviveEncodingAndDecoding(_ command: FetchCommand) throws {
    var json = JSONWriter()
    command.encode(into: &json)
    #expect(FetchCommand(try JSON(parsing: json.bytes)) == command)
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
    #expect(Set(Self.commands.map(number)) == Set(1...12))
    #expect(Set(Self.fetchCommands.map(number)) == Set(1...4))
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
    case .restart: 5
    case .request(_, .probe): 6
    case .request(_, .scan): 7
    case .request(_, .lyrics): 8
    case .request(_, .cover): 9
    case .request(_, .measure): 10
    case .request(_, .collate): 11
    case .request(_, .transcode): 12
    }
  }

  private func number(of command: FetchCommand) -> Int {
    switch command {
    case .serve: 1
    case .serveCatalogs: 2
    case .trust: 3
    case .ping: 4
    }
  }

  private func number(of event: WorkerEvent) -> Int {
    switch event {
    case .ready: 1
    case .idle: 2
    case .pong: 3
    case .decoding(_, .opened): 4
    case .decoding(_, .failed): 5
    case .decoding(_, .ended): 6
    case .decoding(_, .faded): 7
    case .decoding(_, .incomplete): 8
    case .decoding(_, .title): 9
    case .decoding(_, .interrupted): 10
    case .decoding(_, .resumed): 11
    case .decoding(_, .cutOff): 12
    case .decoding(_, .sourceNeeded): 13
    case .decoding(_, .decoded): 14
    case .response(_, .probed): 15
    case .response(_, .failed): 16
    case .response(_, .scanned): 17
    case .response(_, .lyrics): 18
    case .response(_, .cover): 19
    case .response(_, .measured): 20
    case .response(_, .collated): 21
    case .response(_, .transcoded): 22
    }
  }
}
