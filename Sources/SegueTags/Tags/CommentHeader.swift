// Thread: the decoding thread.
internal import SegueFFmpeg

/// The headers of a FLAC or Ogg file with plain comments. They are the same that TagLib returns, but are read in a
/// fraction of the time and without the pictures. If a file is unusual, TagLib reads it.
///
/// It exists for speed: if TagLib read all files, a scan would take from 5 % (Speex) to 20 % (Vorbis) more CPU time;
/// see contrib/decisions/11-header-readers.md. It also reads files with more comments than TagLib can read in time.
struct CommentHeader {
  private(set) var audio = AudioProperties()
  private(set) var hasPicture = false
  /// The comments (Vorbis I, 5) without the identifier of their packet.
  private var comments: [UInt8] = []
  /// The size of the header packets of Ogg in bytes.
  private var headerSize: Int64 = 0
  /// Whether the comments were read only in part.
  private var isTruncated = false

  /// Creates the header with these comments of a stream.
  init(comments: [UInt8]) { self.comments = comments }

  init?(_ file: FileInput, _ format: FileFormat) {
    guard let size = file.size else { return nil }
    let isRead = file.readingTags { read(file, format, size) }
    // If the comments contain pictures, TagLib reads them, unless there are so many comments that TagLib would take too
    // long.
    guard isRead, count.map({ $0 > Self.maximumTagLibComments || !isTruncated && !namesPicture }) ?? true else {
      return nil
    }
  }

  private mutating func read(_ file: FileInput, _ format: FileFormat, _ size: Int64) -> Bool {
    let isRead =
      switch format.kind {
      case .flac: readBlocks(file, from: format.audioStart, size)
      case .vorbis: readPackets(file, size, identifierSize: 7, count: 3)
      case .opus: readPackets(file, size, identifierSize: 8, count: 2)
      case .speex: readPackets(file, size, identifierSize: 0, count: 2)
      case .oggFLAC: readPackets(file, size, identifierSize: 4, count: 2)
      case .mpeg, .mp4, .asf, .wave, .aiff, .dsf, .dsdiff, .monkeysAudio, .musepack, .wavPack, .trueAudio: false
      }
    guard format.kind == .vorbis || format.kind == .opus else { return isRead }
    return isRead && readOgg(file, size, isOpus: format.kind == .opus)
  }

  /// The maximum size of the comments in bytes. Further comments are dropped.
  static let maximumSize = 1 << 20
  /// The maximum number of metadata blocks of FLAC, which is greater than that of any genuine file.
  static let maximumBlocks = 128
  /// The maximum size in bytes of the comments of an Ogg file that are read without TagLib, unless there are too many
  /// for TagLib. Larger comments usually contain a picture.
  private static let maximumPlainSize = 16 << 10
  /// The maximum number of comments of a file that TagLib reads.
  private static let maximumTagLibComments = 4096
  /// The maximum size of a packet of Ogg in bytes. Further pages are not read.
  private static let maximumPacketSize: Int64 = 64 << 20

  // MARK: FLAC (RFC 9639, 8)

  private mutating func readBlocks(_ file: FileInput, from start: Int64, _ size: Int64) -> Bool {
    guard let first = file.bigEndian(at: start + 4, bytes: 1), first & 0x7F == 0 else { return false }
    var position = start + 4
    for _ in 0..<Self.maximumBlocks {
      guard let head = file.bigEndian(at: position, bytes: 4) else { return false }
      var length = head & 0xFF_FFFF
      position += 4
      guard position + length <= size else { return false }
      switch head >> 24 & 0x7F {
      case 0: guard readStreamInfo(file, at: position, length) else { return false }
      // Only one such block is allowed. If there are several, the first one is used, as by TagLib.
      case 4 where comments.isEmpty:
        comments = file.bytes(at: position, count: min(Int(length), Self.maximumSize))
        isTruncated = length > Int64(Self.maximumSize)
        if !isTruncated, end == nil { readComments(file, beyond: &length, at: position) }
      case 6:
        guard let shows = Self.isCover(file, at: position, length) else { return false }
        hasPicture = hasPicture || shows
      default: break
      }
      position += length
      if head >> 31 == 1 { return true }
    }
    return false
  }

