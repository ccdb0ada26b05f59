// Thread: the decoding thread.
internal import SegueFFmpeg

/// An ID3v2 tag of version 2.2, 2.3 or 2.4. At first only the headers of its frames are read, and at most
/// `maximumFrames` of them. Therefore neither a large picture nor a hostile tag takes long.
///
/// Many tags violate the documents of id3.org. Violations that are accepted here are also accepted by mutagen.
struct ID3v2Tag {
  /// A frame with its identifier of version 2.4, or of 2.3 if version 2.4 removed it.
  struct Frame {
    let id: String
    fileprivate let offset: Int
    fileprivate let size: Int
    fileprivate let flags: Flags
  }

  /// The transformations of a frame's bytes, which are undone when the frame is read.
  fileprivate struct Flags: OptionSet {
    let rawValue: UInt8
    static let grouped = Flags(rawValue: 1)
    /// Four bytes before the content state its decompressed size (version 2.4).
    static let lengthStated = Flags(rawValue: 2)
    static let compressed = Flags(rawValue: 4)
    static let encrypted = Flags(rawValue: 8)
    static let unsynchronised = Flags(rawValue: 16)
  }

  private let body: Body
  private let version: UInt8
  private(set) var frames: [Frame] = []
  private var sizeForm = SizeForm.plain

  /// The maximum number of frames, which is greater than that of any genuine tag with chapters.
  private static let maximumFrames = 8192
  /// The maximum number of bytes of an unsynchronised tag that are decoded. In versions 2.2 and 2.3, such a tag must be
  /// decoded from its beginning.
  private static let maximumUnsynchronisedSize = 16 << 20

  /// Reads the headers in the tag at `position` of `file`. If there is no tag of a known version, returns nil.
  init?(_ file: FileInput, at position: Int64) {
    guard let header = Header(file, at: position), (2...4).contains(header.version), let size = file.size else {
      return nil
    }
    version = header.version
    let start = position + Header.size
    let count = Int(min(header.bodySize, size - start))
    if header.isUnsynchronised, version < 4 {
      body = .memory(
        Self.undoUnsynchronisation(file.bytes(at: start, count: min(count, Self.maximumUnsynchronisedSize))))
    } else {
      body = .file(file, start: start, count: count)
    }
    let first = header.hasExtension ? Self.extensionSize(of: body, version) : 0
    readHeaders(from: first, isUnsynchronised: header.isUnsynchronised)
  }

  /// Reads the headers of the first `limit` frames in a frame of `tag`. Their sizes have the same form as in `tag`.
  init(inside bytes: [UInt8], of tag: ID3v2Tag, limit: Int) {
    body = .memory(bytes)
    version = tag.version
    sizeForm = tag.sizeForm
    frames = parseFrames(from: 0, sizeForm, isUnsynchronised: false, limit: limit).frames
  }

  /// Returns at most `limit` bytes of a frame; nil if they are encrypted or cannot be decompressed.
  func bytes(of frame: Frame, limit: Int) -> [UInt8]? {
    guard !frame.flags.contains(.encrypted) else { return nil }
    let isCompressed = frame.flags.contains(.compressed)
    // More than `limit` bytes are read, because a few bytes precede the content and compression may enlarge a frame. If
    // the reserve does not suffice, the content is truncated.
    var bytes = body.bytes(
      at: frame.offset, count: min(frame.size, limit + (isCompressed ? Self.compressionReserve : 16)))
    var decompressedSize = 0
    if version == 3, isCompressed {
      guard bytes.count >= 4 else { return nil }
      decompressedSize = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
      bytes.removeFirst(4)
    }
    if frame.flags.contains(.grouped), !bytes.isEmpty { bytes.removeFirst() }
    if version == 4, frame.flags.contains(.lengthStated) || isCompressed {
      guard bytes.count >= 4 else { return nil }
      decompressedSize = bytes[..<4].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
      bytes.removeFirst(4)
    }
    if frame.flags.contains(.unsynchronised) { bytes = Self.undoUnsynchronisation(bytes) }
    // An incomplete result is not an error: long texts are truncated, and the description of a picture is read before
    // the picture.
    if isCompressed { return Zlib.inflated(bytes, limit: min(decompressedSize, limit)) }
    return bytes.count > limit ? Array(bytes[..<limit]) : bytes
  }

