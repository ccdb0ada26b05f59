// Thread: the decoding thread.
internal import CSoundTouch
package import SegueSystem

/// A stretcher of PCM in 32-bit float: it changes the speed and keeps the pitch (SoundTouch).
///
/// SoundTouch joins sequences of 40 to 90 ms, which are parts of the input, at the places where they match best. The
/// frame `n` of the output corresponds to the frame `n` × speed of the input, except that this is true on average only:
/// within a sequence, the input advances at its own speed, which makes a difference of up to 70 ms of the input.
package final class TimeStretcher {
  package let format: AudioFormat
  package let speed: PlaybackSpeed
  private let stretcher: OpaquePointer
  /// The number of frames that were put in.
  private var input = Frames.zero
  /// The number of frames that were returned.
  private var output = Frames.zero
  private var scratch: UnsafeMutableRawBufferPointer = .allocate(byteCount: 64 * 1024, alignment: 64)

  /// The highest rate that SoundTouch supports.
  package static let maximumRate = SampleRate(192_000)

  /// The number of frames of silence that push the rest of the output out, at a time.
  private static let silence = 4096

  /// Returns nil if SoundTouch does not support so many channels, or a rate above `maximumRate`.
  package init?(_ format: AudioFormat, speed: PlaybackSpeed) {
    precondition(format.sample == .float32, "SoundTouch processes samples in 32-bit float")
    guard let stretcher = segue_stretcher_create(format.rate.hertz, UInt32(format.channels.count), speed.factor) else {
      return nil
    }
    self.format = format
    self.speed = speed
    self.stretcher = stretcher
  }

  deinit {
    segue_stretcher_destroy(stretcher)
    scratch.deallocate()
  }

  /// The number of frames of the output that is still to come for the input so far.
  package var pending: Frames { max(.zero, speed.frames(toPlay: input) - output) }

  /// Puts in `bytes`, which are whole frames, and returns the output that is ready. It is valid until the next call.
  package func stretch(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    put(bytes)
    input += Frames(bytes.count / format.bytesPerFrame)
    return take(atMost: pending)
  }

  /// Returns all output that is pending. It is valid until the next call. Nothing must be put in after that.
  package func finish() -> UnsafeRawBufferPointer {
    let wanted = pending
    let silence = [UInt8](repeating: 0, count: Self.silence * format.bytesPerFrame)
    while segue_stretcher_available(stretcher) < wanted.count { silence.withUnsafeBytes(put) }
    return take(atMost: wanted)
  }

  private func put(_ bytes: UnsafeRawBufferPointer) {
    let frames = bytes.count / format.bytesPerFrame
    guard frames > 0, let samples = bytes.baseAddress?.assumingMemoryBound(to: Float.self) else { return }
    segue_stretcher_put(stretcher, samples, UInt32(frames))
  }

  private func take(atMost limit: Frames) -> UnsafeRawBufferPointer {
    let count = min(limit.count, Int64(segue_stretcher_available(stretcher)))
    let size = Int(count) * format.bytesPerFrame
    if size > scratch.count {
      scratch.deallocate()
      scratch = .allocate(byteCount: size, alignment: 64)
    }
    let target = scratch.baseAddress?.assumingMemoryBound(to: Float.self)
    let taken = segue_stretcher_take(stretcher, target, UInt32(count))
    output += Frames(Int64(taken))
    return UnsafeRawBufferPointer(rebasing: scratch[..<(Int(taken) * format.bytesPerFrame)])
  }
}
