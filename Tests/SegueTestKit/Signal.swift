/// A signal of numbered frames. Frame n is the 32-bit number n + 1, with the low half in the left channel and the high
/// half in the right. A recording therefore identifies every frame, and shows lost, repeated or unknown ones.
public enum Signal {
  public static let rate = 44_100

  /// Returns the PCM of `frames` (s16le, stereo).
  public static func pcm(_ frames: Range<Int>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: frames.count * 4) { buffer, count in
      let numbers = UnsafeMutableRawBufferPointer(buffer).bindMemory(to: UInt32.self)
      var number = UInt32(frames.lowerBound)
      // A plain loop, because generic calls for every frame take seconds in a debug build.
      for index in 0..<frames.count {
        number += 1
        numbers[index] = number.littleEndian
      }
      count = frames.count * 4
    }
  }
}

extension Signal {
  /// Returns the PCM of `frames` as s32le. A sample is the upper half of its 32 bits.
  public static func widePCM(_ frames: Range<Int>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: frames.count * 8) { buffer, count in
      let samples = UnsafeMutableRawBufferPointer(buffer).bindMemory(to: UInt32.self)
      var number = UInt32(frames.lowerBound)
      for index in 0..<frames.count {
        number += 1
        samples[index * 2] = (number << 16).littleEndian
        samples[index * 2 + 1] = (number & 0xFFFF_0000).littleEndian
      }
      count = frames.count * 8
    }
  }
}
