// Thread: the decoding thread.
internal import SegueSystem

/// A limiter: it reduces the gain of frames that would exceed full scale, all channels alike.
///
/// It looks ahead within the PCM that it is given, and delays nothing, so that positions and joints between tracks stay
/// exact. The gain falls in a straight line before a peak, and recovers slowly behind it. A peak at the very beginning
/// of the PCM leaves less time for that, down to none.
final class Limiter {
  /// The factor of each frame, from 0 to 1, after `prepare` has returned true.
  private(set) var gains: [Double] = []
  /// The factor of the last frame.
  private var last = 1.0

  /// The time in which the gain falls from 1 to 0.
  private static let attack = 0.005
  /// The time constant of the recovery.
  private static let release = 0.1
  /// A reduction that is inaudible, and less than the last bit of 16.
  private static let least = 0x1p-17

  /// Determines the factors of the next `frames` frames. Returns false if all of them are 1.
  /// - Parameter level: The largest sample of a frame; 1 is full scale.
  func prepare(frames: Int, at rate: SampleRate, level: (Int) -> Double) -> Bool {
    if gains.count < frames { gains = [Double](repeating: 1, count: frames) }
    var acts = last < 1
    for frame in 0..<frames {
      let level = level(frame)
      gains[frame] = level > 1 ? 1 / level : 1
      if level > 1 { acts = true }
    }
    guard acts else { return false }
    let fall = 1 / (Self.attack * Double(rate.hertz))
    for frame in stride(from: frames - 2, through: 0, by: -1) {
      gains[frame] = min(gains[frame], gains[frame + 1] + fall)
    }
    let recovery = 1 / (Self.release * Double(rate.hertz))
    for frame in 0..<frames {
      let recovered = last + (1 - last) * min(recovery, 1)
      last = min(gains[frame], recovered > 1 - Self.least ? 1 : recovered)
      gains[frame] = last
    }
    return true
  }
}

/// A sample whose distance from silence is known.
protocol LevelSample: BitwiseCopyable {
  var level: Double { get }
}

extension Int16: LevelSample {
  var level: Double { Double(magnitude) }
}

extension Int32: LevelSample {
  var level: Double { Double(magnitude) }
}

extension Float: LevelSample {
  var level: Double { Double(magnitude) }
}
