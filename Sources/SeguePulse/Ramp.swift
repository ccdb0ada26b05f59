// Pulse thread only.
internal import Glibc
internal import SegueSystem

/// Sound on its way to silence, or back, in a stream: half a cosine, which begins and ends without a corner.
struct Ramp: Equatable {
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
  private func gain(at frame: Frames) -> Double {
    switch depth(at: frame) {
    case 0: 1
    case 1: 0
    case let depth: (1 + cos(depth * Double.pi)) / 2
    }
  }

  /// `pcm`: whole frames, the first of which is `first` of the stream.
  func shape(_ pcm: UnsafeMutableRawBufferPointer, first: Frames, of format: AudioFormat) {
    let channels = Int(format.channels.count)
    switch format.sample {
    case .signed16:
      scale(pcm.bindMemory(to: Int16.self), first, channels) { Int16(clamping: Int((Double($0) * $1).rounded())) }
    case .signed32:
      scale(pcm.bindMemory(to: Int32.self), first, channels) { Int32(clamping: Int((Double($0) * $1).rounded())) }
    case .float32:
      scale(pcm.bindMemory(to: Float.self), first, channels) { Float(Double($0) * $1) }
    }
  }

  private func scale<Sample>(
    _ samples: UnsafeMutableBufferPointer<Sample>, _ first: Frames, _ channels: Int,
    _ scaled: (Sample, Double) -> Sample
  ) {
    for index in stride(from: 0, to: samples.count, by: channels) {
      let gain = gain(at: first + Frames(index / channels))
      for sample in index..<index + channels { samples[sample] = scaled(samples[sample], gain) }
    }
  }
}
