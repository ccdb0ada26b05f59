internal import SegueFiles
internal import SegueSystem
internal import SegueWire

/// A manifest of MPEG-DASH (ISO/IEC 23009-1). The DASH demuxer of libavformat opens segments by itself, which the
/// sandbox does not allow, so the manifest is translated to one of HLS. The HLS demuxer requests the manifest of a live
/// stream again and again, and each response is translated.
struct DASHManifest {
  /// The content, as far as it decides what is opened.
  enum Content: Equatable {
    /// The URL of a single file that can be read at any position.
    case file(String)
    /// The manifest of HLS.
    case segments([UInt8], isLive: Bool)
  }

  private let url: String
  private let root: XMLElement
  private let resolver = ReferenceResolver()
  private let isLive: Bool
  /// The time of the response in seconds since 1970, by the clock of the server if it states it.
  private let now: Double

  /// The maximum number of segments. An audiobook of a day has fewer.
  private static let maximumSegments = 50_000
  /// The number of the latest segments of a live stream that are passed on. The demuxer begins three segments before
  /// the end.
  private static let liveSegments = 12

  /// Reads the manifest at `url`. Throws if it is malformed, or if it has no audio that can be played.
  init(_ bytes: [UInt8], at url: String, now: UnixTime) throws(Failure) {
    let root: XMLElement?
    do {
      root = try XMLElement.read(bytes)
    } catch {
      throw Failure(.unplayable, "malformed DASH manifest in line \(error.line): \(error.reason)")
    }
    guard let root else {
      throw Failure(.tooLarge, "the DASH manifest has more than \(XMLElement.maximumCount) elements")
    }
    guard root.name == "MPD" else { throw Failure(.unplayable, "malformed DASH manifest: it has no element MPD") }
    self.url = ReferenceResolver.quotable(url)
    self.root = root
    isLive = root.attributes["type"] == "dynamic"
    self.now = Double(now.nanoseconds) / 1e9
  }

  /// Chooses the audio with the most bits per second. `numbers` numbers the segments of a live stream.
  func content(_ numbers: SegmentNumbers) throws(Failure) -> Content {
    var base = url
    if let reference = root.child("BaseURL") {
      guard let next = try resolver.resolve(String(decoding: reference.text, as: UTF8.self), against: url) else {
        throw Self.withoutAddress
      }
      base = next
    }
    var parts: [DASHRepresentation] = []
    for period in periods {
      if let part = try representation(period, at: base) { parts.append(part) }
    }
    guard let first = parts.first else { throw Failure(.unplayable, "the DASH manifest names no audio") }
    if parts.count == 1, !isLive, first.isSingleFile {
      if first.file == url { throw RemotePlaylist.includesItself }
      return .file(first.file)
    }
    var segments: [(part: Int, DASHRepresentation.Segment)] = []
    if isLive {
      for (number, part) in parts.enumerated().reversed() where segments.count < Self.liveSegments {
        let limit = Self.liveSegments - segments.count
        segments = try part.segments(until: now, atMost: limit).map { (number, $0) } + segments
      }
    } else {
      for (number, part) in parts.enumerated() {
        let limit = Self.maximumSegments - segments.count
        segments += try part.segments(until: nil, atMost: limit).map { (number, $0) }
      }
    }
    guard !segments.isEmpty else { throw Failure(.unplayable, "the DASH manifest names no segments") }
    if segments.contains(where: { $0.1.url == url }) { throw RemotePlaylist.includesItself }
    return .segments(try manifest(of: segments, parts, numbers), isLive: isLive)
  }