  /// The number of bytes by which the compressed size of a frame may exceed its decompressed size.
  private static let compressionReserve = 1 << 20

  /// Undoes the unsynchronisation, which inserts a zero after each 0xFF. Some programs set the flag without inserting
  /// zeros. If the bytes contain a sequence that looks like an MPEG frame header, they are returned unchanged.
  private static func undoUnsynchronisation(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(0xFF) else { return bytes }
    var isSynchronised = false
    let decoded = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
      bytes.withUnsafeBufferPointer { bytes in
        var followsFF = false
        for byte in bytes {
          if followsFF, byte >= 0xE0 { isSynchronised = true }
          if !followsFF || byte != 0 {
            buffer[count] = byte
            count += 1
          }
          followsFF = byte == 0xFF
        }
      }
    }
    return isSynchronised ? bytes : decoded
  }
}

extension ID3v2Tag {
  /// The first ten bytes of a tag.
  struct Header {
    static let size: Int64 = 10
    let version: UInt8
    let flags: UInt8
    fileprivate var isUnsynchronised: Bool { flags & 0x80 != 0 }
    fileprivate var hasExtension: Bool { version > 2 && flags & 0x40 != 0 }
    /// The size of the tag without its header and footer.
    fileprivate let bodySize: Int64
    /// The position in the file at which the tag ends.
    let end: Int64

    init?(_ file: FileInput, at position: Int64) {
      let bytes = file.bytes(at: position, count: Int(Self.size))
      guard bytes.count == Int(Self.size), bytes.starts(with: "ID3".utf8), bytes[3] < 0xFF else { return nil }
      version = bytes[3]
      flags = bytes[5]
      bodySize = bytes[6...].reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
      end = position + Self.size + bodySize + (version > 3 && flags & 0x10 != 0 ? 10 : 0)
    }
  }

  /// The bytes after the header. They are in the file or, if they had to be decoded, in memory.
  private enum Body {
    case file(FileInput, start: Int64, count: Int)
    case memory([UInt8])

    var count: Int {
      switch self {
      case .file(_, _, let count): count
      case .memory(let bytes): bytes.count
      }
    }

    /// Returns `count` bytes, or fewer at the end.
    func bytes(at offset: Int, count: Int) -> [UInt8] {
      let count = max(0, min(count, self.count - offset))
      switch self {
      case .file(let file, let start, _): return file.bytes(at: start + Int64(offset), count: count)
      case .memory(let bytes): return count == 0 ? [] : Array(bytes[offset..<offset + count])
      }
    }
  }

  /// Returns the size of the extended header. Some programs set the flag without writing an extended header.
  private static func extensionSize(of body: Body, _ version: UInt8) -> Int {
    let bytes = body.bytes(at: 0, count: 4)
    guard bytes.count == 4, name(bytes[...]) == nil else { return 0 }
    return version == 4
      ? bytes.reduce(0) { $0 << 7 | Int($1 & 0x7F) } : 4 + bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}

// MARK: Headers of frames

extension ID3v2Tag {
  /// The form of the sizes in frame headers.
  private enum SizeForm {
    case plain
    /// Seven bits per byte.
    case synchsafe
  }