  /// Reads comments that exceed the `length` of their block, which some programs state too small. If they end after it,
  /// corrects the length.
  private mutating func readComments(_ file: FileInput, beyond length: inout Int64, at position: Int64) {
    let stated = comments
    comments = file.bytes(at: position, count: Self.maximumSize)
    guard let end else {
      comments = stated
      return
    }
    comments.removeLast(comments.count - end)
    length = Int64(end)
  }

  private mutating func readStreamInfo(_ file: FileInput, at position: Int64, _ length: Int64) -> Bool {
    guard length >= 34, let bits = file.bigEndian(at: position + 10, bytes: 8).map(UInt64.init(bitPattern:)) else {
      return false
    }
    audio.sampleRate = Int(bits >> 44)
    audio.channelCount = Int(bits >> 41 & 7) + 1
    audio.bitsPerSample = Int(bits >> 36 & 31) + 1
    audio.frames = Int64(bits & 0xF_FFFF_FFFF)
    return true
  }

  /// Returns whether a picture (RFC 9639, 8.8) is a cover. Icons (types 1 and 2), addresses and empty pictures are not.
  /// If the block is malformed, returns nil.
  private static func isCover(_ file: FileInput, at position: Int64, _ length: Int64) -> Bool? {
    guard let type = file.bigEndian(at: position, bytes: 4), let kind = file.bigEndian(at: position + 4, bytes: 4),
      kind <= length - 32, let words = file.bigEndian(at: position + 8 + kind, bytes: 4), words <= length - 32 - kind,
      let size = file.bigEndian(at: position + 28 + kind + words, bytes: 4), size <= length - 32 - kind - words
    else { return nil }
    let isAddress = kind == 3 && file.bigEndian(at: position + 8, bytes: 3) == 0x2D_2D3E
    return size > 0 && type != 1 && type != 2 && !isAddress
  }

  // MARK: Ogg (RFC 3533, 6)

  /// Reads `packetCount` header packets. The comments are in the second packet, after an identifier of `identifierSize`
  /// bytes.
  private mutating func readPackets(_ file: FileInput, _ size: Int64, identifierSize: Int, count packetCount: Int)
    -> Bool
  {
    guard let first = OggPages.Page(file, at: 0) else { return false }
    var lengths: [Int64] = []
    var length: Int64 = 0
    var page = first
    while lengths.count < packetCount {
      guard page.serial == first.serial, length < Self.maximumPacketSize else { return false }
      var at = page.body
      // The part of the comments on this page is read at once.
      var part = at..<at
      for lace in page.laces {
        if lengths.count == 1, comments.count + part.count < Self.maximumSize {
          part = (part.isEmpty ? at : part.lowerBound)..<at + Int64(lace)
        } else if lengths.count == 1, lace > 0 {
          isTruncated = true
        }
        at += Int64(lace)
        length += Int64(lace)
        guard lace < 255 else { continue }
        lengths.append(length)
        length = 0
      }
      comments += file.bytes(at: part.lowerBound, count: part.count)
      // TagLib will read these comments anyway, so the rest of them is not read here.
      if comments.count > Self.maximumPlainSize, let count = count(after: identifierSize),
        count <= Self.maximumTagLibComments
      {
        return false
      }
      guard let next = OggPages.Page(file, at: page.position + page.size) else { break }
      page = next
    }
    guard lengths.count >= packetCount, comments.count >= identifierSize else { return false }
    comments.removeFirst(identifierSize)
    headerSize = lengths.prefix(packetCount).reduce(0, +)
    return true
  }

  private mutating func readOgg(_ file: FileInput, _ size: Int64, isOpus: Bool) -> Bool {
    guard let first = OggPages.Page(file, at: 0), let last = OggPages.last(file) else { return false }
    audio.isChained = first.serial != last.serial
    audio.frames = last.granule
    return isOpus ? readOpus(file, first.body) : readVorbis(file, first, last, size - headerSize)
  }

