import SegueLink
import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Files that are not what they say.
@Suite struct BrokenTests {
  @Test(arguments: [
    ("empty.flac", "empty"), ("text.mp3", "not audio"), ("hollow.flac", "cut off"),
    ("headless.m4a", "cut off"), ("silent.mp4", "no audio stream"), ("list.wav", ""), ("concat.flac", ""),
  ])
  func failsWithAReason(_ name: String, _ reason: String) throws {
    let worker = try WorkerProcess()
    try worker.open(1, Fixture.path(name))
    try worker.wait(for: "the failure") { $0.failure(of: 1) != nil }
    let failure = try #require(worker.failure(of: 1))
    #expect(failure.kind == .unplayable)
    #expect(failure.message.contains(reason), "\(failure.message)")
    #expect(worker.takes.isEmpty)
    // And it goes on to work.
    try worker.follow(2, Fixture.path("a.flac"), after: 1)
    let next = try worker.take(2)
    #expect(next.end == Frames(Signal.cut))
  }

  @Test func aTruncatedFilePlaysAsFarAsItGoes() throws {
    let (take, worker) = try Fixture.decode("truncated.flac")
    let original = try Fixture.samples(ofWave: "a.wav")
    #expect(take.bytes.count > original.count / 8)
    #expect(take.bytes == Array(original[..<take.bytes.count]))
    #expect(worker.duration(of: 1) == SampleRate.cd.time(of: take.end ?? .zero))
  }

  @Test func onlyTheNetworksSchemesAreOpened() throws {
    let worker = try WorkerProcess(.network)
    let addresses = [
      "file:///etc/hostname", "/etc/hostname", "concat:/etc/hostname", "subfile,,start,0,end,9,,:/x", "",
    ]
    for (index, url) in addresses.enumerated() {
      let generation = UInt32(index + 1)
      try worker.send(.open(.init(generation), MediaSource(name: "x", url: url), start: .zero))
      try worker.wait(for: "the failure of \(url)") { $0.failure(of: generation) != nil }
      #expect(worker.failure(of: generation)?.kind == .unavailable)
    }
  }
}
