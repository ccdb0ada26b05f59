/// The attributes of a manifest of MPEG-DASH that state the addresses and times of segments. An inner element inherits
/// those that it does not state from the outer ones.
struct SegmentAddressing {
  /// The references to the segments, in which identifiers such as `$Number$` are replaced.
  var media: String?
  /// The reference to the bytes that precede every segment, in which identifiers are replaced as well.
  var initialization: String?
  /// The range of these bytes, as `first-last`.
  var initializationRange: String?
  /// The ticks per second of the times.
  var timescale: Int64 = 1
  /// The length of all segments in ticks, if there is no timeline.
  var duration: Int64?
  /// The number of the first segment.
  var startNumber: Int64 = 1
  /// The time of the beginning of the period in ticks.
  var timeOffset: Int64 = 0
  var timeline: [TimelineEntry]?
  /// The segments, if each is named by itself.
  var list: [ListedSegment]?
  /// Segments of one length that follow each other, from the `S` of a timeline.
  struct TimelineEntry {
    /// The time of the first one in ticks; nil if it begins where the previous one ends.
    var time: Int64?
    var duration: Int64
    /// The number of further segments; negative if they last until the next entry or the end of the period.
    var repeats: Int64
  }

  struct ListedSegment {
    /// The reference; nil if it is that of the representation.
    var reference: String?
    /// The range of bytes, as `first-last`.
    var range: String?
  }

  /// Creates what the elements state that enclose each other, beginning with the outermost one.
  init(_ elements: [XMLElement]) {
    for element in elements {
      for child in element.children { read(child) }
    }
  }

  private mutating func read(_ element: XMLElement) {
    switch element.name {
    case "SegmentTemplate":
      readTimes(element)
      media = element.attributes["media"] ?? media
      initialization = element.attributes["initialization"] ?? initialization
    case "SegmentList":
      readTimes(element)
      let segments = element.children("SegmentURL").map {
        ListedSegment(reference: $0.attributes["media"], range: $0.attributes["mediaRange"])
      }
      if !segments.isEmpty { list = segments }
      readInitialization(element)
    default: break
    }
  }

  private mutating func readTimes(_ element: XMLElement) {
    if let scale = element.number("timescale"), scale > 0 { timescale = scale }
    if let length = element.number("duration"), length > 0 { duration = length }
    startNumber = element.number("startNumber") ?? startNumber
    timeOffset = element.number("presentationTimeOffset") ?? timeOffset
    guard let entries = element.child("SegmentTimeline") else { return }
    timeline = entries.children("S").compactMap { entry in
      guard let duration = entry.number("d"), duration > 0 else { return nil }
      return TimelineEntry(time: entry.number("t"), duration: duration, repeats: entry.number("r") ?? 0)
    }
  }

  private mutating func readInitialization(_ element: XMLElement) {
    guard let start = element.child("Initialization") else { return }
    initialization = start.attributes["sourceURL"]
    initializationRange = start.attributes["range"]
  }
}

extension XMLElement {
  /// Returns the value of an attribute that is an integer; nil if there is none, or if it is so large that the sum of
  /// two would not be a valid number.
  fileprivate func number(_ name: String) -> Int64? {
    attributes[name].flatMap { Int64($0) }.flatMap { (-1...1 << 60).contains($0) ? $0 : nil }
  }
}