  /// Reads the header of Opus (RFC 7845, 5.1).
  private mutating func readOpus(_ file: FileInput, _ packet: Int64) -> Bool {
    guard let channels = file.bigEndian(at: packet + 9, bytes: 1) else { return false }
    audio.channelCount = Int(channels)
    audio.sampleRate = 48_000
    return true
  }

  /// Reads the header of Vorbis (Vorbis I, 4.2.2). `music` is the size of the file without the headers.
  private mutating func readVorbis(
    _ file: FileInput, _ first: OggPages.Page, _ last: OggPages.Page, _ music: Int64
  ) -> Bool {
    guard let channels = file.bigEndian(at: first.body + 11, bytes: 1),
      let rate = file.bigEndian(at: first.body + 12, bytes: 4).map({ UInt32(truncatingIfNeeded: $0).byteSwapped }),
      (1...1_000_000).contains(rate), first.granule >= 0, last.granule > first.granule
    else { return false }
    audio.channelCount = Int(channels)
    audio.sampleRate = Int(rate)
    let milliseconds = Double(last.granule - first.granule) * 1000 / Double(rate)
    audio.bitRate = Int(min(Double(music) * 8 / milliseconds + 0.5, 1e9))
    return true
  }

}

// MARK: The comments

extension CommentHeader {
  /// Adds all texts to `values`.
  func collect(into values: inout TagValues) {
    each { key, value in values.add(key, value, rank: 0) }
  }

  /// The number of comments that the header states; nil if the vendor string before it exceeds the bytes that were
  /// read.
  private var count: Int? { count(after: 0) }

  /// Returns the number of comments if an identifier of `offset` bytes precedes the header.
  private func count(after offset: Int) -> Int? {
    comments.withUnsafeBytes { bytes in
      guard bytes.count >= offset + 8 else { return nil }
      let vendor = Self.number(bytes, at: offset)
      return vendor <= bytes.count - offset - 8 ? Self.number(bytes, at: offset + 4 + vendor) : nil
    }
  }

  /// The end of the stated number of comments; nil if some of them are missing.
  private var end: Int? {
    guard var left = count else { return nil }
    return comments.withUnsafeBytes { bytes in
      var position = 8 + Self.number(bytes, at: 0)
      while left > 0 {
        guard bytes.count >= position + 4 else { return nil }
        let next = position + 4 + Self.number(bytes, at: position)
        guard next <= bytes.count else { return nil }
        position = next
        left -= 1
      }
      return position
    }
  }

  private var namesPicture: Bool {
    var isNamed = false
    each { key, _ in
      switch key.count {
      case 22: isNamed = isNamed || Self.isSame(key, "METADATA_BLOCK_PICTURE")
      case 8: isNamed = isNamed || Self.isSame(key, "COVERART")
      default: break
      }
    }
    return isNamed
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Int {
    Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
  }

  private static func isSame(_ key: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
    name.withUTF8Buffer { $0.elementsEqual(key, by: { $0 == $1 || $0 == $1 & 0xDF }) }
  }

  private func each(_ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void) {
    comments.withUnsafeBytes { bytes in
      // A vendor string precedes the comments.
      guard var left = count else { return }
      var position = 8 + Self.number(bytes, at: 0)
      while left > 0, bytes.count >= position + 4 {
        let size = Self.number(bytes, at: position)
        position += 4
        guard size <= bytes.count - position else { return }
        let comment = UnsafeRawBufferPointer(rebasing: bytes[position..<position + size])
        position += size
        left -= 1
        guard let sign = comment.prefix(256).firstIndex(of: UInt8(ascii: "=")) else { continue }
        body(
          UnsafeRawBufferPointer(rebasing: comment[..<sign]), UnsafeRawBufferPointer(rebasing: comment[(sign + 1)...]))
      }
    }
  }
}
