// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueRing
internal import SegueSystem
internal import SegueWorkerProtocol

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
