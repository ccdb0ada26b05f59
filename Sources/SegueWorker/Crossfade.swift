// Decoding thread only.
internal import Glibc
internal import SegueSystem

/// The end of one track sounds on under the beginning of the next: the one along a cosine, the other along a sine, so
/// that the power of two that have nothing to do with each other stays what it is.
struct Crossfade {
  /// How long it is, and how much of it is done; in frames.
  let length: Int
  private var done = 0

  init(length: Int) { self.length = length }

  var left: Int { length - done }

  /// Mixes `new` into `old`, which is as long: whole frames of `channels` samples. nil is silence.
  mutating func mix(_ new: UnsafeRawBufferPointer?, into old: UnsafeMutableRawBufferPointer, channels: Int) {
    let target = old.assumingMemoryBound(to: Float.self)
    let source = new?.assumingMemoryBound(to: Float.self)
    for frame in 0..<target.count / channels {
      let angle = (Double(done + frame) + 0.5) / Double(length) * Double.pi / 2
      let (fall, rise) = (Float(cos(angle)), Float(sin(angle)))
      for sample in frame * channels..<(frame + 1) * channels {
        target[sample] = target[sample] * fall + (source?[sample] ?? 0) * rise
      }
    }
    done += target.count / channels
  }
}
