internal import Glibc

/// Wave files that contain parts of one sine, so that missing, repeated or wrong samples between two files show.
public enum SineWave {
  /// Returns a wave file with 16 bits per sample and equal channels. `frames` are those of the sine.
  public static func wave(_ frames: Range<Int>, hertz: Double = 997, rate: Int = 44_100, channels: Int = 2) -> [UInt8] {
    let count = frames.count * channels * 2
    var bytes = joined("RIFF".utf8, little(UInt32(36 + count)), "WAVEfmt ".utf8, little(UInt32(16)))
    bytes += little(UInt16(1)) + little(UInt16(channels)) + little(UInt32(rate)) + little(UInt32(rate * channels * 2))
    bytes += joined(little(UInt16(channels * 2)), little(UInt16(16)), "data".utf8, little(UInt32(count)))
    return bytes
      + [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        let samples = UnsafeMutableRawBufferPointer(buffer).bindMemory(to: Int16.self)
        for index in 0..<frames.count {
          let sample = Int16(Self.at(frames.lowerBound + index, hertz: hertz, rate: rate) * 32_768)
          for channel in 0..<channels { samples[index * channels + channel] = sample }
        }
        filled = count
      }
  }

  /// Returns a sample of the sine, at half of full scale.
  public static func at(_ frame: Int, hertz: Double = 997, rate: Int) -> Double {
    0.5 * sin(2 * Double.pi * hertz * Double(frame) / Double(rate))
  }

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
