/// A signal of numbered frames. Frame n is the 32-bit number n + 1, with the low half in the left channel and the high half in
/// the right. A recording therefore identifies every frame, and shows lost, repeated or unknown ones.
enum Signal {
  static let rate = 44_100

  /// Returns the PCM of `frames` (s16le, stereo).
  static func pcm(_ frames: Range<Int>) -> [UInt8] {
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
  static func widePCM(_ frames: Range<Int>) -> [UInt8] {
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

/// Recorded numbered frames: runs of consecutive frames, and the silence between them.
struct RecordedFrames: CustomStringConvertible {
  struct Run: Equatable, CustomStringConvertible {
    /// The number of the first frame, or nil for silence.
    let first: Int?
    var count: Int

    /// The frame after the last one.
    var end: Int { (first ?? 0) + count }

    var description: String { first.map { "\($0)..<\(end)" } ?? "silence(\(count))" }
  }

  private(set) var runs: [Run] = []

  mutating func append(_ number: UInt32) {
    let frame: Int? = number == 0 ? nil : Int(number) - 1
    if let last = runs.last, frame == nil ? last.first == nil : last.first != nil && last.end == frame {
      runs[runs.count - 1].count += 1
    } else {
      runs.append(Run(first: frame, count: 1))
    }
  }

  /// The runs without the silence.
  var sound: [Run] { runs.filter { $0.first != nil } }

  /// The length of the silence at the end, in frames.
  var silence: Int { if let last = runs.last, last.first == nil { last.count } else { 0 } }

  /// The last recorded frame, or nil in silence.
  var lastFrame: Int? { runs.last.flatMap { run in run.first.map { _ in run.end - 1 } } }

  /// The runs, where consecutive runs with only silence between are joined, because a pause inserts silence.
  var joined: [Range<Int>] {
    var ranges: [Range<Int>] = []
    for run in sound {
      guard let first = run.first else { continue }
      if let last = ranges.last, last.upperBound == first {
        ranges[ranges.count - 1] = last.lowerBound..<run.end
      } else {
        ranges.append(first..<run.end)
      }
    }
    return ranges
  }

  var description: String {
    let text = runs.suffix(24).map(\.description).joined(separator: " ")
    return runs.count > 24 ? "… \(text)" : text
  }
}
