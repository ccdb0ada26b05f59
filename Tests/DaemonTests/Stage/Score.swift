/// Numbered frames: frame n of a test's signal is the 32-bit number n + 1, its low half in the left channel, its high half
/// in the right. So a recording says of every frame which one it is, and a lost, doubled or strange one shows.
enum Signal {
  static let rate = 44_100

  /// The PCM, s16le stereo, of `frames`.
  static func pcm(_ frames: Range<Int>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: frames.count * 4) { buffer, count in
      let numbers = UnsafeMutableRawBufferPointer(buffer).bindMemory(to: UInt32.self)
      var number = UInt32(frames.lowerBound)
      // Plain steps: a minute of sound takes seconds where anything generic is called for every frame, unoptimized.
      for index in 0..<frames.count {
        number += 1
        numbers[index] = number.littleEndian
      }
      count = frames.count * 4
    }
  }
}

extension Signal {
  /// The same as s32le: a sample is the upper half of its 32 bits.
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

/// What was heard of numbered frames: unbroken runs of them, and the silence between.
struct Score: CustomStringConvertible {
  struct Run: Equatable, CustomStringConvertible {
    /// The number of its first frame, from 0; nil for silence.
    let first: Int?
    var count: Int

    /// The frame that would come next.
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

  /// How long it has been silent, in frames.
  var silence: Int { if let last = runs.last, last.first == nil { last.count } else { 0 } }

  /// The frame heard last; nil in silence.
  var now: Int? { runs.last.flatMap { run in run.first.map { _ in run.end - 1 } } }

  /// The runs with those joined that follow each other with nothing but silence between: what pausing may do.
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
