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
  /// The URL to which references are relative.
  private let base: String
  private let id: String
  private let bandwidth: String
  /// The seconds from 1970, or from the beginning of the presentation, to the beginning of the period.
  private let start: Double
  /// The length of the period in seconds; nil if it is not known yet.
  private let length: Double?

  /// Creates the last of `elements`, which enclose each other. `url` is that of the manifest, and `origin` the time of the
  /// beginning of the presentation in seconds. Returns nil if a URL is not one of HTTP.
  init?(_ elements: [XMLElement], at url: String, start: Double, end: Double?, origin: Double) {
    var base = url
    for element in elements {
      guard let reference = element.child("BaseURL") else { continue }
      guard let next = URLText.resolve(String(decoding: reference.text, as: UTF8.self), against: base) else {
        return nil
      }
      base = next
    }
    self.base = base
    self.start = origin + start
    length = end.map { $0 - start }
    id = elements.last?.attributes["id"] ?? ""
    bandwidth = elements.last?.attributes["bandwidth"] ?? ""
    addressing = SegmentAddressing(elements)
  }

  /// Whether the representation is a single file, which has an index of its own.
  var isSingleFile: Bool { addressing.media == nil && addressing.list == nil }

  /// The URL of the single file.
  var file: String { base }

  /// The bytes that precede every segment; nil if there are none.
  var initialization: Segment? {
    if let template = addressing.initialization {
      return URLText.resolve(expand(template, number: 0, time: 0), against: base).map {
        Segment(url: Self.quoted($0), range: Self.range(addressing.initializationRange))
      }
    }
    return Self.range(addressing.initializationRange).map { Segment(url: Self.quoted(base), range: $0) }
  }

  /// Returns the segments in their order: of a live stream the last `limit` that are complete at `now`, otherwise all of
  /// them. Throws if there are more than `limit`, or if the manifest does not state what is needed to find them.
  func segments(until now: Double?, atMost limit: Int) throws(Failure) -> [Segment] {
    if isSingleFile { return [Segment(url: Self.quoted(base), time: start, duration: length ?? 0)] }
    let found: [Segment]
    if let list = addressing.list {
      found = now == nil ? listed(list.prefix(limit + 1)) : listed(list.suffix(limit))
    } else if let timeline = addressing.timeline {
      let places = try places(in: timeline, until: now)
      found = (now == nil ? places[...] : places.suffix(limit)).compactMap(segment)
    } else {
      found = try regularPlaces(until: now, atMost: limit).compactMap(segment)
    }
    if found.count > limit { throw Self.tooManySegments }
    return found
  }

  private static let tooManySegments = Failure(.tooLarge, "the DASH manifest names too many segments")

  private func listed(_ list: some Collection<SegmentAddressing.ListedSegment>) -> [Segment] {
    let duration = (addressing.duration ?? 0) / addressing.timescale
    return list.enumerated().compactMap { number, segment in
      let url = segment.reference.map { URLText.resolve($0, against: base) } ?? base
      return url.map {
        Segment(
          url: Self.quoted($0), range: Self.range(segment.range), time: start + Double(number) * duration,
          duration: duration)
      }
    }
  }

  /// The place of a segment in a representation.
  private struct Place {
    /// The number of segments before it that the manifest states.
    var index: Int64
    /// The start in ticks.
    var ticks: Int64
    /// The length in seconds.
    var duration: Double
  }

  /// Returns the places of segments of one length, which are counted from the beginning of the period.
  private func regularPlaces(until now: Double?, atMost limit: Int) throws(Failure) -> [Place] {
    guard let ticks = addressing.duration else {
      throw Failure(.unplayable, "the DASH manifest does not state the length of its segments")
    }
    let duration = ticks / addressing.timescale
    guard duration > 0.001, let length = [length, now.map { $0 - start }].compactMap(\.self).min() else {
      throw Failure(.unplayable, "the DASH manifest does not state its length")
    }
    let indices: Range<Int64>
    if now != nil {
      // A live segment exists when its end has passed.
      let count = Int64((length / duration).rounded(.down).clamped(to: 0...1e12))
      indices = max(0, count - Int64(limit))..<count
    } else {
      let count = (length / duration).rounded(.up)
      if count > Double(limit) { throw Self.tooManySegments }
      indices = 0..<Int64(max(0, count))
    }
    return indices.map {
      Place(index: $0, ticks: Int64(Double($0) * ticks + addressing.timeOffset), duration: duration)
    }
  }

  /// Returns the places of the segments of a timeline.
  private func places(in timeline: [SegmentAddressing.TimelineEntry], until now: Double?) throws(Failure) -> [Place] {
    var places: [Place] = []
    var ticks: Int64 = 0
    for (number, entry) in timeline.enumerated() {
      ticks = entry.time ?? ticks
      let next = number + 1 < timeline.count ? timeline[number + 1].time : nil
      let count = entry.repeats < 0 ? count(of: entry, from: ticks, to: next, until: now) : entry.repeats + 1
      if count > Int64(Self.maximumTimeline - places.count) { throw Self.tooManySegments }
      for _ in 0..<count {
        places.append(
          Place(index: Int64(places.count), ticks: ticks, duration: Double(entry.duration) / addressing.timescale))
        ticks += entry.duration
      }
    }
    return places
  }

  /// The maximum number of segments in a timeline.
  private static let maximumTimeline = 100_000

  /// Returns the number of segments that last from `ticks` to `next`, or to the end of the period. Of a live stream, only
  /// complete ones count.
  private func count(
    of entry: SegmentAddressing.TimelineEntry, from ticks: Int64, to next: Int64?, until now: Double?
  ) -> Int64 {
    let end = (now.map { $0 - start } ?? length ?? 0) * addressing.timescale + addressing.timeOffset
    let count = ((next.map(Double.init) ?? end) - Double(ticks)) / Double(entry.duration)
    let isOpen = next == nil && now != nil
    return Int64((isOpen ? count.rounded(.down) : count.rounded(.up)).clamped(to: 0...1e9))
  }

  private func segment(_ place: Place) -> Segment? {
    guard let media = addressing.media else { return nil }
    let reference = expand(media, number: addressing.startNumber + place.index, time: place.ticks)
    return URLText.resolve(reference, against: base).map {
      Segment(
        url: Self.quoted($0), time: start + (Double(place.ticks) - addressing.timeOffset) / addressing.timescale,
        duration: place.duration)
    }
  }

  // MARK: Addresses

  /// Replaces the identifiers of a template, such as `$Number%05d$`.
  private func expand(_ template: String, number: Int64, time: Int64) -> String {
    var text = ""
    for (index, part) in template.split(separator: "$", omittingEmptySubsequences: false).enumerated() {
      if index.isMultiple(of: 2) {
        text += part
        continue
      }
      let (name, format) = part.firstIndex(of: "%").map { (part[..<$0], part[$0...]) } ?? (part, "")
      switch name {
      case "": text += "$"
      case "RepresentationID": text += id
      case "Bandwidth": text += Self.padded(bandwidth, format)
      case "Number": text += Self.padded(String(number), format)
      case "Time": text += Self.padded(String(time), format)
      default: text += "$\(part)$"
      }
    }
    return text
  }

  /// Returns digits with the number of leading zeros that a format such as `%05d` requires.
  private static func padded(_ digits: String, _ format: Substring) -> String {
    let width = min(Int(format.filter(\.isNumber)) ?? 0, 32)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// Returns a URL that can be quoted in a manifest of HLS.
  private static func quoted(_ url: String) -> String {
    url.contains("\"") ? url.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "%22") : url
  }

  /// Reads a range of bytes, `first-last`.
  private static func range(_ text: String?) -> ClosedRange<Int64>? {
    guard let parts = text?.split(separator: "-"), parts.count == 2, let first = Int64(parts[0]),
      let last = Int64(parts[1]), (0...last).contains(first), last < 1 << 50
    else { return nil }
    return first...last
  }
}
