// Pulse thread only.
internal import Glibc
internal import SegueSystem

/// Sound on its way to silence, or back, in a stream: half a cosine, which begins and ends without a corner.
struct Ramp {
  let start: Frames
  /// How far it is at `start` and at `end`: 0 is the sound as it is, 1 is silence.
  let from: Double
  let to: Double
  let end: Frames

  /// - Parameter whole: the frames from one to the other; less if it begins on the way.
  init(at start: Frames, from: Double, to: Double, whole: Frames) {
    self.start = start
    self.from = from
    self.to = to
    end = start + Frames(Int64((abs(to - from) * Double(whole.count)).rounded()))
  }

  /// How far it is at `frame`: before and behind it as at its ends.
  func depth(at frame: Frames) -> Double {
    if frame >= end { return to }
    if frame <= start { return from }
    let part = Double((frame - start).count) / Double((end - start).count)
    return from + (to - from) * part
  }

  /// What is left of a sample at `frame`.
  private func gain(at frame: Frames) -> Double { (1 + cos(depth(at: frame) * Double.pi)) / 2 }

  /// `pcm`: whole frames, the first of which is `first` of the stream, and not before the ramp. The server is told the
  /// sooner the less is computed: behind the ramp nothing is.
  func shape(_ pcm: UnsafeMutableRawBufferPointer, first: Frames, of format: AudioFormat) {
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
