import SegueOutput
import SeguePulse
import SegueRing
import SegueSystem
import SegueTestKit
import Testing

/// Tests that PCM reaches the sink exactly as it was written to the ring. A pipe sink records it.
@Suite(.serialized) struct BitExactTests {
  @Test(arguments: [(SampleFormat.signed16, "s16le"), (.signed32, "s32le"), (.float32, "float32le")])
  func everySampleFormatArrivesBitExact(_ sample: SampleFormat, _ name: String) throws {
    let format = AudioFormat(sample: sample, rate: .cd, channels: .stereo)
    let server = try PulseServer([.pipe("test", format: name)])
    let recorder = try server.readFIFO("test")
    let fixture = SinkFixture(server)
    var worker = try StubWorker()
    let pcm = noise(44_100 + 17, format)
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), format, pcm)
    fixture.expect(.finished(Generation(1)))
    let recording = try #require(recorder.sound())
    #expect(recording.prefix(pcm.count).elementsEqual(pcm))
  }

  @Test func twoGenerationsPlayWithoutAGap() throws {
    let server = try PulseServer([.pipe("test")])
    let recorder = try server.readFIFO("test")
    let fixture = SinkFixture(server)
    var worker = try StubWorker()
    let one = noise(50_001, .cd, seed: 1)
    let two = noise(60_003, .cd, seed: 2)
    fixture.sink.send(.play(Generation(1), worker.ring, paused: false))
    fixture.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    worker.play(Generation(1), .cd, one)
    worker.play(Generation(2), .cd, two)
    fixture.expect(.finished(Generation(2)))
    let recording = try #require(recorder.sound())
    #expect(recording.prefix(one.count + two.count) == (one + two)[...])
  }
}
