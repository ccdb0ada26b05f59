// Decoding thread only.
internal import CZlib
internal import SegueFFmpeg

/// An ID3v2 tag of version 2.2, 2.3 or 2.4. Only the headers of its frames are read at first, and at most `mostFrames`
/// of them: neither a large picture nor a tag made to be slow costs more than that.
///
/// Many tags are not quite as id3.org's documents demand. Where those are read here although they are wrong, mutagen
/// reads them too.
struct ID3v2Tag {
  /// A frame under its name in version 2.4 (or 2.3, if 2.4 has it no more).
  struct Frame {
    let id: String
    fileprivate let offset: Int
    fileprivate let size: Int
    fileprivate let flags: Flags
  }

  /// The transformations of a frame's bytes that must be undone before they are read.
  fileprivate struct Flags: OptionSet {
    let rawValue: UInt8
    static let grouped = Flags(rawValue: 1)
    static let sized = Flags(rawValue: 2)
    static let compressed = Flags(rawValue: 4)
    static let encrypted = Flags(rawValue: 8)
    static let unsynchronised = Flags(rawValue: 16)
  }

  private let body: Body
  private let version: UInt8
  private(set) var frames: [Frame] = []
  private var sizeForm = SizeForm.plain

  /// More frames than any honest tag has, chapters included.
  private static let mostFrames = 8192
  /// The limit in bytes: an unsynchronised tag of 2.2 or 2.3 must be decoded from its beginning on, but no further than
  /// this.
  private static let longestUnsynchronised = 16 << 20

  /// Reads the headers in the tag at `position` of `file`. nil if none of a known version lies there.
  init?(_ file: SourceFile, at position: Int64) {
    guard let header = Header(file, at: position), (2...4).contains(header.version), let size = file.size else {
      return nil
    }
    version = header.version
    let start = position + Header.size
    let count = Int(min(header.bodySize, size - start))
    if header.isUnsynchronised, version < 4 {
      body = .memory(Self.synchronised(file.bytes(at: start, count: min(count, Self.longestUnsynchronised))))
    } else {
      body = .file(file, start: start, count: count)
    }
    let first = header.hasExtension ? Self.extensionSize(of: body, version) : 0
    readHeaders(from: first, isUnsynchronised: header.isUnsynchronised)
  }

  /// Reads the headers of the first `most` frames inside a frame of `tag`. Their sizes have the form of those of `tag`.
  init(inside bytes: [UInt8], of tag: ID3v2Tag, most: Int) {
    body = .memory(bytes)
    version = tag.version
    sizeForm = tag.sizeForm
    frames = walk(from: 0, sizeForm, isUnsynchronised: false, most: most).frames
  }

  /// At most `most` bytes of a frame; nil if they are encrypted or cannot be unpacked.
  func bytes(of frame: Frame, most: Int) -> [UInt8]? {
    guard !frame.flags.contains(.encrypted) else { return nil }
    let isPacked = frame.flags.contains(.compressed)
    // Packed bytes are rarely more than the plain ones, and may be cut off anywhere.
    var bytes = body.bytes(at: frame.offset, count: min(frame.size, most + (isPacked ? Self.packedReserve : 16)))
    var plainSize = 0
    if version == 3, isPacked {
      guard bytes.count >= 4 else { return nil }
      plainSize = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
      bytes.removeFirst(4)
    }
    if frame.flags.contains(.grouped), !bytes.isEmpty { bytes.removeFirst() }
    if version == 4, frame.flags.contains(.sized) || isPacked {
      guard bytes.count >= 4 else { return nil }
      plainSize = bytes[..<4].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
      bytes.removeFirst(4)
    }
    if frame.flags.contains(.unsynchronised) { bytes = Self.synchronised(bytes) }
    if isPacked { return Self.inflated(bytes, most: min(plainSize, most)) }
    return bytes.count > most ? Array(bytes[..<most]) : bytes
  }

