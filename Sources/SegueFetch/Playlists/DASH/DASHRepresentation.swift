internal import SegueSystem
internal import SegueWire

/// The audio of a period in one quality.
struct DASHRepresentation {
  struct Segment: Equatable {
    var url: String
    /// The range of bytes in the resource; nil for all of it.
    var range: ClosedRange<Int64>?
    /// The start in seconds. That of a live stream is counted from 1970.
    var time = 0.0
    /// The length in seconds.
    var duration = 0.0

    /// The range in the form of HLS, `length@first`.
    var byteRange: String? { range.map { "\($0.upperBound - $0.lowerBound + 1)@\($0.lowerBound)" } }
  }

  private let addressing: SegmentAddressing
  private let resolver: ReferenceResolver
  /// The URL to which references are relative.
  private let base: String
  /// The references to the segments; nil if a template does not state them.
  private let media: ReferenceTemplate?
  /// The seconds from 1970, or from the beginning of the presentation, to the beginning of the period.
  private let start: Double
  /// The length of the period in seconds; nil if it is not known yet.
  private let length: Double?
  /// The bytes that precede every segment; nil if there are none.
  let initialization: Segment?

  /// Creates the last of `elements`, which enclose each other in the manifest. Returns nil if a URL is not one of HTTP.
  /// - Parameters:
  ///   - base: The URL to which the references of the outermost element are relative.
  ///   - start: The beginning of the period in seconds from `origin`.
  ///   - origin: The beginning of the presentation in seconds.
  init?(
    _ elements: [XMLElement], at base: String, start: Double, end: Double?, origin: Double,
    _ resolver: ReferenceResolver
  ) throws(Failure) {
    var base = base
    for element in elements {
      guard let reference = element.child("BaseURL") else { continue }
      guard let next = try resolver.resolve(String(decoding: reference.text, as: UTF8.self), against: base) else {
        return nil
      }
      base = next
    }
    let (id, bandwidth) = (elements.last?.attributes["id"] ?? "", elements.last?.attributes["bandwidth"] ?? "")
    let addressing = SegmentAddressing(elements)
    self.base = base
    self.start = origin + start
    self.addressing = addressing
    self.resolver = resolver
    length = end.map { $0 - start }
    media = if let text = addressing.media { try ReferenceTemplate(text, id: id, bandwidth: bandwidth) } else { nil }
    let range = Self.range(addressing.initializationRange)
    if let text = addressing.initialization {
      let reference = try ReferenceTemplate(text, id: id, bandwidth: bandwidth).reference(number: 0, time: 0)
      let url = try resolver.resolve(reference, against: base)
      initialization = url.map { Segment(url: $0, range: range) }
    } else {
      initialization = range.map { Segment(url: base, range: $0) }
    }
  }

  /// Whether the representation is a single file, which has an index of its own.
  var isSingleFile: Bool { media == nil && addressing.list == nil }

  /// The URL of the single file.
  var file: String { base }

  /// Returns the segments in their order: of a live stream the last `limit` that are complete at `now`, otherwise all
  /// of them. Throws if there are more than `limit`, or if the manifest does not state what is needed to find them.
  func segments(until now: Double?, atMost limit: Int) throws(Failure) -> [Segment] {
    if let list = addressing.list { return try segments(list, until: now, atMost: limit) }
    if let media { return try segments(media, until: now, atMost: limit) }
    return [Segment(url: base, time: start, duration: length ?? 0)]
  }

  private func segments(
    _ media: ReferenceTemplate, until now: Double?, atMost limit: Int
  ) throws(Failure) -> [Segment] {
    let runs: [Run]
    if let timeline = addressing.timeline {
      runs = try self.runs(of: timeline, until: now)
    } else {
      runs = [try run(until: now)]
    }
    let count = runs.reduce(0) { $0 + $1.count }
    if now == nil, count > limit { throw Self.tooManySegments }
    var skipped = max(0, count - Int64(limit))
    var segments: [Segment] = []
    for run in runs {
      let first = min(skipped, run.count)
      skipped -= first
      for number in first..<run.count {
        let ticks = run.ticks + number * run.duration
        let reference = media.reference(number: addressing.startNumber + run.index + number, time: ticks)
        guard let url = try resolver.resolve(reference, against: base) else { continue }
        let time = start + (Double(ticks) - Double(addressing.timeOffset)) / Double(addressing.timescale)
        segments.append(
          Segment(url: url, time: time, duration: Double(run.duration) / Double(addressing.timescale)))
      }
    }
    return segments
  }

