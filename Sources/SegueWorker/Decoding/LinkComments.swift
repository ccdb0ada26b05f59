// Thread: the decoding thread.
internal import Glibc
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueTags
internal import SegueWire

/// The comments of the links of a chained Ogg stream. libavformat adds those of a link of Opus to those of all links
/// before it, and ignores those of FLAC after the first link (FFmpeg 5.1), so the bytes that it reads are searched for
/// them.
struct LinkComments {
  /// The tags of links that were not taken yet, in their order.
  private var waiting: [Metadata] = []
  private var state = State.searching([])

  private enum State {
    /// The next link is searched for. These bytes may be the beginning of its first page.
    case searching([UInt8])
    /// The headers of a link are read.
    case reading(OggHeaders)
  }

  /// The maximum size of the headers. Most of it is for a picture.
  private static let maximumSize = 1 << 20
  /// The number of bytes that are added to the headers at a time. Of those, the ones behind the headers are not
  /// searched.
  private static let step = 4096

  /// The number of links whose tags are kept.
  private static let maximumCount = 16

  /// The tags of the next link; nil if no link has begun since those that were removed.
  var next: Metadata? { waiting.first }

  /// Removes the tags of the next link, if there is one.
  mutating func removeFirst() { if !waiting.isEmpty { waiting.removeFirst() } }

  /// Examines the next bytes of the stream.
  mutating func observe(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    while !rest.isEmpty {
      switch state {
      case .searching(let start): search(start, &rest)
      case .reading(var headers):
        // With a second reference to the bytes, each addition would copy all of them.
        state = .searching([])
        let part = rest.prefix(Self.step)
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
        switch headers.add(part) {
        case .found(let comments):
          if waiting.count == Self.maximumCount { waiting.removeFirst() }
          waiting.append(FileTags(comments: comments).metadata)
        case .incomplete where headers.size < Self.maximumSize: state = .reading(headers)
        case .incomplete, .absent: break
        }
      }
    }
  }

  /// Searches `rest`, which `start` precedes, for the first page of a link, and removes from it what was searched.
  private mutating func search(_ start: [UInt8], _ rest: inout UnsafeRawBufferPointer) {
    if start.isEmpty {
      guard let base = rest.baseAddress, let found = memchr(base, Int32(OggHeaders.capture[0]), rest.count) else {
        rest = UnsafeRawBufferPointer(start: nil, count: 0)
        return
      }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(base.distance(to: found)))
    }
    let known = start + [rest[0]]
    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
    switch OggHeaders.kind(of: known) {
    case .beginning:
      var headers = OggHeaders()
      _ = known.withUnsafeBytes { headers.add($0[...]) }
      state = .reading(headers)
    case .other: state = .searching(known.last == OggHeaders.capture[0] ? [OggHeaders.capture[0]] : [])
    case .unknown: state = .searching(known)
    }
  }

}

/// The header packets of a link of an Ogg stream (RFC 3533, 6), which are read page by page.
private struct OggHeaders {
  /// The bytes of the page that is not complete yet.
  private var bytes: [UInt8] = []
  /// The number of bytes so far.
  private(set) var size = 0
  /// The first audio stream. Other streams may be multiplexed with it.
  private var stream: (serial: UInt32, codec: Codec)?
  /// The beginning of its packet that is not complete yet.
  private var packet: [UInt8] = []

  static let capture = Array("OggS".utf8)

  enum Comments {
    /// The comments (Vorbis I, 5) without the identifier of their packet.
    case found([UInt8])
    case incomplete
    case absent
  }

  enum Kind {
    /// The beginning of the first page of a link.
    case beginning
    case other
    /// More bytes are needed.
    case unknown
  }

  /// Returns what `bytes` are.
  static func kind(of bytes: [UInt8]) -> Kind {
    guard capture.starts(with: bytes.prefix(4)) || bytes.count > 4 else { return .other }
    return switch bytes.count {
    case ...4: .unknown
    // The version.
    case 5: bytes[4] == 0 ? .unknown : .other
    default: bytes[5] & 2 != 0 ? .beginning : .other
    }
  }

  /// Adds `part`, which follows the bytes so far, and returns the comments if they are complete.
  mutating func add(_ part: Slice<UnsafeRawBufferPointer>) -> Comments {
    bytes += part
    size += part.count
    var offset = 0
    defer { bytes.removeFirst(offset) }
    while offset + OggPageHeader.fixedSize <= bytes.count {
      guard bytes[offset...].starts(with: Self.capture) else { return .absent }
      guard let header = bytes[offset...].withUnsafeBytes(OggPageHeader.init) else { return .incomplete }
      let body = offset + header.size
      let end = body + header.bodySize
      guard end <= bytes.count else { return .incomplete }
      let sizes = bytes[offset + OggPageHeader.fixedSize..<body]
      if let result = readPage(header, sizes, bytes[body..<end]) { return result }
      offset = end
    }
    return .incomplete
  }

  /// Reads the packets of a page, whose segments have `sizes`. Returns nil if the headers go on.
  private mutating func readPage(
    _ header: OggPageHeader, _ sizes: ArraySlice<UInt8>, _ body: ArraySlice<UInt8>
  ) -> Comments? {
    guard let stream else {
      if !header.beginsStream { return .absent }
      self.stream = Codec(body).map { (header.serial, $0) }
      return nil
    }
    guard stream.serial == header.serial else { return nil }
    var position = body.startIndex
    for size in sizes {
      packet += body[position..<position + Int(size)]
      position += Int(size)
      guard size < 255 else { continue }
      if let comments = stream.codec.comments(in: packet) { return .found(comments) }
      if !stream.codec.hasFurtherHeaders(after: packet) { return .absent }
      packet = []
    }
    return nil
  }

  private enum Codec: CaseIterable {
    case vorbis, opus, flac, speex

    /// Creates the codec of the stream whose first packet begins with `packet`. Returns nil for another codec.
    init?(_ packet: ArraySlice<UInt8>) {
      guard let codec = Self.allCases.first(where: { packet.starts(with: $0.identifier) }) else { return nil }
      self = codec
    }

    private var identifier: [UInt8] {
      switch self {
      case .vorbis: [1] + Array("vorbis".utf8)
      case .opus: Array("OpusHead".utf8)
      case .flac: [0x7F] + Array("FLAC".utf8)
      case .speex: Array("Speex   ".utf8)
      }
    }

    /// Returns the comments in a packet; nil if it has none.
    func comments(in packet: [UInt8]) -> [UInt8]? {
      switch self {
      case .vorbis: packet.starts(with: [3] + Array("vorbis".utf8)) ? Array(packet.dropFirst(7)) : nil
      case .opus: packet.starts(with: "OpusTags".utf8) ? Array(packet.dropFirst(8)) : nil
      // A header of four bytes precedes the block.
      case .flac: packet.first.map { $0 & 0x7F == 4 } == true ? Array(packet.dropFirst(4)) : nil
      case .speex: packet
      }
    }

    /// Returns whether another header may follow `packet`, which is not that of the comments.
    func hasFurtherHeaders(after packet: [UInt8]) -> Bool {
      // The highest bit marks the last block of metadata, and all bits of the first byte a frame of audio.
      self == .flac && packet.first.map { $0 & 0x80 == 0 } == true
    }
  }
}