  /// The audio of a period that is played; nil if it has none. `base` is the URL to which its references are relative.
  private func representation(_ period: Period, at base: String) throws(Failure) -> DASHRepresentation? {
    var isProtected = false
    var candidates: [(set: XMLElement, representation: XMLElement, bandwidth: Int)] = []
    for set in period.element.children("AdaptationSet") {
      // A set may have thousands of representations.
      let (isAudioSet, isProtectedSet) = (isAudio(set), set.child("ContentProtection") != nil)
      for representation in set.children("Representation") where isAudioSet || isAudio(representation) {
        if isProtectedSet || representation.child("ContentProtection") != nil {
          isProtected = true
          continue
        }
        let bandwidth = representation.attributes["bandwidth"].flatMap { Int($0) } ?? 0
        candidates.append((set, representation, bandwidth))
      }
    }
    guard let first = candidates.first else {
      if isProtected { throw Failure(.unplayable, "the stream is encrypted") }
      return nil
    }
    let chosen = candidates.dropFirst().reduce(first) { $1.bandwidth > $0.bandwidth ? $1 : $0 }
    guard
      let part = try DASHRepresentation(
        [period.element, chosen.set, chosen.representation], at: base, start: period.start, end: period.end,
        origin: isLive ? availabilityStart : 0, resolver)
    else { throw Self.withoutAddress }
    return part
  }

  private func isAudio(_ element: XMLElement) -> Bool {
    [element.attributes["contentType"], element.attributes["mimeType"]].contains {
      $0?.lowercased().hasPrefix("audio") == true
    }
  }

  private static let withoutAddress = Failure(.unplayable, "the DASH manifest names an address that cannot be played")

  // MARK: Times

  private struct Period {
    let element: XMLElement
    /// The seconds from the beginning of the presentation.
    let start: Double
    /// nil if the end is not known yet.
    let end: Double?
  }

  private var periods: [Period] {
    let elements = root.children("Period")
    let whole = root.attributes["mediaPresentationDuration"].flatMap(ISO8601.seconds)
    var periods: [Period] = []
    for (number, element) in elements.enumerated() {
      let start = element.attributes["start"].flatMap(ISO8601.seconds) ?? periods.last?.end ?? 0
      let next = number + 1 < elements.count ? elements[number + 1].attributes["start"].flatMap(ISO8601.seconds) : whole
      let end = element.attributes["duration"].flatMap(ISO8601.seconds).map { start + $0 } ?? next
      periods.append(Period(element: element, start: start, end: end))
    }
    return periods
  }

  private var availabilityStart: Double {
    root.attributes["availabilityStartTime"].flatMap(ISO8601.secondsSince1970) ?? 0
  }

  // MARK: HLS

  private func manifest(
    of segments: [(part: Int, DASHRepresentation.Segment)], _ parts: [DASHRepresentation], _ numbers: SegmentNumbers
  ) throws(Failure) -> [UInt8] {
    let longest = segments.reduce(1) { max($0, $1.1.duration) }
    var text = Array("#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:\(Int(longest.rounded(.up)))\n".utf8)
    if isLive { text += "#EXT-X-MEDIA-SEQUENCE:\(numbers.first(of: segments.map(\.1.time)))\n".utf8 }
    var part: Int?
    for (number, segment) in segments {
      if number != part {
        if part != nil { text += "#EXT-X-DISCONTINUITY\n".utf8 }
        if let start = parts[number].initialization {
          text += "#EXT-X-MAP:URI=\"\(start.url)\"\(start.byteRange.map { ",BYTERANGE=\"\($0)\"" } ?? "")\n".utf8
        }
        part = number
      }
      text += "#EXTINF:\(segment.duration),\n".utf8
      if let range = segment.byteRange { text += "#EXT-X-BYTERANGE:\(range)\n".utf8 }
      text += segment.url.utf8
      text.append(UInt8(ascii: "\n"))
      if text.count > Self.maximumSize { throw Failure(.tooLarge, "the DASH manifest names too many segments") }
    }
    if !isLive { text += "#EXT-X-ENDLIST\n".utf8 }
    return text
  }

  /// The maximum size of the translation in bytes.
  private static let maximumSize = 8 << 20
}
