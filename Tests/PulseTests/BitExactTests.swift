import SeguePulse
import SegueRing
import SegueSystem
import SegueTestKit
import Testing

/// What goes into the ring comes out of the sink, frame by frame. A pipe sink shows it.
@Suite(.serialized) struct BitExactTests {
  @Test(arguments: [(SampleFormat.signed16, "s16le"), (.signed32, "s32le"), (.float32, "float32le")])
  func everyFormatArrivesBitForBit(_ sample: SampleFormat, _ name: String) throws {
    let format = AudioFormat(sample: sample, rate: .cd, channels: .stereo)
    let server = try PulseServer([.pipe("test", format: name)])
    let recorder = try server.readFIFO("test")
    let probe = SinkFixture(server)
    var worker = try Worker()
    let pcm = noise(44_100 + 17, format)
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    worker.play(Generation(1), format, pcm)
    probe.expect(.finished(Generation(1)))
    let heard = try #require(recorder.sound())
    #expect(heard.prefix(pcm.count).elementsEqual(pcm))
  }

  @Test func twoGenerationsJoinWithoutAGap() throws {
    let server = try PulseServer([.pipe("test")])
    let recorder = try server.readFIFO("test")
    let probe = SinkFixture(server)
    var worker = try Worker()
    let one = noise(50_001, .cd, seed: 1)
    let two = noise(60_003, .cd, seed: 2)
    probe.sink.send(.play(Generation(1), worker.ring, paused: false))
    probe.sink.send(.enqueue(Generation(2), worker.ring, after: Generation(1)))
    worker.play(Generation(1), .cd, one)
    worker.play(Generation(2), .cd, two)
    probe.expect(.finished(Generation(2)))
    let heard = try #require(recorder.sound())
    #expect(heard.prefix(one.count + two.count) == (one + two)[...])
  }
}
