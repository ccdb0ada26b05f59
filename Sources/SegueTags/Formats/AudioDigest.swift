// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueSystem

/// A digest of the encoded audio of a file. It stays the same when the tags of the file change and the audio moves in
/// the file, so that a file is recognized that was moved, copied or tagged anew.
///
/// It is made of the size of the audio and of a few blocks, which the readers of tags and headers have mostly read
/// before.
enum AudioDigest {
  /// The size of a block in bytes. Blocks of this size are read from the caches of `FileInput`.
  private static let blockSize: Int64 = 8 * 1024

  /// Returns the digest of `file`. `format` is nil if it was not recognised.
  static func digest(_ file: FileInput, _ format: FileFormat?) -> UInt64? {
    guard let size = file.size, size > 0 else { return nil }
    if let format, let found = digest(file, format, size) { return found }
    // A DSF file without a tag is left to libavformat.
    if file.bytes(at: 0, count: 4).elementsEqual("DSD ".utf8) { return region(file, min(28, size)..<size, .samples) }
    if let found = matroska(file) { return found }
    // Such files rarely have tags. A tag may state more than the size of the file.
    return region(file, min(format?.audioStart ?? 0, size)..<size, .other)
  }

  /// The kinds of audio, of which each has digests of its own.
  private enum Salt: UInt64 {
    case frames = 1
    case flacSum, samples, oggPayload, packetSizes, fragments, packets, matroska, other
  }

  private static func digest(_ file: FileInput, _ format: FileFormat, _ size: Int64) -> UInt64? {
    switch format.kind {
    case .flac: flac(file, format.audioStart, size)
    case .mpeg:
      TrailingTags.audioEnd(file).flatMap { end in
        let start = firstFrame(ofMPEG: file, format.audioStart)
        return region(file, start..<max(start, end), .frames)
      }
    case .monkeysAudio, .musepack, .wavPack, .trueAudio:
      TrailingTags.audioEnd(file).flatMap { region(file, format.audioStart..<max(format.audioStart, $0), .frames) }
    case .vorbis, .opus, .speex, .oggFLAC: ogg(file)
    case .mp4: movie(file, size)
    case .asf: asf(file, size)
    case .wave, .aiff: AudioChunk(file).flatMap { region(file, $0.samples, .samples) }
    // The header contains the position of the tag.
    case .dsf: region(file, min(28, format.tagStart)..<format.tagStart, .samples)
    case .dsdiff:
      ChunkedFile(file, format)?.chunks.first { $0.name == "DSD " || $0.name == "DST " }
        .flatMap { region(file, $0.offset..<$0.offset + $0.size, .samples) }
    }
  }

  // MARK: Blocks

  /// Returns a digest of the size of `range`, its first block and its last bytes. Of samples that are not compressed,
  /// the middle is included, too: recordings of equal length may begin and end with silence.
  private static func region(_ file: FileInput, _ range: Range<Int64>, _ salt: Salt) -> UInt64? {
    guard !range.isEmpty else { return nil }
    let count = range.upperBound - range.lowerBound
    var hash = StableHash.fold(salt.rawValue ^ UInt64(count))
    let tail = min(count, blockSize / 2)
    var blocks = [(range.lowerBound, min(count, blockSize)), (range.upperBound - tail, tail)]
    if salt == .samples { blocks.insert((range.lowerBound + (count - tail) / 2, tail), at: 1) }
    for (position, length) in blocks { hash = combine(hash, file.bytes(at: position, count: Int(length))) }
    return hash
  }

  private static func combine(_ hash: UInt64, _ bytes: [UInt8]) -> UInt64 {
    StableHash.fold(hash ^ StableHash.hash(bytes))
  }

  // MARK: Formats

  /// Returns the position of the first frame with audio. The frame before it with the Xing or Info tag is made anew by
  /// programs that copy the frames, such as FFmpeg.
  private static func firstFrame(ofMPEG file: FileInput, _ start: Int64) -> Int64 {
    guard let found = GaplessTag.Xing.read(file), found.offset == start else { return start }
    return start + Int64(found.header.size)
  }

  /// The STREAMINFO has a checksum of the decoded samples (RFC 9639, 8.2), unless the encoder could not write it.
  private static func flac(_ file: FileInput, _ start: Int64, _ size: Int64) -> UInt64? {
    // The sample rate, the format and the number of samples precede the checksum.
    guard let info = file.bytes(start + 18..<start + 42) else { return nil }
    if info[8...].contains(where: { $0 != 0 }) { return combine(Salt.flacSum.rawValue, info) }
    guard let frames = FileFormat.audioStart(ofFLAC: file, at: start) else { return nil }
    return region(file, frames..<max(frames, TrailingTags.audioEnd(file) ?? size), .frames)
  }