  /// In bytes: by so much more than its plain bytes a compressed frame is read.
  private static let packedReserve = 1 << 20

  /// The first `most` bytes that zlib packed into `bytes`, or as many as come out before these end or are damaged. nil
  /// if none do.
  private static func inflated(_ bytes: [UInt8], most: Int) -> [UInt8]? {
    var stream = z_stream()
    guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var packed = bytes
    let plain = packed.withUnsafeMutableBufferPointer { packed in
      [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
        stream.next_in = packed.baseAddress
        stream.avail_in = uInt(packed.count)
        stream.next_out = buffer.baseAddress
        stream.avail_out = uInt(most)
        // That not all came out is no error: a text is cut, and of a picture its description is read first.
        _ = inflate(&stream, Z_SYNC_FLUSH)
        count = most - Int(stream.avail_out)
      }
    }
    return plain.isEmpty ? nil : plain
  }

  /// Undoes the unsynchronisation: no 0xFF is followed by a zero that was not there before. Some programs set the flag
  /// and change nothing, and then there may be what looks like the beginning of an MPEG frame. Such bytes stay as they
  /// are.
  private static func synchronised(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(0xFF) else { return bytes }
    var isSynchronised = false
    let decoded = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
      bytes.withUnsafeBufferPointer { bytes in
        var wasFull = false
        for byte in bytes {
          if wasFull, byte >= 0xE0 { isSynchronised = true }
          if !wasFull || byte != 0 {
            buffer[count] = byte
            count += 1
          }
          wasFull = byte == 0xFF
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
    /// The size of the tag behind its header, without the footer.
    fileprivate let bodySize: Int64
    /// The position in the file at which the tag ends.
    let end: Int64

    init?(_ file: SourceFile, at position: Int64) {
      let bytes = file.bytes(at: position, count: Int(Self.size))
      guard bytes.count == Int(Self.size), bytes.starts(with: "ID3".utf8), bytes[3] < 0xFF else { return nil }
      version = bytes[3]
      flags = bytes[5]
      bodySize = bytes[6...].reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
      end = position + Self.size + bodySize + (version > 3 && flags & 0x10 != 0 ? 10 : 0)
    }
  }

  /// The bytes behind the header: in the file or, if they had to be decoded, in memory.
  private enum Body {
    case file(SourceFile, start: Int64, count: Int)
    case memory([UInt8])

    var count: Int {
      switch self {
      case .file(_, _, let count): count
      case .memory(let bytes): bytes.count
      }
    }

    /// Fewer than `count` only at the end.
    func bytes(at offset: Int, count: Int) -> [UInt8] {
      let count = max(0, min(count, self.count - offset))
      switch self {
      case .file(let file, let start, _): return file.bytes(at: start + Int64(offset), count: count)
      case .memory(let bytes): return count == 0 ? [] : Array(bytes[offset..<offset + count])
      }
    }
  }

  /// The size of the extended header. Some programs set the flag and write none.
  private static func extensionSize(of body: Body, _ version: UInt8) -> Int {
    let bytes = body.bytes(at: 0, count: 4)
    guard bytes.count == 4, name(bytes[...]) == nil else { return 0 }
    return version == 4
      ? bytes.reduce(0) { $0 << 7 | Int($1 & 0x7F) } : 4 + bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}

// MARK: Headers of frames

extension ID3v2Tag {
  /// The form in which a frame's header states its size.
  private enum SizeForm {
    case plain
    /// Seven bits a byte.
    case synchsafe
  }

  /// Version 2.4 has sizes of seven bits a byte, the others of eight; old versions of iTunes, and other programs the
  /// other way round, did not know that. The form in which the frames join is the right one.
  private mutating func readHeaders(from start: Int, isUnsynchronised: Bool) {
    let (stated, other): (SizeForm, SizeForm) = version == 4 ? (.synchsafe, .plain) : (.plain, .synchsafe)
    let found = walk(from: start, stated, isUnsynchronised: isUnsynchronised, most: Self.mostFrames)
    (frames, sizeForm) = (found.frames, stated)
    guard !found.isSound, version > 2 else { return }
    let retried = walk(from: start, other, isUnsynchronised: isUnsynchronised, most: Self.mostFrames)
    if retried.frames.count > frames.count || retried.isSound && retried.frames.count == frames.count {
      (frames, sizeForm) = (retried.frames, other)
    }
  }

  /// `isSound`: every frame begins where the one before ended, and none reaches beyond the tag.
  private func walk(
    from start: Int, _ form: SizeForm, isUnsynchronised: Bool, most: Int
  ) -> (frames: [Frame], isSound: Bool) {
    var frames: [Frame] = []
    var isSound = true
    var position = start
    let headerSize = version == 2 ? 6 : 10
    for _ in 0..<most {
      let header = body.bytes(at: position, count: headerSize)
      // Padding, or the end.
      guard header.count == headerSize, header[0] != 0 else { return (frames, isSound) }
      let digits = version == 2 ? header[3..<6] : header[4..<8]
      let size = digits.reduce(0) { form == .plain ? $0 << 8 | Int($1) : $0 << 7 | Int($1 & 0x7F) }
      position += headerSize
      if position + size > body.count { isSound = false }
      if let id = Self.name(header[..<(headerSize == 6 ? 3 : 4)]) {
        var flags = version == 2 ? Flags() : flags(header[9])
        if isUnsynchronised, version == 4 { flags.insert(.unsynchronised) }
        if size > 0, position < body.count {
          frames.append(Frame(id: id, offset: position, size: min(size, body.count - position), flags: flags))
        }
      } else {
        isSound = false
      }
      position += size
    }
    return (frames, isSound)
  }

  private func flags(_ byte: UInt8) -> Flags {
    let bits: [(UInt8, Flags)] =
      version == 4
      ? [(0x40, .grouped), (0x08, .compressed), (0x04, .encrypted), (0x02, .unsynchronised), (0x01, .sized)]
      : [(0x80, .compressed), (0x40, .encrypted), (0x20, .grouped)]
    return bits.reduce(into: Flags()) { if byte & $1.0 != 0 { $0.insert($1.1) } }
  }

  /// The name of a frame as version 2.4 has it; nil if `bytes` are no name. iTunes wrote names of version 2.2, with a
  /// blank or a zero behind them, into tags of later versions.
  private static func name(_ bytes: ArraySlice<UInt8>) -> String? {
    let isName: (UInt8) -> Bool = { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    guard bytes.prefix(3).allSatisfy(isName), let last = bytes.last else { return nil }
    if bytes.count == 4, isName(last) { return String(decoding: bytes, as: UTF8.self) }
    guard bytes.count == 3 || last == 0 || last == UInt8(ascii: " ") else { return nil }
    let short = String(decoding: bytes.prefix(3), as: UTF8.self)
    return successors[short] ?? short
  }

  /// The names in later versions of the frames of version 2.2 that are read.
  private static let successors = [
    "TT2": "TIT2", "TP1": "TPE1", "TP2": "TPE2", "TAL": "TALB", "TCM": "TCOM", "TCO": "TCON", "TYE": "TYER",
    "TDA": "TDAT", "TIM": "TIME", "TOR": "TORY", "TRK": "TRCK", "TPA": "TPOS", "TCP": "TCMP", "TST": "TSOT",
    "TSP": "TSOP", "TSA": "TSOA", "TS2": "TSO2", "TXX": "TXXX", "UFI": "UFID", "ULT": "USLT", "SLT": "SYLT",
    "COM": "COMM", "PIC": "APIC",
  ]

  /// Whether pictures state their format as in version 2.2, by three letters.
  var hasShortFormats: Bool { version == 2 }
}
