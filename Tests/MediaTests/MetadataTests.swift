import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

@Suite struct MetadataTests {
  private func metadata(_ name: String) throws -> Metadata {
    let (_, worker) = try Fixture.decode(name)
    return try #require(worker.info(of: 1)).metadata
  }

  @Test(arguments: ["tags.flac", "tags.m4a", "tags.mp3", "tags.opus"])
  func tagsOfEveryContainer_areRead(_ name: String) throws {
    let tags = try metadata(name)
    #expect(tags.title == "Полёт")
    #expect(tags.album == "Альбом")
    #expect(tags.albumArtist == "Все")
    #expect(tags.composer == "Кто-то")
    #expect(tags.date == "1999-03-01")
    #expect(tags.year == 1999)
    #expect(tags.track == 3)
    #expect(tags.trackTotal == 12)
    #expect(tags.disc == 1)
    #expect(tags.discTotal == 2)
    #expect(tags.art == nil)
  }

  /// Every format can state several values. A semicolon may be part of a name.
  @Test(arguments: ["tags.flac", "tags.mp3"])
  func valueWithASemicolon_isNotSplit(_ name: String) throws {
    let tags = try metadata(name)
    #expect(tags.artists == ["Один;Два"])
    #expect(tags.genre == ["Jazz;Swing"])
  }

  @Test func hostileTags_areCleaned() throws {
    let tags = try metadata("broken-tags.flac")
    #expect(tags.title == "ABÿþEF H", "Latin-1 is what most of what is no UTF-8 is")
    #expect(tags.artist?.utf8.count == 1024)
  }

  @Test func probes_respondInOrder() throws {
    let worker = try WorkerProcess(ring: false)
    let names = ["tags.flac", "text.mp3", "a.opus", "long.untagged.mp3"]
    for (ticket, name) in names.enumerated() { try worker.probe(UInt32(ticket), Fixture.path(name)) }
    try worker.wait(for: "four answers", draining: false) { $0.events.count == 4 }
    guard case .response(0, .probed(let first)) = worker.events[0],
      case .response(1, .failed(let failure)) = worker.events[1],
      case .response(2, .probed(let third)) = worker.events[2],
      case .response(3, .probed(let fourth)) = worker.events[3]
    else {
      Issue.record("\(worker.events)")
      return
    }
    #expect(first.metadata.title == "Полёт")
    #expect(failure.kind == .unplayable)
    #expect(third.duration == SampleRate(48_000).time(of: Frames(Signal.cut)))
    // Without a header that states the number of frames, the frames were counted.
    #expect(fourth.durationKind == .exact)
    #expect(fourth.audio.gapless == .approximate)
  }
}
