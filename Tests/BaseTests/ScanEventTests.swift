import SegueSystem
import SegueWire
import Testing

@testable import SegueWorkerProtocol

/// Tests that the daemon limits the scan results of a malicious worker.
struct ScanEventTests {
  private func event(_ packet: String) -> WorkerEvent? { WorkerEvent(LinkPacket(bytes: Array(packet.utf8))) }

  private func packet(_ message: some LinkMessage) -> [UInt8] {
    var packet = JSONWriter()
    message.write(into: &packet)
    return packet.bytes
  }

  /// Returns the facts that the daemon decodes after `change` has modified them.
  private func facts(_ change: (inout FileFacts) -> Void) throws -> FileFacts {
    var facts = FileFacts.empty
    change(&facts)
    let event = WorkerEvent(LinkPacket(bytes: packet(WorkerEvent.response(ticket: 7, .scanned([.facts(facts)])))))
    guard case .response(7, .scanned(let results)) = event, case .facts(let read) = results.first else {
      throw InvalidEvent()
    }
    return read
  }

  private struct InvalidEvent: Error {}

  @Test func texts_areTruncated() throws {
    let long = String(repeating: "é", count: 20_000)
    let facts = try facts {
      ($0.info.metadata.title, $0.details.titleSort, $0.details.originalDate) = (long, long, long)
      ($0.info.audio.codec, $0.details.musicBrainz.track) = (long, long)
    }
    #expect(facts.info.metadata.title?.utf8.count == Metadata.maximumTextSize)
    #expect(facts.details.titleSort?.utf8.count == Metadata.maximumTextSize)
    #expect(facts.details.originalDate?.utf8.count == Metadata.maximumTextSize)
    #expect(facts.info.audio.codec.utf8.count == 64)
    #expect(facts.details.musicBrainz.track == nil, "not a UUID")
  }

  @Test func numbers_areLimitedToPlausibleValues() throws {
    let facts = try facts {
      $0.info.duration = MediaTime(nanoseconds: .max)
      $0.details.gain.trackGain = 1e300
      $0.details.gain.trackPeak = .nan
      $0.details.gain.albumGain = -64
      $0.details.gain.albumPeak = 0.5
    }
    #expect(facts.info.duration == .maximum)
    #expect(facts.details.gain == ReplayGain(albumGain: -64, albumPeak: 0.5))
  }

  @Test func longSortKeys_areOmitted() throws {
    let long = [UInt8](repeating: 0xAB, count: SortKeys.maximumKeySize + 1)
    let facts = try facts { $0.sortKeys = SortKeys(title: [0, 0xFF], artist: long, artists: [long, [1]]) }
    #expect(facts.sortKeys == SortKeys(title: [0, 0xFF], artists: [[], [1]]))
  }

  @Test func chapters_areSortedAndLimited() throws {
    let title = String(repeating: "x", count: 1000)
    let facts = try facts {
      $0.chapters = (0..<2000).map { Chapter(title: title, start: MediaTime(seconds: Double(2000 - $0))) }
    }
    #expect(facts.chapters.count == Chapter.maximumCount)
    #expect(facts.chapters.map(\.start) == facts.chapters.map(\.start).sorted())
    #expect(facts.chapters.reduce(0) { $0 + $1.title.utf8.count } <= 16 * 1024)
    #expect(facts.chapters == Chapter.bounded(facts.chapters))
  }

  @Test func scanResults_areLimitedToMaximumScanFiles() throws {
    let failed = ScanResult.failed(Failure(.unplayable, .plain("x")))
    let event = WorkerEvent.response(ticket: 1, .scanned(Array(repeating: failed, count: 100)))
    let read = WorkerEvent(LinkPacket(bytes: packet(event)))
    #expect(read == .response(ticket: 1, .scanned(Array(repeating: failed, count: WorkerRequest.maximumScanFiles))))
  }

  /// Binary data that is truncated or modified anywhere is either rejected or decoded within the limits.
  @Test func modifiedBinaryData_isRejectedOrLimited() throws {
    let whole = packet(
      WorkerEvent.response(ticket: 3, .scanned([.facts(Self.facts), .failed(Failure(.timeout, .plain("x")))])))
    let end = try #require(whole.firstIndex(of: UInt8(ascii: "\n")))
    for count in end..<whole.count { #expect(WorkerEvent(LinkPacket(bytes: Array(whole[..<count]))) == nil) }
    for index in (end + 1)..<whole.count {
      for byte in [0, 0x7F, 0x80, 0xFF] as [UInt8] {
        var bytes = whole
        bytes[index] = byte
        guard case .response(3, .scanned(let results))? = WorkerEvent(LinkPacket(bytes: bytes)) else { continue }
        #expect(results.count <= WorkerRequest.maximumScanFiles)
      }
    }
  }

  @Test func coversAndLyrics_areLimited() throws {
    #expect(
      event(#"{"event":"cover","ticket":1,"cover":{"size":-1,"format":"exe"}}"#)
        == .response(ticket: 1, .cover(CoverInfo(size: 0, format: .other, width: 1, height: 1))))
    #expect(
      event(#"{"event":"cover","ticket":1,"cover":{"size":99999999999}}"#)
        == .response(ticket: 1, .cover(CoverInfo(size: CoverInfo.maximumSize, format: .other, width: 1, height: 1))))
    #expect(event(#"{"event":"cover","ticket":1,"cover":null}"#) == .response(ticket: 1, .cover(nil)))
    let long = String(repeating: "é", count: 60_000)
    guard case .response(1, .lyrics(let text?)) = event(#"{"event":"lyrics","ticket":1,"text":"\#(long)"}"#) else {
      Issue.record("the event is invalid")
      return
    }
    #expect(text.utf8.count == WorkerResponse.maximumLyricsSize)
  }

  private static let facts: FileFacts = {
    var metadata = Metadata()
    metadata.title = "Ти́тр \"\\\u{1F6EB}\n"
    metadata.artists = ["a", "b"]
    (metadata.year, metadata.track) = (1999, 99_999)
    var details = TagDetails()
    details.compilation = true
    details.albumSort = "x"
    details.gain = ReplayGain(trackGain: -7.25, albumPeak: 1.000001)
    details.musicBrainz = MusicBrainzIDs(release: "F4A1B2C3-0000-4000-8000-00000000000A")
    let audio = Audio(
      codec: "flac", container: "flac", sampleRate: 44_100, channels: 2, bitDepth: 16, bitRate: 900_000,
      lossless: true, gapless: .exact)
    let info = MediaInfo(
      audio: audio, duration: MediaTime(nanoseconds: 531_904_761), durationKind: .exact, seekable: true,
      metadata: metadata)
    return FileFacts(
      info: info, details: details, sortKeys: SortKeys(title: [1, 0, 255], artists: [[1], []]), hasCover: true,
      hasLyrics: true, chapters: [Chapter(title: "1", start: .zero), Chapter(title: "", start: .seconds(5))])
  }()

  @Test func facts_surviveEncodingAndDecoding() throws {
    let event = WorkerEvent.response(
      ticket: 3, .scanned([.facts(Self.facts), .failed(Failure(.timeout, .plain("x")))]))
    #expect(WorkerEvent(LinkPacket(bytes: packet(event))) == event)
    #expect(Self.facts.details.musicBrainz.release == "f4a1b2c3-0000-4000-8000-00000000000a")
  }
}