  /// The pages of the audio get other numbers and checksums when the comments grow, and programs may divide the stream
  /// into other pages. What stays are the bytes of the packets and the last granule.
  private static func ogg(_ file: FileInput) -> UInt64? {
    guard var page = OggPages.firstAudio(file), let last = OggPages.last(file) else { return nil }
    var payload: [UInt8] = []
    // Pages may be small, but not all of them are.
    for _ in 0..<64 {
      let end = page.position + page.size
      payload += file.bytes(at: page.body, count: Int(min(end - page.body, blockSize - Int64(payload.count))))
      guard payload.count < blockSize, let next = OggPages.Page(file, at: end) else { break }
      page = next
    }
    return combine(StableHash.fold(Salt.oggPayload.rawValue ^ UInt64(bitPattern: last.granule)), payload)
  }

  /// The sizes of the packets and the first of them, or the fragments.
  private static func movie(_ file: FileInput, _ size: Int64) -> UInt64? {
    guard let movie = Box.find("moov", in: file, 0..<size) else { return nil }
    if MovieFragments.canFollow(movie, in: file), let found = fragments(file, movie.upperBound..<size) { return found }
    for track in Box.all("trak", in: file, movie) {
      guard let media = Box.find("mdia", in: file, track), let handler = Box.find("hdlr", in: file, media),
        file.bigEndian(at: handler.lowerBound + 8, bytes: 4) == 0x736F_756E,
        let table = Box.find("minf", in: file, media).flatMap({ Box.find("stbl", in: file, $0) }),
        let sizes = Box.find("stsz", in: file, table), sizes.count >= 12
      else { continue }
      guard file.bigEndian(at: sizes.lowerBound + 8, bytes: 4).map({ $0 > 0 }) == true else { break }
      let short = Box.find("stco", in: file, table)
      guard let offsets = short ?? Box.find("co64", in: file, table),
        let first = file.bigEndian(at: offsets.lowerBound + 8, bytes: short == nil ? 8 : 4), (0..<size).contains(first),
        let hash = region(file, sizes, .packetSizes)
      else { return nil }
      return combine(hash, file.bytes(at: first, count: Int(blockSize / 2)))
    }
    return nil
  }

  /// The size of all fragments in `range`, the audio of the first one, and bytes in the middle. The header of a
  /// fragment may state its position in the file.
  private static func fragments(_ file: FileInput, _ range: Range<Int64>) -> UInt64? {
    guard let first = Box.find("moof", in: file, range),
      let audio = Box.find("mdat", in: file, first.upperBound..<range.upperBound),
      let hash = region(file, audio, .fragments)
    else { return nil }
    let count = range.upperBound - first.lowerBound
    let block = Int(blockSize / 2)
    let middle = first.lowerBound + count / 2
    var bytes = file.bytes(at: middle, count: block)
    if bytes.range(of: "moof".utf8) != nil { bytes = file.bytes(at: middle + Int64(block), count: block) }
    return combine(StableHash.fold(hash ^ UInt64(count)), bytes)
  }

  /// The data object follows the header object (Advanced Systems Format, 3 and 5). Its own header contains the file's
  /// identifier and the number of packets.
  private static func asf(_ file: FileInput, _ size: Int64) -> UInt64? {
    guard let start = file.littleEndian(at: 16, bytes: 8), (30..<size).contains(start),
      let length = file.littleEndian(at: start + 16, bytes: 8), length > 50
    else { return nil }
    return region(file, min(size, start + 50)..<min(size, start + min(length, size)), .packets)
  }

  /// The duration of a Matroska file, its first packets and some in the middle. Files of one channel often begin alike,
  /// and may be equally long.
  private static func matroska(_ file: FileInput) -> UInt64? {
    guard let matroska = MatroskaFile(file), let seconds = matroska.seconds else { return nil }
    let packets = matroska.firstPackets(Int(blockSize))
    guard !packets.isEmpty else { return nil }
    let start = combine(StableHash.fold(Salt.matroska.rawValue ^ UInt64(seconds)), packets)
    return combine(start, matroska.middlePackets(Int(blockSize / 2)))
  }
}
