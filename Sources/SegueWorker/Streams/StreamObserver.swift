// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueTags
internal import SegueWire
internal import SegueWorkerProtocol

/// An observer of the bytes that libavformat reads of a stream. It finds what libavformat ignores: the comments of the
/// links of an Ogg stream; the titles of HLS radio, in ID3 tags at the start of segments or between them, and in the
/// manifest; and whether the segments state their times.
final class StreamObserver {
  /// The title of the segment that is being read; nil if none had a title yet.
  private(set) var title: String?
  /// The comments of the links of an Ogg stream.
  var links = LinkComments()
  /// Whether the segments are audio without a container that states no time. Then only the manifest tells where in the
  /// stream a segment begins.
  var areUntimed: Bool { firstIsUntimed ?? false }
  private var firstIsUntimed: Bool?
  /// The titles of segments by their references in the manifests, without leading dots.
  private var titles: [String: String] = [:]

  /// The maximum size of a title in bytes. Searching a long text in another one would take too long.
  private static let maximumTitleSize = 1024

  /// Returns a stream that reads from `bytes`, which are those of `url`, and observes them.
  func observe(_ bytes: any RemoteBytes, of url: String) -> any RemoteBytes { ObservedPart(bytes, of: url, self) }

  /// Handles an ID3 tag.
  func handle(tag bytes: [UInt8]) {
    guard let metadata = FileTags(id3: bytes)?.metadata, let title = metadata.title else { return }
    self.title = [metadata.artist, title].compactMap(\.self).joined(separator: " - ")
  }

  /// Handles an ID3 tag between the packets of a transport stream. libavformat 5.1 removes the first five bytes of the
  /// tag, because it expects the header of an access unit there. The tag is of version 2.4 (Apple, "Timed Metadata for
  /// HTTP Live Streaming").
  func handle(packet bytes: [UInt8]) {
    let isComplete = bytes.starts(with: "ID3".utf8)
    handle(tag: isComplete ? bytes : Array("ID3".utf8) + [4, 0] + bytes)
  }

  fileprivate func handleStart(of url: String) {
    guard !titles.isEmpty else { return }
    if let title = titles[url] ?? titles.first(where: { url.hasSuffix("/" + $0.key) })?.value { self.title = title }
  }

  /// Handles the first bytes of a segment behind its ID3 tags, one of which may have stated its time.
  fileprivate func handleAudio(_ bytes: UnsafeRawBufferPointer, hasTime: Bool) {
    guard firstIsUntimed == nil, bytes.count >= 2 else { return }
    // The sync words of ADTS and MPEG audio, and that of AC-3.
    let isBare = bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0 || bytes[0] == 0x0B && bytes[1] == 0x77
    firstIsUntimed = isBare && !hasTime
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
        if let title, title.utf8.count <= Self.maximumTitleSize, reference.utf8.count <= FetchRequest.maximumURLSize,
          Array(reference.utf8).range(of: title.utf8) == nil
        {
          titles[reference] = title
        }
        title = nil
      }
    }
  }

  /// Returns the title in a line such as `#EXTINF:10,Artist - Title` or `#EXTINF:10,title="Title",artist="Artist"`; nil
  /// if it has none.
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
  private let bytes: any RemoteBytes
  private let url: String
  private let observer: StreamObserver
  private var state = State.head([], isStart: true)
  /// Whether an ID3 tag states the time of the segment.
  private var hasTime = false
  /// The number of ID3 tags at the beginning that may still be read. More are no segment of audio.
  private var tagsLeft = 16
  /// The position of the byte after those that were observed.
  private var next: Int64 = 0

  private enum State {
    /// The first bytes of the part or, if `isStart` is false, those behind an ID3 tag, which are too few to tell what
    /// they are.
    case head([UInt8], isStart: Bool)
    case manifest([UInt8])
    /// An ID3 tag of this size, of which these bytes were read.
    case tag([UInt8], size: Int)
    /// The bytes are those of an Ogg stream.
    case links
    /// The remaining bytes are ignored.
    case passed
  }

  /// The size of a manifest or of a tag, in bytes, up to which it is read.
  private static let maximumSize = 1 << 20
  private static let tagHeaderSize = 10
  /// The owner of the private frame that states the time of a segment (RFC 8216, 3.4).
  private static let timeOwner = Array("com.apple.streaming.transportStreamTimestamp".utf8)

  init(_ bytes: any RemoteBytes, of url: String, _ observer: StreamObserver) {
    self.bytes = bytes
    self.url = url
    self.observer = observer
  }

  var size: Int64? { bytes.size }
  var isSeekable: Bool { bytes.isSeekable }

  func read(at position: Int64, into target: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
    // After a seek, the bytes are not those of the beginning.
    if position != next { state = .passed }
    let count = try bytes.read(at: position, into: target)
    next = position + Int64(count)
    observe(UnsafeRawBufferPointer(rebasing: target.prefix(count)))
    return count
  }

  /// Observes the next bytes; none are the end.
  private func observe(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    /// Moves bytes from `rest` to `collected` until it has `count`. Returns whether it has.
    func fill(_ collected: inout [UInt8], to count: Int) -> Bool {
      let part = rest.prefix(count - collected.count)
      collected += part
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
      return collected.count == count
    }
    while true {
      switch state {
      case .passed: return
      case .links: return observer.links.observe(rest)
      case .manifest(var text):
        // With a second reference to the bytes, each addition would copy all of them.
        state = .passed
        guard !bytes.isEmpty, text.count + rest.count <= Self.maximumSize else {
          return observer.handle(manifest: text)
        }
        text += rest
        // A manifest of known size may be read without its end.
        guard let size, text.count >= size else {
          state = .manifest(text)
          return
        }
        return observer.handle(manifest: text)
      case .head(var head, let isStart):
        state = .passed
        guard fill(&head, to: Self.tagHeaderSize) || bytes.isEmpty else {
          state = .head(head, isStart: isStart)
          return
        }
        begin(head, isStart: isStart)
      case .tag(var tag, let size):
        state = .passed
        guard fill(&tag, to: size) else {
          state = .tag(tag, size: size)
          return
        }
        hasTime = hasTime || tag.range(of: Self.timeOwner) != nil
        observer.handle(tag: tag)
        state = .head([], isStart: false)
      }
    }
  }

  /// Decides what the part is, or what follows an ID3 tag, by the first bytes.
  private func begin(_ head: [UInt8], isStart: Bool) {
    if isStart {
      if head.starts(with: "#EXTM3U".utf8) {
        state = .manifest(head)
        return
      }
      if head.starts(with: "OggS".utf8) {
        state = .links
        return head.withUnsafeBytes { observer.links.observe($0) }
      }
      observer.handleStart(of: url)
    }
    guard head.count == Self.tagHeaderSize, head.starts(with: "ID3".utf8) else {
      return head.withUnsafeBytes { observer.handleAudio($0, hasTime: hasTime) }
    }
    // The size has seven bits in each byte, and does not include the header.
    let size = head[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) } + Self.tagHeaderSize
    guard size <= Self.maximumSize, tagsLeft > 0 else { return }
    tagsLeft -= 1
    state = .tag(head, size: size)
  }
}
