// Thread: the pulse thread.
internal import SegueOutput
internal import SegueSystem

/// A controller of the short fade on pause and stop.
///
/// At that time two seconds of sound are at the server. They are written again with a ramp that ends in silence. Once
/// the silence is reached, the stream is corked. After a pause the PCM that was not played is written a second time, so
/// that the sound continues with the first silent frame, on a ramp as well. The fade does not change the volume of the
/// stream: that belongs to the user, and servers remember it.
final class FadeController {
  private struct Fade {
    let ramp: Ramp
    /// The clock as it continues during the ramp. The published clock already stands at the ramp's end.
    let clock: SinkClock
    /// Fires at the end of the ramp.
    let timer: PulseTimer
    /// Whether the stream is closed at the end.
    var closesStream = false

    /// The frame at the loudspeaker now, at most the end of the ramp.
    var position: Frames { min(clock.streamFrame(at: .now)?.frame ?? .zero, ramp.end) }
  }

  /// The time until PCM that replaces other PCM takes effect: it must reach the server, and a sink cannot rewind
  /// completely.
  private static let margin = MediaTime.milliseconds(30)
  /// The length of the buffer below which a sink may be unable to rewind. A sink with a longer buffer renders ahead,
  /// and can rewind.
  private static let maximumUnrewindableBuffer = MediaTime.milliseconds(200)
  /// The length of the silence after the ramp. It must outlast a delay of this process.
  private static let silence = MediaTime.milliseconds(500)

  private let connection: ServerConnection
  private let onEnd: () -> Void
  /// The time from full level to silence; zero: no fade.
  var length = MediaTime.zero
  /// The fade in progress. No PCM is pumped meanwhile.
  private var fade: Fade?

  /// - Parameter onEnd: is called when the ramp has been played.
  init(_ connection: ServerConnection, onEnd: @escaping () -> Void) {
    self.connection = connection
    self.onEnd = onEnd
  }

  var isEnabled: Bool { length > .zero }

  var isActive: Bool { fade != nil }

  /// The first silent frame of the fade in progress.
  var end: Frames? { fade?.ramp.end }

  /// Whether the stream is to be closed at the end of the fade in progress.
  var closesStream: Bool { fade?.closesStream == true }

  /// Makes the end of the fade in progress close the stream.
  func closeStreamAtEnd() { fade?.closesStream = true }

  func cancel() { fade = nil }

  /// Starts a fade to silence. Returns false if the sound does not fade, or ends too soon to fade.
  func start(on stream: PlaybackStream, _ timeline: Timeline) -> Bool {
    guard isEnabled, !isActive, !connection.isUnresponsive, let context = connection.context, stream.isReady,
      !stream.isCorked,
      let (position, isAdvancing) = timeline.clock.streamFrame(at: .now), isAdvancing,
      case let start = firstReplaceable(after: position, in: stream, timeline), start < timeline.written,
      stream.writer.canRewrite(size(from: position, in: stream, timeline))
    else { return false }
    // After a recent resume the sound may not have reached full level.
    let ramp = Ramp(
      at: start, from: timeline.resumeRamp?.depth(at: start) ?? 0, to: 1,
      fullLength: min(timeline.rate.frames(in: length), timeline.written - start))
    stream.writer.rewrite(
      size(from: start, in: stream, timeline), silence: stream.format.bytes(in: Self.silence),
      shape: shaper(ramp, stream.format))
    let rest = timeline.rate.time(of: ramp.end - position) + Self.margin
    fade = Fade(ramp: ramp, clock: timeline.clock, timer: context.timer(after: rest, onEnd))
    return true
  }

  /// Reverses the ramp: the sound comes back from its present level. Returns false if the ramp is about to end, which
  /// leaves no frame to change.
  func reverse(on stream: PlaybackStream, _ timeline: inout Timeline) -> Bool {
    guard let fade else { return false }
    let start = firstReplaceable(after: fade.position, in: stream, timeline)
    guard start < fade.ramp.end else { return false }
    self.fade = nil
    let ramp = Ramp(
      at: start, from: fade.ramp.depth(at: start), to: 0, fullLength: timeline.rate.frames(in: length))
    stream.writer.rewrite(size(from: start, in: stream, timeline), shape: shaper(ramp, stream.format))
    timeline.resume(fade.clock, on: ramp)
    return true
  }

  /// Ends the fade in progress and corks the stream. What was not played is written to the server again, with a ramp on
  /// which the sound will continue. Returns the frame at which the sound stopped: as the server reports it, or else as
  /// the clock estimates it.
  func finish(on stream: PlaybackStream, _ timeline: inout Timeline) -> Frames? {
    guard let fade else { return nil }
    self.fade = nil
    var position = fade.position
    if !stream.isCorked {
      stream.cork(true)
    } else if let read = stream.timing?.read, stream.writer.canRewrite(size(from: read, in: stream, timeline)) {
      position = min(read, fade.ramp.end)
    }
    let ramp = Ramp(at: position, from: 1, to: 0, fullLength: timeline.rate.frames(in: length))
    stream.flush(keepingLast: size(from: position, in: stream, timeline), shape: shaper(ramp, stream.format))
    timeline.resumeRamp = ramp
    return position
  }

  /// Returns the first frame after `position` that can still be replaced by writing it again.
  private func firstReplaceable(after position: Frames, in stream: PlaybackStream, _ timeline: Timeline) -> Frames {
    let buffer = stream.sinkBuffer
    return position + timeline.rate.frames(in: Self.margin + (buffer < Self.maximumUnrewindableBuffer ? buffer : .zero))
  }

  /// Returns the number of bytes from `frame` of the stream to the end of what was written.
  private func size(from frame: Frames, in stream: PlaybackStream, _ timeline: Timeline) -> Int {
    Int((timeline.written - frame).count) * stream.format.bytesPerFrame
  }

  /// Returns a function that applies `ramp` to one piece after the other, from the ramp's start on.
  private func shaper(_ ramp: Ramp, _ format: AudioFormat) -> (UnsafeMutableRawBufferPointer) -> Void {
    var next = ramp.start
    return { piece in
      ramp.apply(to: piece, first: next, of: format)
      next += Frames(piece.count / format.bytesPerFrame)
    }
  }
}
