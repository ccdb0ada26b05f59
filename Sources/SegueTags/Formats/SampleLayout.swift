// Thread: the decoding thread.
internal import SegueFFmpeg

/// The layout of a file of uncompressed audio, which is found chunk by chunk.
struct SampleLayout {
  private enum Form {
    case riff, rf64, wave64, aiff, au

    init?(_ file: FileInput) {
      guard let name = file.bigEndian(at: 0, bytes: 4), let type = file.bigEndian(at: 8, bytes: 4) else { return nil }
      switch (name, type) {
      // "RIFF", "RF64", "BW64" and "WAVE"
      case (0x5249_4646, 0x5741_5645): self = .riff
      case (0x5246_3634, 0x5741_5645), (0x4257_3634, 0x5741_5645): self = .rf64
      // "FORM" with "AIFF" or "AIFC"
      case (0x464F_524D, 0x4149_4646), (0x464F_524D, 0x4149_4643): self = .aiff
      // ".snd"
      case (0x2E73_6E64, _): self = .au
      // The identifier of "riff"
      case (0x7269_6666, 0xA5D6_28DB): self = .wave64
      default: return nil
      }
    }
  }

  private(set) var samples: Range<Int64>?
  private(set) var replacements: [FileInput.Replacement] = []
  private(set) var isOpenEnded = false
  /// The number of bytes of samples that the header states and that are not in the file.
  private(set) var missing: Int64 = 0
  private let file: FileInput
  private let size: Int64

  /// The maximum number of chunks that are read. It is greater than the number of chunks in any genuine file.
  private static let maximumChunks = 10_000
  /// The maximum number of bytes in place of which libavformat reads others. Chunks of the maximum size between them
  /// make up 64 terabytes, and only a sparse file has so many zeros.
  private static let maximumReplacements = 16_384

  /// Returns nil if `file` is of another format.
  init?(_ file: FileInput) {
    guard let form = Form(file), let size = file.size else { return nil }
    (self.file, self.size) = (file, size)
    switch form {
    case .riff: readRIFF(isLarge: false)
    case .rf64: readRIFF(isLarge: true)
    case .wave64: readWave64()
    case .aiff: readAIFF()
    case .au: readAU()
    }
  }

  private mutating func replace(at position: Int64, with bytes: [UInt8]) {
    replacements.append(FileInput.Replacement(position: position, bytes: bytes))
  }

  /// Sizes from this one on stand for a size that was not known when the header was written. SoX states 0x7F000000
  /// bytes of whole frames for AIFF, and larger sizes for WAV.
  private static let placeholder: Int64 = 0x7EFF_0000

  /// Records that the header states that the samples end at `end`.
  private mutating func recordStatedEnd(_ end: Int64, isPlaceholder: Bool) {
    if !isPlaceholder, end > size { missing = end - size }
  }

