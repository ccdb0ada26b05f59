import Glibc
import SegueRing
import SegueSystem
import SegueTestKit

/// The signal of the fixtures, with the same formula as in make.py.
enum Signal {
  static let whole = 50_001
  static let cut = 23_457

  static func sample(_ frame: Int, channel: Int, rate: Double) -> Float {
    let t = Double(frame) / rate
    let c = Double(channel)
    return Float((0.5 - 0.05 * c) * sin(2 * Double.pi * ((220 + 110 * c) * t + (1500 + 300 * c) * t * t)))
  }
}

extension WorkerProcess.Part {
  /// The interleaved samples, from -1 to 1.
  var samples: [Float] {
    bytes.withUnsafeBytes { raw in
      switch format.sample {
      case .signed16: raw.bindMemory(to: Int16.self).map { Float($0) / 32_768 }
      case .signed32: raw.bindMemory(to: Int32.self).map { Float($0) / 2_147_483_648 }
      case .float32: Array(raw.bindMemory(to: Float.self))
      }
    }
  }
}

/// A comparison of stereo `samples`, which begin at frame `offset`, with the signal.
struct Alignment {
  /// The shift in frames with the highest correlation.
  let lag: Int
  /// The energy of the difference at that shift, divided by the energy of the signal.
  let error: Float

  init(_ samples: ArraySlice<Float>, from offset: Int, rate: Double) {
    var best = (lag: 0, error: Float.infinity)
    for lag in -4...4 {
      var difference: Float = 0
      var energy: Float = 0
      for (index, sample) in samples.enumerated() {
        let wanted = Signal.sample(offset + index / 2 + lag, channel: index % 2, rate: rate)
        difference += (sample - wanted) * (sample - wanted)
        energy += wanted * wanted
      }
      if difference / energy < best.error { best = (lag, difference / energy) }
    }
    (lag, error) = best
  }
}

extension WorkerProcess.DecodedGeneration {
  /// Returns one channel of all PCM.
  func channel(_ channel: Int) -> [Float] {
    parts.flatMap { part in
      let samples = part.samples
      return stride(from: channel, to: samples.count, by: Int(part.format.channels.count)).map { samples[$0] }
    }
  }
}
