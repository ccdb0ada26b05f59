internal import SegueSystem

/// A manifest of HTTP Live Streaming (RFC 8216), as far as it decides what is opened.
enum HLSManifest {
  /// One stream in several qualities.
  case variants([Variant])
  /// The URLs of the segments. A manifest of a live stream is read again and again.
  case segments([String], isLive: Bool)

  struct Variant: Equatable {
    /// The reference to the manifest of the segments.
    var reference: String
    /// The bits per second of audio and video together.
    var bandwidth: Int
    /// Whether it has video as well.
    var hasVideo: Bool
  }

  /// Reads a manifest. Returns nil if `bytes` are an ordinary M3U playlist.
  init?(_ bytes: [UInt8]) {
    var variants: [Variant] = []
    var segments: [String] = []
    // The audio of streams with video, by itself. A default one is preferred.
    var audioOnly: Variant?
    var next: Variant?
    var isManifest = false
    var isLive = true
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let text = String(decoding: line.trimmed, as: UTF8.self)
      if text.isEmpty { continue }
      if let attributes = Self.attributes(of: "#EXT-X-STREAM-INF:", in: text) {
        let codecs = attributes["CODECS"]?.lowercased() ?? ""
        let isVideo = ["avc", "hvc", "hev", "vp0", "av0", "dvh"].contains { codecs.contains($0) }
        next = Variant(
          reference: "", bandwidth: attributes["BANDWIDTH"].flatMap { Int($0) } ?? 0,
          hasVideo: isVideo || attributes["RESOLUTION"] != nil)
      } else if let attributes = Self.attributes(of: "#EXT-X-MEDIA:", in: text) {
        if attributes["TYPE"] == "AUDIO", let reference = attributes["URI"],
          audioOnly == nil || attributes["DEFAULT"] == "YES"
        {
          audioOnly = Variant(reference: reference, bandwidth: 0, hasVideo: false)
        }
      } else if text.hasPrefix("#") {
        isManifest = isManifest || text.hasPrefix("#EXT-X-")
        if text.hasPrefix("#EXT-X-ENDLIST") { isLive = false }
      } else if var variant = next {
        variant.reference = text
        variants.append(variant)
        next = nil
      } else {
        segments.append(text)
      }
    }
    if !variants.isEmpty || audioOnly != nil {
      // The audio of a stream with video has no bandwidth, so variants without video are preferred to it.
      self = .variants([audioOnly].compactMap(\.self) + variants)
    } else if isManifest {
      self = .segments(segments, isLive: isLive)
    } else {
      return nil
    }
  }

  /// Whether the segments of a manifest are fragments, which other bytes must precede.
  static func hasInitialization(_ bytes: [UInt8]) -> Bool { bytes.range(of: "#EXT-X-MAP:".utf8) != nil }

  /// Returns the variants in the order in which they are tried: those without video from the best one on, then the
  /// audio of a stream with video, then those with video from the smallest one on.
  static func byPreference(_ variants: [Variant]) -> [Variant] {
    let withoutVideo = variants.filter { !$0.hasVideo }.enumerated()
      .sorted { ($1.element.bandwidth, $0.offset) < ($0.element.bandwidth, $1.offset) }
    let withVideo = variants.filter(\.hasVideo).enumerated()
      .sorted { ($0.element.bandwidth, $0.offset) < ($1.element.bandwidth, $1.offset) }
    return (withoutVideo + withVideo).map(\.element)
  }

  /// Returns the attributes of a line that begins with `tag`: `NAME=value` or `NAME="value"`, separated by commas.
  private static func attributes(of tag: String, in line: String) -> [String: String]? {
    guard line.hasPrefix(tag) else { return nil }
    var attributes: [String: String] = [:]
    var rest = line.dropFirst(tag.count)
    while let equals = rest.firstIndex(of: "=") {
      let name = String(decoding: rest[..<equals].utf8.trimmed, as: UTF8.self)
      rest = rest[rest.index(after: equals)...]
      let value: Substring
      if rest.first == "\"" {
        rest = rest.dropFirst()
        value = rest.prefix { $0 != "\"" }
        rest = rest[value.endIndex...].dropFirst()
        rest = rest.drop { $0 != "," }.dropFirst()
      } else {
        value = rest.prefix { $0 != "," }
        rest = rest[value.endIndex...].dropFirst()
      }
      attributes[name] = String(value)
    }
    return attributes
  }
}