  /// Reads the headers of the frames. Version 2.4 states sizes with seven bits per byte, and other versions with eight
  /// bits. Old versions of iTunes, and other programs, use the wrong form. The form with which the frames are
  /// contiguous is the right one.
  private mutating func readHeaders(from start: Int, isUnsynchronised: Bool) {
    let (stated, other): (SizeForm, SizeForm) = version == 4 ? (.synchsafe, .plain) : (.plain, .synchsafe)
    let found = parseFrames(from: start, stated, isUnsynchronised: isUnsynchronised, limit: Self.maximumFrames)
    (frames, sizeForm) = (found.frames, stated)
    guard !found.isContiguous, version > 2 else { return }
    let retried = parseFrames(from: start, other, isUnsynchronised: isUnsynchronised, limit: Self.maximumFrames)
    if retried.frames.count > frames.count || retried.isContiguous && retried.frames.count == frames.count {
      (frames, sizeForm) = (retried.frames, other)
    }
  }

  /// Returns the frames, and whether each frame begins where the previous one ends, and none exceeds the tag.
  private func parseFrames(
    from start: Int, _ form: SizeForm, isUnsynchronised: Bool, limit: Int
  ) -> (frames: [Frame], isContiguous: Bool) {
    var frames: [Frame] = []
    var isContiguous = true
    var position = start
    let headerSize = version == 2 ? 6 : 10
    for _ in 0..<limit {
      let header = body.bytes(at: position, count: headerSize)
      // Padding or the end follows.
      guard header.count == headerSize, header[0] != 0 else { return (frames, isContiguous) }
      let digits = version == 2 ? header[3..<6] : header[4..<8]
      let size = digits.reduce(0) { form == .plain ? $0 << 8 | Int($1) : $0 << 7 | Int($1 & 0x7F) }
      position += headerSize
      if position + size > body.count { isContiguous = false }
      if let id = Self.name(header[..<(headerSize == 6 ? 3 : 4)]) {
        var flags = version == 2 ? Flags() : flags(header[9])
        if isUnsynchronised, version == 4 { flags.insert(.unsynchronised) }
        if size > 0, position < body.count {
          frames.append(Frame(id: id, offset: position, size: min(size, body.count - position), flags: flags))
        }
      } else {
        isContiguous = false
      }
      position += size
    }
    return (frames, isContiguous)
  }

  private func flags(_ byte: UInt8) -> Flags {
    let bits: [(UInt8, Flags)] =
      version == 4
      ? [(0x40, .grouped), (0x08, .compressed), (0x04, .encrypted), (0x02, .unsynchronised), (0x01, .lengthStated)]
      : [(0x80, .compressed), (0x40, .encrypted), (0x20, .grouped)]
    return bits.reduce(into: Flags()) { if byte & $1.0 != 0 { $0.insert($1.1) } }
  }

  /// Returns the identifier of a frame in version 2.4; nil if `bytes` are not an identifier. iTunes wrote identifiers
  /// of version 2.2, followed by a blank or a zero, into tags of later versions.
  private static func name(_ bytes: ArraySlice<UInt8>) -> String? {
    let isName: (UInt8) -> Bool = { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    guard bytes.prefix(3).allSatisfy(isName), let last = bytes.last else { return nil }
    if bytes.count == 4, isName(last) { return String(decoding: bytes, as: UTF8.self) }
    guard bytes.count == 3 || last == 0 || last == UInt8(ascii: " ") else { return nil }
    let short = String(decoding: bytes.prefix(3), as: UTF8.self)
    return successors[short] ?? short
  }

  /// The identifiers in later versions of the frames of version 2.2 that are used.
  private static let successors = [
    "TT2": "TIT2", "TP1": "TPE1", "TP2": "TPE2", "TP3": "TPE3", "TAL": "TALB", "TCM": "TCOM", "TCO": "TCON",
    "TYE": "TYER",
    "TDA": "TDAT", "TIM": "TIME", "TOR": "TORY", "TRK": "TRCK", "TPA": "TPOS", "TCP": "TCMP", "TST": "TSOT",
    "TSP": "TSOP", "TSA": "TSOA", "TS2": "TSO2", "TXX": "TXXX", "UFI": "UFID", "ULT": "USLT", "SLT": "SYLT",
    "COM": "COMM", "PIC": "APIC",
  ]

  /// Whether pictures state their format with three letters, as in version 2.2.
  var hasShortFormats: Bool { version == 2 }
}