  private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value, Array.init) }

  // MARK: Padding

  /// A chunk without content for libavformat, which takes padding outside of chunks for millions of empty chunks.
  private enum Filler {
    case riff, aiff, wave64

    var headerSize: Int64 { self == .wave64 ? 24 : 8 }
    /// The largest size of the content.
    var maximumSize: Int64 {
      switch self {
      case .riff: 0xFFFF_FFF0
      case .aiff: 0x7FFF_FFF0
      case .wave64: .max
      }
    }

    /// The positions of all chunks are multiples of this.
    var alignment: Int64 { self == .wave64 ? 8 : 2 }

    func header(of count: Int64) -> [UInt8] {
      switch self {
      case .riff: Array("JUNK".utf8) + SampleLayout.bytes(UInt32(count).littleEndian)
      case .aiff: Array("JUNK".utf8) + SampleLayout.bytes(UInt32(count).bigEndian)
      case .wave64: Array("junk".utf8) + Wave64.suffix + SampleLayout.bytes((count + headerSize).littleEndian)
      }
    }
  }

  /// Returns the position of the first byte after the zeros at `position`, and replaces them by chunks for libavformat.
  /// Returns nil if nothing else follows.
  private mutating func skipZeros(at position: Int64, as filler: Filler) -> Int64? {
    let found = file.endOfZeros(from: position)
    let end = found.map { $0 - $0 % filler.alignment } ?? size
    var start = position
    while end - start >= filler.headerSize, replacements.count < Self.maximumReplacements {
      let rest = end - start - filler.headerSize
      // Another header must fit behind a chunk of the maximum size.
      let count = rest <= filler.maximumSize ? rest : min(filler.maximumSize, rest - filler.headerSize)
      replace(at: start, with: filler.header(of: count))
      start += filler.headerSize + count
    }
    return found == nil ? nil : end
  }

  /// Reads the header of the chunk at `position`, which is moved behind zeros first. Returns nil at the end.
  private mutating func chunk(at position: inout Int64, after filler: Filler) -> (name: Int64, length: Int64)? {
    guard let found = header(at: position, filler) else { return nil }
    guard found.name == 0, found.length == 0 else { return found }
    guard let next = skipZeros(at: position, as: filler), next > position else { return nil }
    position = next
    return header(at: position, filler).flatMap { $0.name == 0 && $0.length == 0 ? nil : $0 }
  }

  private func header(at position: Int64, _ filler: Filler) -> (name: Int64, length: Int64)? {
    let length =
      switch filler {
      case .riff: file.littleEndian(at: position + 4, bytes: 4)
      case .aiff: file.bigEndian(at: position + 4, bytes: 4)
      case .wave64: file.littleEndian(at: position + 16)
      }
    guard let name = file.bigEndian(at: position, bytes: 4), let length else { return nil }
    return (name, length)
  }

  // MARK: WAV and RF64 (EBU Tech 3306)

  private mutating func readRIFF(isLarge: Bool) {
    var position: Int64 = 12
    /// The size of the samples that "ds64" states.
    var large: Int64?
    for _ in 0..<Self.maximumChunks {
      guard let (name, length) = chunk(at: &position, after: .riff) else { return }
      position += 8
      switch name {
      // "ds64"
      case 0x6473_3634 where isLarge && samples == nil: large = file.littleEndian(at: position + 8)
      // "data"
      case 0x6461_7461 where samples == nil:
        if isLarge { setSamples(at: position, length, large) } else { setSamples(at: position, length) }
        // Only what follows the samples is left.
        guard let samples, !isOpenEnded, samples.upperBound < size else { return }
        position = samples.upperBound + Int64(samples.count % 2)
        continue
      default: break
      }
      position += length + length % 2
    }
    // The last chunk may state a size behind the end of the file.
    let rest = size - position - Filler.riff.headerSize
    if samples != nil, rest >= 0 {
      replace(at: position, with: Filler.riff.header(of: min(Filler.riff.maximumSize, rest)))
    }
  }

  /// Sets the range of the samples of a WAV file that begin at `start`. Their stated size is `length`.
  private mutating func setSamples(at start: Int64, _ length: Int64) {
    let rest = size - start
    // If the writer was interrupted, the size is missing.
    if length == 0 || length == 0xFFFF_FFFF || length >= rest {
      samples = start..<size
      recordStatedEnd(start + length, isPlaceholder: length >= Self.placeholder)
      return
    }
    // The size of more than 4 GiB does not fit into 32 bits.
    let wrapped = (rest - length) & ~0xFFFF_FFFF
    guard wrapped > 0, !isChunk(at: start + length + length % 2, isBigEndian: false) else {
      samples = start..<start + length
      return
    }
    samples = start..<start + length + wrapped
    readToEnd(sizeAt: start - 4)
  }

  /// Sets the range of the samples of an RF64 file that begin at `start`. Their stated size is `length`, or `large` in
  /// its place.
  private mutating func setSamples(at start: Int64, _ length: Int64, _ large: Int64?) {
    let rest = size - start
    let stated = length == 0xFFFF_FFFF ? large : length
    let count = stated.flatMap { (1...max(1, rest)).contains($0) ? $0 : nil } ?? rest
    samples = start..<start + min(count, rest)
    if let stated, stated < 1 << 60 { recordStatedEnd(start + stated, isPlaceholder: stated == 0xFFFF_FFFF) }
    // "ds64" is the first chunk.
    guard large != count || file.bigEndian(at: 12, bytes: 4) != 0x6473_3634 else { return }
    // libavformat reads only the size in "ds64". Without it, this is a WAV file of unknown size.
    replace(at: 0, with: Array("RIFF".utf8))
    readToEnd(sizeAt: start - 4)
  }

  /// Lets libavformat read all of the rest of the file, since the size of the samples at `position` does not fit.
  private mutating func readToEnd(sizeAt position: Int64) {
    replace(at: position, with: Self.bytes(UInt32.max))
    isOpenEnded = true
  }

  /// Whether there may be the header of a chunk at `position`, whose size is little-endian or big-endian, or the file
  /// ends there.
  private func isChunk(at position: Int64, isBigEndian: Bool) -> Bool {
    guard position < size else { return true }
    let name = file.bytes(at: position, count: 4)
    guard name.count == 4, name.allSatisfy({ (0x20...0x7E).contains($0) }),
      let length = isBigEndian
        ? file.bigEndian(at: position + 4, bytes: 4) : file.littleEndian(at: position + 4, bytes: 4)
    else { return false }
    return length <= size - position - 8
  }

  // MARK: Wave64

  private enum Wave64 {
    /// The last 12 bytes of the identifiers of all chunks, except "riff".
    static let suffix: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
    static let headerSize: Int64 = 24
    /// The smallest size of a file that libavformat accepts.
    static let minimumSize: Int64 = 128
  }

  private mutating func readWave64() {
    if let stated = file.littleEndian(at: 16), stated < Wave64.minimumSize || stated > size {
      replace(at: 16, with: Self.bytes(size.littleEndian))
    }
    var position: Int64 = 40
    for _ in 0..<Self.maximumChunks {
      guard let (name, length) = chunk(at: &position, after: .wave64) else { return }
      let start = position + Wave64.headerSize
      guard hasWave64Name(at: position) else { return }
      // "data"
      if name == 0x6461_7461, samples == nil {
        let isWhole = (Wave64.headerSize...size - position).contains(length)
        let end = isWhole && length > Wave64.headerSize ? position + length : size
        samples = start..<end
        if length < 1 << 60 {
          recordStatedEnd(position + length, isPlaceholder: length >= Self.placeholder && !isWhole)
        }
        // libavformat rejects a file if no chunk follows the samples.
        let next = (end + 7) & ~7
        guard next < size, hasWave64Name(at: next) else {
          isOpenEnded = end < size
          replace(at: position + 16, with: Self.bytes((size - position).littleEndian))
          return
        }
      }
      guard length >= Wave64.headerSize, length < size - position else { return }
      position = (position + length + 7) & ~7
    }
  }

  private func hasWave64Name(at position: Int64) -> Bool {
    file.bytes(at: position + 4, count: Wave64.suffix.count) == Wave64.suffix
  }

  // MARK: AIFF

  private mutating func readAIFF() {
    // libavformat reads chunks until their sizes exceed that of the file, which is a signed number.
    if let stated = file.bigEndian(at: 4, bytes: 4), stated + 8 != size {
      replace(at: 4, with: Self.bytes(UInt32(clamping: min(size - 8, 0x7FFF_FFFF)).bigEndian))
    }
    var position: Int64 = 12
    for _ in 0..<Self.maximumChunks {
      guard let (name, length) = chunk(at: &position, after: .aiff) else { return }
      position += 8
      switch name {
      // "COMM". libavformat reads the number of frames after that of the channels as a signed number.
      case 0x434F_4D4D:
        if let frames = file.bigEndian(at: position + 2, bytes: 4), frames > 0x7FFF_FFFF {
          replace(at: position + 2, with: Self.bytes(UInt32(0)))
        }
      // "SSND"
      case 0x5353_4E44 where samples == nil:
        guard let end = setSamples(ofAIFFAt: position, length) else { return }
        position = end
        continue
      default: break
      }
      position += length + length % 2
    }
  }

  /// Sets the range of the samples in a chunk with the content at `start`, which begins with an offset and a block
  /// size. Returns the end of the chunk; nil if it is that of the file.
  private mutating func setSamples(ofAIFFAt start: Int64, _ length: Int64) -> Int64? {
    guard size - start >= 8, let stated = file.bigEndian(at: start, bytes: 4) else { return nil }
    // If the writer was interrupted, the size is missing.
    let isMissing = length <= 8 && !isChunk(at: start + length, isBigEndian: true)
    let end = isMissing || length > size - start ? size : start + length
    if isMissing {
      replace(at: start - 4, with: Self.bytes(UInt32(clamping: min(size - start, 0x7FFF_FFFF)).bigEndian))
    }
    let isPlausible = start + 8 + stated <= end
    if !isPlausible { replace(at: start, with: [0, 0, 0, 0]) }
    let first = start + 8 + (isPlausible ? stated : 0)
    samples = first..<max(first, end)
    recordStatedEnd(start + length, isPlaceholder: length >= Self.placeholder)
    return end < size ? end + (end - start) % 2 : nil
  }

  // MARK: AU

  /// Nothing can follow the samples, so that they reach up to the end of the file.
  private mutating func readAU() {
    guard let start = file.bigEndian(at: 4, bytes: 4), let stated = file.bigEndian(at: 8, bytes: 4), start >= 24,
      start <= size
    else { return }
    samples = start..<size
    recordStatedEnd(start + stated, isPlaceholder: stated >= Self.placeholder)
    if start + stated != size { replace(at: 8, with: Self.bytes(UInt32.max)) }
  }
}
