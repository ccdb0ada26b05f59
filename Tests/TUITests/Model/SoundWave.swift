import Glibc
import SegueSystem
import SegueWire

@testable import SegueTUI

/// A sound of sines, as the daemon sends it.
struct SoundWave {
  struct Sine {
    let hertz: Double
    /// The amplitude, of which 1 is full scale, in each channel.
    let left: Double
    let right: Double
  }

  var sines: [Sine]
  var rate = 44_100
  private(set) var next = 0

  init(_ sines: [Sine]) { self.sines = sines }

  /// Creates a sine that is equal in both channels.
  init(hertz: Double, amplitude: Double) { sines = [Sine(hertz: hertz, left: amplitude, right: amplitude)] }

  /// Returns the next samples.
  mutating func event(_ count: Int = 1_470) -> Sound {
    var left: [UInt8] = []
    var right: [UInt8] = []
    for index in next..<next + count {
      var sum = (left: 0.0, right: 0.0)
      for sine in sines {
        let value = sin(2 * Double.pi * sine.hertz * Double(index) / Double(rate))
        sum = (sum.left + sine.left * value, sum.right + sine.right * value)
      }
      Self.append(sum.left, to: &left)
      Self.append(sum.right, to: &right)
    }
    defer { next += count }
    return Sound(sampleRate: rate, first: UInt64(next), left: Self.text(left), right: Self.text(right))
  }

  /// Leaves samples out.
  mutating func skip(_ count: Int) { next += count }

  private static func append(_ value: Double, to bytes: inout [UInt8]) {
    let sample = Int16(max(-1, min(1, value)) * 32_767)
    bytes += [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: Base64.standard.encoded(bytes), as: UTF8.self)
  }
}

extension Interface {
  /// Passes a time of sound to the model, in events as the daemon sends them.
  mutating func hear(_ wave: inout SoundWave, events: Int) {
    for _ in 0..<events {
      wait(.milliseconds(33))
      send(.changed(.sound(wave.event())))
    }
  }
}
