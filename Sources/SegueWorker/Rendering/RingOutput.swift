// Thread: the decoding thread.

internal import SegueFFmpeg
internal import SegueRing
internal import SegueSystem
internal import SegueWorkerProtocol

/// A receiver of PCM: whole frames, with markers between them.
protocol PCMReceiver: AnyObject {
  var canWriteMarker: Bool { get }

  /// Writes a marker between what was written and what will be written.
  func write(_ marker: StreamMarker)

  /// Writes whole frames as long as there is room. Returns the number of bytes that were written.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int
}

/// The worker's end of the ring. It writes markers where formats and tracks change, and whole frames between them, up
/// to about ten seconds ahead of playback.
final class RingOutput: PCMReceiver {
  private var producer: RingProducer
  let ring: SharedRing
  private let capacity: Int
  /// The number of bytes written since the ring was attached.
  private var written: Int64 = 0
  /// The value of `written` at the last `open` or `restart` command. The daemon discards everything before it.
  private var staleEnd: Int64 = 0
  private var format: AudioFormat?

  private static let secondsAhead = 10

  init(_ ring: SharedRing) {
    self.ring = ring
    producer = RingProducer(ring)
    capacity = producer.free + producer.unread
  }

  /// Marks everything that was written as stale.
  func markStale() { staleEnd = written }

  var canWriteMarker: Bool { producer.canWriteMarker }

  func write(_ marker: StreamMarker) {
    producer.writeMarker(marker)
    switch marker.kind {
    case .begin: format = marker.format
    case .end: producer.signal()
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let format else { return 0 }
    let room = producer.free / format.bytesPerFrame * format.bytesPerFrame
    let taken = producer.write(UnsafeRawBufferPointer(rebasing: bytes[..<min(room, bytes.count)]))
    written += Int64(taken)
    if unreadFresh >= format.bytesPerSecond / 10 { producer.signal() }
    return taken
  }

  /// Whether the ring contains enough PCM ahead of playback.
  var isFilled: Bool { unreadFresh >= bytesAhead }

  /// Whether the consumer has enough to read for now, so that other processes may use the processor first: two seconds,
  /// as much as the sound server takes, or a tenth of a second while playback starts, which is from 0.3 s to 2.5 s
  /// after the last `open` or `restart`. Later, the ring must be filled although other processes are busy.
  var hasEnoughForNow: Bool {
    guard let format else { return false }
    let tenth = format.bytesPerSecond / 10
    let isStarting = (3 * tenth..<25 * tenth).contains(Int(written - staleEnd))
    return unreadFresh >= 20 * tenth || isStarting && unreadFresh >= tenth
  }

  /// The length of the audio that was not read yet.
  var timeLeft: MediaTime {
    guard let format else { return .zero }
    return MediaTime(seconds: Double(unreadFresh) / Double(format.bytesPerSecond))
  }

  /// Wakes the consumer regardless of the amount of PCM.
  func signal() { producer.signal() }

  /// Prepares to wait for room or, if a length is given, until only that much audio is left. If that is so already,
  /// returns false. Otherwise the consumer raises `ring.space` when it is.
  func prepareToWait(untilLeft left: MediaTime? = nil) -> Bool {
    // If there is no room for a marker, there may be no PCM in the ring. Then only a consumed marker makes room.
    guard canWriteMarker else { return producer.prepareToWaitForMarkerSpace() }
    let wanted = format.flatMap { format in left.map { Int($0.seconds * Double(format.bytesPerSecond)) } }
    return producer.prepareToWait(untilUnreadIsAtMost: min(wanted ?? .max, bytesAhead / 2))
  }

  func stopWaiting() { producer.stopWaiting() }

  /// The number of unread bytes that are not stale.
  private var unreadFresh: Int { min(producer.unread, Int(written - staleEnd)) }

  /// The number of bytes to write ahead of playback.
  private var bytesAhead: Int {
    guard let format else { return capacity }
    return min(Self.secondsAhead * format.bytesPerSecond, capacity)
  }
}

/// A changer of the speed of rendered PCM, between the renderer and the ring.
///
/// A stretcher needs a tenth of a second more of its input than it returns. It goes on from track to track while speed
/// and format stay the same. The marker of the end of a track therefore waits for PCM of the following track, and the
/// events after that marker wait with it, because the daemon expects them in this order. Only `decoded` is sent before.
final class SpeedChanger: PCMReceiver {
  private let output: RingOutput
  private let events: EventSender
  private let buffer = RenderBuffer()
  /// The stretcher; nil while PCM is passed on unchanged.
  private var stretcher: TimeStretcher?

  /// The maximum number of bytes to stretch at a time, so that a command is not delayed.
  private static let maximumPiece = 16 << 10

  init(_ output: RingOutput, _ events: EventSender) {
    self.output = output
    self.events = events
  }

  /// Reports `event` once everything is in the ring that precedes it.
  func report(_ generation: Generation, _ event: DecodingEvent) {
    if buffer.hasMarkers { buffer.append(generation, event) } else { events.send(generation, event) }
  }

  // MARK: Input

  var canWriteMarker: Bool { isPassive ? output.canWriteMarker : true }

  func write(_ marker: StreamMarker) {
    var marker = marker
    switch marker.kind {
    case .begin:
      prepare(marker.format, marker.speed)
      marker.speed = stretcher?.speed ?? .normal
    case .end: break
    }
    if isPassive {
      output.write(marker)
    } else {
      buffer.append(marker, bytesBeforeEnd: -pending)
    }
  }

  /// Prepares for PCM in `format` that is played at `speed`.
  private func prepare(_ format: AudioFormat, _ speed: PlaybackSpeed) {
    if format != stretcher?.format || speed != stretcher?.speed {
      finish()
      stretcher = speed == .normal ? nil : TimeStretcher(format, speed: speed)
      if stretcher == nil, speed != .normal {
        Log.warning(
          "played at the original speed: audio with \(format.channels.count) channels at \(format.rate.hertz) Hz cannot be "
            + "stretched")
      }
    }
  }

  /// Takes frames if the ring has taken all earlier ones.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    if isPassive { return output.write(bytes) }
    guard let stretcher, buffer.count == 0 else { return 0 }
    let frameSize = stretcher.format.bytesPerFrame
    let count = min(bytes.count, max(1, Self.maximumPiece / frameSize) * frameSize)
    buffer.append(stretcher.stretch(UnsafeRawBufferPointer(rebasing: bytes[..<count])))
    return count
  }

  // MARK: Output

  /// Whether everything that was written is in the ring.
  var isEmpty: Bool { buffer.isEmpty && pending == 0 }

  /// Writes stretched PCM to the ring. Returns false if that is full.
  func flush() -> Bool { buffer.flush(into: output, report: events.send(_:_:)) }

  /// Completes the output for all input so far, because nothing continues it.
  func finish() {
    guard let stretcher else { return }
    buffer.append(stretcher.finish())
    self.stretcher = nil
  }

  /// Discards all that is not in the ring.
  func discard() {
    buffer.removeAll()
    stretcher = nil
  }

  /// Discards what follows the end of `generation`, whose input is complete.
  func discard(after generation: Generation) {
    finish()
    if !buffer.removeAll(afterEndOf: generation) { buffer.removeAll() }
  }

  // MARK: Details

  /// Whether PCM is passed on as it is.
  private var isPassive: Bool { stretcher == nil && buffer.isEmpty }

  /// The number of bytes of output that are still to come for the input so far.
  private var pending: Int {
    guard let stretcher else { return 0 }
    return Int(stretcher.pending.count) * stretcher.format.bytesPerFrame
  }
}
