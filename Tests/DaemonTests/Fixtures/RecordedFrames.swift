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
