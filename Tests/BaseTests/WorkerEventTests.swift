import SegueRing
import SegueSystem
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests that the daemon limits the events of a malicious worker.
struct WorkerEventTests {
  private func event(_ packet: String) -> WorkerEvent? { WorkerEvent(LinkPacket(bytes: Array(packet.utf8))) }

  @Test(arguments: [
    ("-9223372036854775808", MediaTime.zero), ("9223372036854775807", .maximum), ("5", .init(nanoseconds: 5)),
  ])
  func times_areLimitedToMaximumDuration(_ given: String, _ expected: MediaTime) throws {
    let title = event(#"{"event":"title","generation":1,"title":"x","at":\#(given)}"#)
    #expect(title == .decoding(Generation(1), .title("x", at: expected)))
    let ended = event(#"{"event":"ended","generation":1,"duration":\#(given)}"#)
    #expect(ended == .decoding(Generation(1), .ended(duration: expected)))
  }

  @Test func mediaInfo_isLimitedToPlausibleValues() throws {
    let long = String(repeating: "é", count: 60_000)
    let text = "\"\(long)\""
    let values = "[" + [String](repeating: text, count: 100).joined(separator: ",") + "]"
    let info = """
      {"audio":{"codec":\(text),"container":\(text)},"duration":-5,"metadata":{"title":\(text),"artists":\(values),\
      "genre":["a","b"],"art":"file:///\(long)"}}
      """
    let probed = event(#"{"event":"probed","ticket":1,"info":\#(info)}"#)
    guard case .response(1, .probed(let info)) = probed else {
      Issue.record("the event is invalid")
      return
    }
    #expect(info.duration == .zero)
    #expect(info.metadata.title == String(repeating: "é", count: Metadata.maximumTextSize / 2))
    #expect(info.metadata.artists.isEmpty)
    #expect(info.metadata.genre == ["a", "b"])
    #expect(info.metadata.art == nil, "a truncated URI would refer to a different file")
    #expect(info.audio.codec.utf8.count <= 64 && info.audio.container.utf8.count <= 64)
    let failed = event(#"{"event":"requestFailed","ticket":1,"message":\#(text)}"#)
    guard case .response(1, .failed(let failure)) = failed else {
      Issue.record("the event is invalid")
      return
    }
    #expect(failure.message.utf8.count == Metadata.maximumTextSize)
    let template = event(
      #"{"event":"requestFailed","ticket":1,"message":"m","template":"%1$s %2$s","arguments":[\#(text),\#(text)]}"#)
    guard case .response(1, .failed(let failure)) = template else {
      Issue.record("the event is invalid")
      return
    }
    let arguments = failure.localizableMessage.arguments.map { if case .text(let text) = $0 { text } else { "" } }
    #expect(arguments.count == 2 && arguments.allSatisfy { (1_000...5_120).contains($0.utf8.count) })
  }

  @Test(arguments: [
    ("aéб😀", 9, "aéб😀"), ("aéб😀", 8, "aéб"), ("aéб😀", 4, "aé"), ("aéб😀", 2, "a"), ("é", 1, ""), ("", 0, ""),
  ])
  func truncated_splitsBetweenScalars(_ text: String, _ count: Int, _ expected: String) {
    #expect(text.truncated(to: count) == expected)
  }

  /// The time is limited for every number of frames and every sample rate.
  @Test(arguments: [Int64.min, -1, 0, 1, Int64.max], [UInt32(1), 44_100, 1_000_000])
  func times_areWithinMaximumDuration(frames: Int64, hertz: UInt32) {
    let rate = SampleRate(hertz)
    let time = rate.time(of: Frames(frames))
    #expect(abs(time.nanoseconds) <= MediaTime.maximum.nanoseconds)
    if (0...1).contains(frames) { #expect(rate.frames(in: time) == Frames(frames)) }
    #expect(abs(rate.frames(in: MediaTime(nanoseconds: frames)).count) <= rate.frames(in: .maximum).count)
  }
}
