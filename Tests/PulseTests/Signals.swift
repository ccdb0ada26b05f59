import Glibc
import SegueSystem

extension AudioFormat {
  static let cd = AudioFormat(sample: .signed16, rate: .cd, channels: .stereo)
}

/// Waits for a descriptor, at most 20 s.
func waitUntilReadable(_ descriptor: Int32) {
  var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  poll(&watched, 1, 20_000)
}

/// PCM that repeats nowhere soon, and has no byte 0: a wrong, missing or doubled frame shows.
func noise(_ frames: Int, _ format: AudioFormat, seed: UInt64 = 1) -> [UInt8] {
  let words = (frames * format.bytesPerFrame + 3) / 4
  return [UInt8](unsafeUninitializedCapacity: words * 4) { buffer, count in
    let slots = UnsafeMutableRawBufferPointer(buffer).bindMemory(to: UInt32.self)
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    for index in 0..<words {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // As floats these lie within ±2: no infinity, and nothing that a server would have to clip or flush to zero.
      slots[index] = UInt32(truncatingIfNeeded: state >> 32) & 0x3F3F_3F3F | 0x0101_0101
    }
    count = frames * format.bytesPerFrame
  }
}

/// A constant level: where it is heard is easily seen.
func level(_ value: Int16, frames: Int, channels: Int = 2) -> [UInt8] {
  let samples = frames * channels
  return [UInt8](unsafeUninitializedCapacity: samples * 2) { buffer, count in
    UnsafeMutableRawBufferPointer(buffer).bindMemory(to: Int16.self).initialize(repeating: value)
    count = samples * 2
  }
}

/// Without the frames that are all zero, which noise has none of. Frames of 4 bytes.
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
