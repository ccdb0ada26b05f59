import Glibc
import SegueSystem

extension AudioFormat {
  static let cd = AudioFormat(sample: .signed16, rate: .cd, channels: .stereo)
}

/// Waits until a descriptor is readable, at most 20 s.
func waitUntilReadable(_ descriptor: Int32) {
  var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  poll(&watched, 1, 20_000)
}

/// Returns PCM with a long period and without zero bytes, so that a wrong, missing or repeated frame is detected.
func noise(_ frames: Int, _ format: AudioFormat, seed: UInt64 = 1) -> [UInt8] {
  let words = (frames * format.bytesPerFrame + 3) / 4
  return [UInt8](unsafeUninitializedCapacity: words * 4) { buffer, count in
    let slots = UnsafeMutableRawBufferPointer(buffer).bindMemory(to: UInt32.self)
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    for index in 0..<words {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // As floats these values are within ±2: a server does not clip them or flush them to zero, and none is infinite.
      slots[index] = UInt32(truncatingIfNeeded: state >> 32) & 0x3F3F_3F3F | 0x0101_0101
    }
    count = frames * format.bytesPerFrame
  }
}

/// Returns PCM of a constant level, which is easy to find in a recording.
func level(_ value: Int16, frames: Int, channels: Int = 2) -> [UInt8] {
  let samples = frames * channels
  return [UInt8](unsafeUninitializedCapacity: samples * 2) { buffer, count in
    UnsafeMutableRawBufferPointer(buffer).bindMemory(to: Int16.self).initialize(repeating: value)
    count = samples * 2
  }
}

/// Returns frames of 4 bytes without those that are zero. `noise` has none of those.
func withoutSilence(_ bytes: [UInt8]) -> [UInt8] {
  bytes.withUnsafeBytes { source in
    [UInt8](unsafeUninitializedCapacity: bytes.count) { target, count in
      let frames = source.bindMemory(to: UInt32.self)
      let kept = UnsafeMutableRawBufferPointer(target).bindMemory(to: UInt32.self)
      for frame in frames where frame != 0 {
        kept[count] = frame
        count += 1
      }
      count *= 4
    }
  }
}
