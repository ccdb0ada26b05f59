// Decoding thread only.
internal import SegueRing
internal import SegueSystem

/// The ring as the worker fills it: marks where formats and tracks change, whole frames in between, up to about ten
/// seconds ahead.
final class RingOutput {
  private var producer: RingProducer
  let ring: SharedRing
  private let capacity: Int
  /// Bytes written since the ring was adopted.
  private var written: Int64 = 0
  /// `written` when the last `open` came: what lies before it is of no use to anybody.
  private var fresh: Int64 = 0
  private var format: AudioFormat?

  private static let ahead = 10

  init(_ ring: SharedRing) {
    self.ring = ring
    producer = RingProducer(ring)
    capacity = producer.free + producer.unread
  }

  /// What was written so far is stale.
  func startAnew() { fresh = written }

  var canMark: Bool { producer.canWriteMarker }

  func begin(_ generation: Generation, _ format: AudioFormat, at frame: Frames) {
    self.format = format
    producer.writeMarker(StreamMarker(kind: .begin, generation: generation, format: format, mediaFrame: frame))
  }

  func end(_ generation: Generation, _ format: AudioFormat, at frame: Frames) {
    producer.writeMarker(StreamMarker(kind: .end, generation: generation, format: format, mediaFrame: frame))
    producer.signal()
  }

  /// Writes whole frames for as long as there is room. Returns the bytes taken.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let format else { return 0 }
    let room = producer.free / format.bytesPerFrame * format.bytesPerFrame
    let taken = producer.write(UnsafeRawBufferPointer(rebasing: bytes[..<min(room, bytes.count)]))
    written += Int64(taken)
    if unreadFresh >= format.bytesPerSecond / 10 { producer.signal() }
    return taken
  }

  /// Whether enough lies ahead of the consumer.
  var isFilled: Bool { unreadFresh >= target }

  /// Lets the consumer look, whatever there is by now.
  func signal() { producer.signal() }

  /// False if there is room already; otherwise `ring.space` will be raised once there is.
  func prepareToSleep() -> Bool {
    // With no room for a mark there may be no PCM at all: only the marks say when it goes on.
    canMark
      ? producer.prepareToWait(untilUnreadIsAtMost: target / 2) : producer.prepareToWaitForMarkerSpace()
  }

  func wake() { producer.stopWaiting() }

  private var unreadFresh: Int { min(producer.unread, Int(written - fresh)) }

  private var target: Int {
    guard let format else { return capacity }
    return min(Self.ahead * format.bytesPerSecond, capacity)
  }
}
