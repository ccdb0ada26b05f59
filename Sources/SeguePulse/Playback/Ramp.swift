// Thread: the pulse thread.
internal import Glibc
internal import SegueSystem

/// A gain ramp in a stream, to silence or back: half a cosine, whose slope is zero at both ends.
struct Ramp {
  let start: Frames
  let end: Frames
  /// The depth at `start`: 0 is full level, 1 is silence.
  let from: Double
  /// The depth at `end`.
  let to: Double

  /// - Parameter fullLength: the frames from full level to silence; the ramp is shorter if it covers a part of that.
  init(at start: Frames, from: Double, to: Double, fullLength: Frames) {
    self.start = start
    self.from = from
    self.to = to
    end = start + Frames(Int64((abs(to - from) * Double(fullLength.count)).rounded()))
  }

  /// Returns the depth at `frame`. Before and after the ramp, the depth is that of its ends.
  func depth(at frame: Frames) -> Double {
    if frame >= end { return to }
    if frame <= start { return from }
    let part = Double((frame - start).count) / Double((end - start).count)
    return from + (to - from) * part
  }

  private func gain(at frame: Frames) -> Double { (1 + cos(depth(at: frame) * Double.pi)) / 2 }

  /// Applies the ramp to `pcm`: whole frames, the first of which is the frame `first` of the stream, and not before the
  /// ramp. After the ramp nothing is computed, because the server gets the PCM sooner that way.
  func apply(to pcm: UnsafeMutableRawBufferPointer, first: Frames, of format: AudioFormat) {
    let size = format.bytesPerFrame
    let count = Int((end - first).count.clamped(to: 0...Int64(pcm.count / size)))
    let frames = first..<first + Frames(count)
    let channels = Int(format.channels.count)
    switch format.sample {
    case .signed16: scale(pcm.bindMemory(to: Int16.self), frames, channels) { Int16((Double($0) * $1).rounded()) }
    case .signed32: scale(pcm.bindMemory(to: Int32.self), frames, channels) { Int32((Double($0) * $1).rounded()) }
    case .float32: scale(pcm.bindMemory(to: Float.self), frames, channels) { Float(Double($0) * $1) }
    }
    if to == 1 {
      UnsafeMutableRawBufferPointer(rebasing: pcm[(count * size)...]).initializeMemory(as: UInt8.self, repeating: 0)
    }
  }

  private func scale<Sample>(
    _ samples: UnsafeMutableBufferPointer<Sample>, _ frames: Range<Frames>, _ channels: Int,
    _ scaled: (Sample, Double) -> Sample
  ) {
    var frame = frames.lowerBound
    var index = 0
    while frame < frames.upperBound {
      let gain = gain(at: frame)
      for _ in 0..<channels {
        samples[index] = scaled(samples[index], gain)
        index += 1
      }
      frame += Frames(1)
    }
  }
}
