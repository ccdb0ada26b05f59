// Decoding thread only.
internal import SegueFFmpeg
internal import SegueLink
internal import SegueSystem
internal import SegueTags
internal import SegueWire

/// The titles in the timed metadata of HLS radio: ID3 tags at the start of segments or between them, and the titles that the
/// manifest gives to segments. libavformat ignores both, so the bytes that it reads are observed.
final class SegmentTitles {
  /// The title of the segment that is being read; nil if none had a title yet.
  private(set) var current: String?
  /// The titles of segments by their references in the manifests, without leading dots.
  private var titles: [String: String] = [:]

  /// Returns a stream that reads from `stream` and observes its bytes.
  func observe(_ stream: FetchedStream) -> any RemoteBytes { ObservedPart(stream, self) }

  /// Handles an ID3 tag.
  func handle(tag bytes: [UInt8]) {
    guard let metadata = FileTags(id3: bytes)?.metadata, let title = metadata.title else { return }
    current = [metadata.artist, title].compactMap(\.self).joined(separator: " - ")
  }

  /// Handles an ID3 tag between the packets of a transport stream. libavformat 5.1 removes the first five bytes of the tag,
  /// because it expects the header of an access unit there. The tag is of version 2.4 (Apple, "Timed Metadata for HTTP Live
  /// Streaming").
  func handle(packet bytes: [UInt8]) {
    let isComplete = bytes.starts(with: "ID3".utf8)
    handle(tag: isComplete ? bytes : Array("ID3".utf8) + [4, 0] + bytes)
  }

  fileprivate func handleStart(of url: String) {
    guard !titles.isEmpty else { return }
    if let title = titles[url] ?? titles.first(where: { url.hasSuffix("/" + $0.key) })?.value { current = title }
  }

  fileprivate func handle(manifest bytes: [UInt8]) {
    titles = [:]
    var title: String?
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let text = TagText.cleaned(String(decoding: line, as: UTF8.self))
      if text.hasPrefix("#EXTINF:") {
        title = Self.title(ofExtinf: text)
      } else if !text.hasPrefix("#") {
        let reference = String(text.drop { $0 == "." || $0 == "/" })
        // Some servers repeat the name of the segment.
        if let title, !reference.contains(title) { titles[reference] = title }
        title = nil
      }
    }
  }

  /// Returns the title in a line such as `#EXTINF:10,Artist - Title` or `#EXTINF:10,title="Title",artist="Artist"`; nil if
  /// it has none.
  private static func title(ofExtinf line: String) -> String? {
    guard let comma = line.firstIndex(of: ",") else { return nil }
    let text = line[line.index(after: comma)...]
    let parts = ["artist", "title"].compactMap { attribute($0, in: text) }.filter { !$0.isEmpty }
    if !parts.isEmpty { return parts.joined(separator: " - ") }
    let title = TagText.cleaned(String(text))
    return title.isEmpty || title.contains("=\"") ? nil : title
  }

  private static func attribute(_ name: String, in text: Substring) -> String? {
    let bytes = Array(text.utf8)
    guard let start = bytes.range(of: "\(name)=\"".utf8)?.upperBound else { return nil }
    return String(decoding: bytes[start...].prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
  }
}

/// A manifest or a segment whose bytes are observed while libavformat reads them.
private final class ObservedPart: RemoteBytes {
  private let stream: FetchedStream
  private let titles: SegmentTitles
  private var state = State.start
  /// The position of the byte after those that were observed.
  private var next: Int64 = 0

  private enum State {
    case start
    case manifest([UInt8])
    /// An ID3 tag of this size, of which these bytes were read.
    case tag([UInt8], size: Int)
    /// The remaining bytes are ignored.
    case passed
  }

  /// The size of a manifest or of a tag, in bytes, up to which it is read.
  private static let maximumSize = 1 << 20

  init(_ stream: FetchedStream, _ titles: SegmentTitles) {
    self.stream = stream
    self.titles = titles
  }

  var size: Int64? { stream.size }
  var isSeekable: Bool { stream.isSeekable }

  func read(at position: Int64, into target: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
    // After a seek, the bytes are not those of the beginning.
    if position != next { state = .passed }
    let count = try stream.read(at: position, into: target)
    next = position + Int64(count)
    observe(UnsafeRawBufferPointer(rebasing: target.prefix(count)))
    return count
  }

  private func observe(_ bytes: UnsafeRawBufferPointer) {
    switch state {
    case .passed: return
    case .start:
      if bytes.starts(with: "#EXTM3U".utf8) {
        state = .manifest([])
        return observe(bytes)
      }
      titles.handleStart(of: stream.resource.url)
      if bytes.count >= 10, bytes.starts(with: "ID3".utf8) {
        // The size has seven bits in each byte, and does not include the header.
        state = .tag([], size: bytes[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) } + 10)
        return observe(bytes)
      }
      state = .passed
    case .manifest(let start):
      guard !bytes.isEmpty, start.count + bytes.count <= Self.maximumSize else {
        titles.handle(manifest: start)
        state = .passed
        return
      }
      state = .manifest(start + bytes)
      // A manifest of known size may be read without its end.
      if let size, start.count + bytes.count >= size { titles.handle(manifest: start + bytes) }
    case .tag(let start, let size):
      guard size <= Self.maximumSize else {
        state = .passed
        return
      }
      let tag = start + bytes.prefix(size - start.count)
      state = tag.count < size ? .tag(tag, size: size) : .passed
      if tag.count == size { titles.handle(tag: tag) }
    }
  }
}