  private func segments(
    _ list: [SegmentAddressing.ListedSegment], until now: Double?, atMost limit: Int
  ) throws(Failure) -> [Segment] {
    if now == nil, list.count > limit { throw Self.tooManySegments }
    let duration = Double(addressing.duration ?? 0) / Double(addressing.timescale)
    var segments: [Segment] = []
    for (index, segment) in list.enumerated().suffix(limit) {
      var url: String? = base
      if let reference = segment.reference { url = try resolver.resolve(reference, against: base) }
      guard let url else { continue }
      let number = Double(addressing.startNumber) + Double(index)
      segments.append(
        Segment(
          url: url, range: Self.range(segment.range), time: start + number * duration,
          duration: duration))
    }
    return segments
  }

  private static let tooManySegments = Failure(.tooLarge, "the DASH manifest names too many segments")

  // MARK: Times

  /// Segments of one length that follow each other. The end of the last one is a valid number.
  private struct Run {
    /// The number of segments before them that the manifest states.
    let index: Int64
    /// The start of the first one in ticks.
    let ticks: Int64
    /// The length of each in ticks.
    let duration: Int64
    let count: Int64
    /// The end of the last one in ticks.
    let end: Int64

    /// Throws if the end is not a valid number.
    init(index: Int64, ticks: Int64, duration: Int64, count: Int64) throws(Failure) {
      let (length, isTooLong) = duration.multipliedReportingOverflow(by: count)
      let (end, isTooLate) = ticks.addingReportingOverflow(length)
      guard !isTooLong, !isTooLate else {
        throw Failure(.unplayable, "the DASH manifest states implausible times")
      }
      (self.index, self.ticks, self.duration, self.count, self.end) = (index, ticks, duration, count, end)
    }
  }

  /// The maximum number of segments in a run. A live stream may have begun in 1970.
  private static let maximumRun: Int64 = 1_000_000_000_000

  /// Returns the run of segments of one length, which are counted from the beginning of the period.
  private func run(until now: Double?) throws(Failure) -> Run {
    guard let ticks = addressing.duration else {
      throw Failure(.unplayable, "the DASH manifest does not state the length of its segments")
    }
    let duration = Double(ticks) / Double(addressing.timescale)
    guard duration > 0.001, let length = [length, now.map { $0 - start }].compactMap(\.self).min() else {
      throw Failure(.unplayable, "the DASH manifest does not state its length")
    }
    // A live segment exists when its end has passed.
    let count = (length / duration).rounded(now == nil ? .up : .down).clamped(to: 0...Double(Self.maximumRun))
    return try Run(index: 0, ticks: addressing.timeOffset, duration: ticks, count: Int64(count))
  }

  /// Returns the runs of segments of a timeline.
  private func runs(
    of timeline: [SegmentAddressing.TimelineEntry], until now: Double?
  ) throws(Failure) -> [Run] {
    var runs: [Run] = []
    for (number, entry) in timeline.enumerated() {
      let ticks = entry.time ?? runs.last?.end ?? 0
      let next = number + 1 < timeline.count ? timeline[number + 1].time : nil
      let count = entry.repeats < 0 ? count(of: entry, from: ticks, to: next, until: now) : entry.repeats + 1
      guard count <= Self.maximumRun else { throw Self.tooManySegments }
      runs.append(
        try Run(
          index: runs.last.map { $0.index + $0.count } ?? 0, ticks: ticks, duration: entry.duration, count: count))
    }
    return runs
  }

  /// Returns the number of segments that last from `ticks` to `next`, or to the end of the period. Of a live stream,
  /// only complete ones count.
  private func count(
    of entry: SegmentAddressing.TimelineEntry, from ticks: Int64, to next: Int64?, until now: Double?
  ) -> Int64 {
    let end =
      (now.map { $0 - start } ?? length ?? 0) * Double(addressing.timescale) + Double(addressing.timeOffset)
    let count = ((next.map(Double.init) ?? end) - Double(ticks)) / Double(entry.duration)
    let isOpen = next == nil && now != nil
    return Int64((isOpen ? count.rounded(.down) : count.rounded(.up)).clamped(to: 0...Double(Self.maximumRun)))
  }

  /// Reads a range of bytes, `first-last`.
  private static func range(_ text: String?) -> ClosedRange<Int64>? {
    guard let parts = text?.split(separator: "-"), parts.count == 2, let first = Int64(parts[0]),
      let last = Int64(parts[1]), (0...last).contains(first), last < 1 << 50
    else { return nil }
    return first...last
  }
}
