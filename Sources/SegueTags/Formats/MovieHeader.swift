internal import SegueFFmpeg
internal import SegueSystem

/// The header of an MP4 file (ISO/IEC 14496-12), which states the length of a track to the frame. libavformat uses the
/// length in the edit list, which many writers round to milliseconds.
struct MovieHeader {
  /// The length of the audio in units of 1/`timescale` seconds.
  let length: Int64
  let timescale: Int64
  /// The encoder's delay at the beginning, in the same unit.
  let start: Int64
  /// The length to which all packets decode, in the same unit.
  private let total: Int64
  /// Whether the file contains all packets of the track, and whether their durations agree with the header.
  let coverage: Coverage
  /// The reason why the audio ends early, if the end of the file shows that more follows; nil if it does not.
  let earlyEnd: Shortfall?
  /// The durations of all packets; nil if they cannot be read.
  private let durations: PacketDurations?
  /// Whether the timestamps have no gaps.
  private let isContinuous: Bool

  /// The size of a file on a server up to which fragments are read. libavformat reads their headers before, and the
  /// bytes of such a file remain in the cache.
  private static let maximumRemoteSize: Int64 = 4 << 20

  /// Reads `moov` and the fragments for the track with the number `track` or, if that is nil, for the first audio
  /// track. If there is no such track, or if its edit list does more than cut off the beginning and the end, returns
  /// nil.
  ///
  /// If the packets are in fragments that cannot be read, their length is `fallback`. This is so for a large file on a
  /// server, because the fragments are distributed over it.
  init?(_ file: FileInput, track: Int32?, fallback: Int64? = nil) {
    guard let size = file.size, let movie = Box.find("moov", in: file, 0..<size),
      let movieHeader = Box.find("mvhd", in: file, movie), let movieScale = Self.timescale(file, movieHeader)
    else { return nil }
    for trak in Box.all("trak", in: file, movie) {
      guard let number = Self.number(of: trak, in: file), track == nil || Int64(track ?? 0) == number,
        let media = Box.find("mdia", in: file, trak), let mediaHeader = Box.find("mdhd", in: file, media),
        let scale = Self.timescale(file, mediaHeader)
      else { continue }
      if track == nil, !Self.isSound(file, media) { continue }
      let samples = Box.find("minf", in: file, media).flatMap { Box.find("stbl", in: file, $0) }.flatMap {
        SampleTable(file, in: $0)
      }
      let stated = Self.duration(file, mediaHeader)
      timescale = scale
      if MovieFragments.canFollow(movie, in: file) {
        var sum = samples?.durations ?? PacketDurations()
        let isFar = file.isRemote && size > Self.maximumRemoteSize
        let fragments = isFar ? nil : MovieFragments(file, after: movie, track: number, addingTo: &sum)
        guard let whole = fragments == nil ? fallback : sum.total, whole > 0 else { return nil }
        total = whole
        durations = fragments == nil ? nil : sum
        isContinuous = fragments?.areContinuous ?? true
        coverage = fragments.map { Self.coverage($0, whole, scale, movieScale) } ?? .unknown
        earlyEnd = fragments?.earlyEnd
      } else {
        durations = samples?.durations
        let sum = durations?.total ?? 0
        // A stated length that is a little shorter leaves out the padding of the last packets. Otherwise the packets
        // decide.
        let isTooShort = stated.map { sum - $0 > scale / 2 } ?? true
        guard let whole = isTooShort ? durations?.total : stated, whole > 0 else { return nil }
        total = whole
        isContinuous = true
        earlyEnd = nil
        if sum == 0 || isTooShort && stated != nil {
          coverage = .unknown
        } else {
          coverage = sum == whole ? samples?.coverage(size) ?? .unknown : Coverage(sum, of: whole)
        }
      }
      guard let edits = Box.find("edts", in: file, trak).flatMap({ Box.find("elst", in: file, $0) }) else {
        length = total
        start = 0
        return
      }
      guard let edit = Self.onlyEdit(file, edits), edit.start <= total, edit.length >= 0
      else { return nil }
      let rest = total - edit.start
      let wanted = Self.multiply(edit.length, scale) / movieScale
      // If the stated length differs from the rest by less than a tick of the movie's clock, it is the rest. The edit
      // list of a fragmented file may cover only the packets in the header.
      let tick = scale / movieScale + 1
      let isWhole = edit.length == 0 || abs(wanted - rest) <= tick
      let coversHeader = total > samples?.durations?.total ?? total && wanted <= (stated ?? 0) + tick
      start = edit.start
      length = isWhole || coversHeader ? rest : min(wanted, rest)
      return
    }
    return nil
  }

  /// Returns whether `tag` can belong to this track. If other programs cut a part out of a file, they keep the tag of
  /// the whole file. Besides delay and audio, a track has a few packets of padding at most.
  func allows(_ tag: GaplessTag) -> Bool {
    guard let count = tag.count else { return false }
    return (0...8 * 2048).contains(total - min(count, 1 << 40) - tag.delay)
  }

  /// Returns whether the timestamps count the frames that are decoded, if each packet decodes to `packet` frames at
  /// `rate`; nil stands for packets of varying length. Recorders that measure the time of arrival write other
  /// timestamps.
  func countsFrames(inPacketsOf packet: Int64?, _ rate: SampleRate) -> Bool {
    guard isContinuous, let durations else { return isContinuous }
    guard let packet else { return true }
    let (product, overflow) = packet.multipliedReportingOverflow(by: timescale)
    return !overflow && product % Int64(rate.hertz) == 0 && durations.areAll(product / Int64(rate.hertz))
  }

  /// Returns the part of the audio that a file with `fragments` contains, which last `whole`.
  private static func coverage(
    _ fragments: MovieFragments, _ whole: Int64, _ scale: Int64, _ movieScale: Int64
  ) -> Coverage {
    let promised = multiply(fragments.statedDuration ?? 0, scale) / movieScale
    if promised > whole + scale / movieScale + 1 { return Coverage(whole, of: promised) }
    return fragments.coverage
  }

  /// The first bytes of an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1).
  struct AAC {
    /// The audio object type; 2 is AAC-LC.
    let type: Int
    let rate: Int
    let channels: Int
    /// Whether spectral band replication is used; nil if that is not stated.
    let hasSBR: Bool?
  }

  /// Returns the configuration of the first AAC track. If that has an unusual form, returns nil.
  static func aac(_ file: FileInput) -> AAC? {
    guard let size = file.size, let movie = Box.find("moov", in: file, 0..<size) else { return nil }
    for track in Box.all("trak", in: file, movie) {
      guard let media = Box.find("mdia", in: file, track), isSound(file, media),
        let table = Box.find("minf", in: file, media).flatMap({ Box.find("stbl", in: file, $0) }),
        let list = Box.find("stsd", in: file, table), list.count >= 8,
        let entry = Box.find("mp4a", in: file, list.lowerBound + 8..<list.upperBound),
        // In a sample entry, 28 bytes precede the boxes. In a descriptor, version and flags precede the tags.
        entry.count > 28, let descriptor = Box.find("esds", in: file, entry.lowerBound + 28..<entry.upperBound),
        descriptor.count >= 4
      else { continue }
      return config(file, descriptor.lowerBound + 4..<descriptor.upperBound)
    }
    return nil
  }

  /// Returns the configuration in the nested descriptors in `range` (ISO/IEC 14496-1, 7.2.6). Their tags are 3, 4 and
  /// 5, from the outermost to the innermost. Each states its length with seven bits per byte.
  private static func config(_ file: FileInput, _ range: Range<Int64>) -> AAC? {
    var at = range.lowerBound
    for (wanted, head) in [(3 as Int64, 3 as Int64), (4, 13), (5, 0)] {
      guard at < range.upperBound, file.bigEndian(at: at, bytes: 1) == wanted else { return nil }
      at += 1
      for _ in 0..<4 {
        guard let byte = file.bigEndian(at: at, bytes: 1) else { return nil }
        at += 1
        if byte & 0x80 == 0 { break }
      }
      at += head
    }
    guard at + 2 <= range.upperBound, let bits = file.bigEndian(at: at, bytes: 2) else { return nil }
    let (index, channels) = (Int(bits >> 7 & 15), Int(bits >> 3 & 15))
    guard index < MPEG4Audio.rates.count, (1...7).contains(channels) else { return nil }
    // An extension that states SBR may follow: a mark of eleven bits, the type 5, and a flag.
    let mark = at + 5 <= range.upperBound ? file.bigEndian(at: at + 2, bytes: 3) ?? 0 : 0
    let saysSBR = mark >> 8 == 0x2B7 << 5 | 5
    return AAC(
      type: Int(bits >> 11), rate: MPEG4Audio.rates[index], channels: channels == 7 ? 8 : channels,
      hasSBR: saysSBR ? mark >> 7 & 1 == 1 : nil)
  }

  /// Returns whether the file has chapters, either in Nero's list or in a text track. If not, a scan need not open it
  /// with libavformat, which would double its CPU time.
  static func hasChapters(_ file: FileInput) -> Bool {
    guard let size = file.size, let movie = Box.find("moov", in: file, 0..<size) else { return false }
    if let data = Box.find("udta", in: file, movie), Box.find("chpl", in: file, data) != nil { return true }
    return Box.all("trak", in: file, movie).contains { Box.find("tref", in: file, $0) != nil }
  }

  private static func number(of track: Range<Int64>, in file: FileInput) -> Int64? {
    Box.find("tkhd", in: file, track).flatMap { Box.word(file, $0, Box.isLong(file, $0) ? 20 : 12) }
  }

  /// Returns whether the handler type is "soun".
  private static func isSound(_ file: FileInput, _ media: Range<Int64>) -> Bool {
    Box.find("hdlr", in: file, media).flatMap { Box.word(file, $0, 8) } == 0x736F_756E
  }

  private static func onlyEdit(_ file: FileInput, _ list: Range<Int64>) -> (start: Int64, length: Int64)? {
    let isLong = Box.isLong(file, list)
    guard let count = Box.word(file, list, 4), (1...2).contains(count) else { return nil }
    var found: (start: Int64, length: Int64)?
    for index in 0..<count {
      let at = 8 + index * (isLong ? 20 : 12)
      guard let length = isLong ? Box.long(file, list, at) : Box.word(file, list, at),
        let start = isLong ? Box.long(file, list, at + 8) : Box.word(file, list, at + 4)
      else { return nil }
      // An empty edit (-1) delays the track and removes nothing from it.
      if start == (isLong ? -1 : 0xFFFF_FFFF) { continue }
      guard found == nil, start >= 0 else { return nil }
      found = (start, length)
    }
    return found
  }

  private static func timescale(_ file: FileInput, _ header: Range<Int64>) -> Int64? {
    Box.word(file, header, Box.isLong(file, header) ? 20 : 12).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func duration(_ file: FileInput, _ header: Range<Int64>) -> Int64? {
    let duration = Box.isLong(file, header) ? Box.long(file, header, 24) : Box.word(file, header, 16)
    // A number of all ones stands for a duration that is not known.
    return duration.flatMap { (1..<0xFFFF_FFFF).contains($0) ? $0 : nil }
  }

  private static func multiply(_ a: Int64, _ b: Int64) -> Int64 {
    let (product, overflow) = a.multipliedReportingOverflow(by: b)
    return overflow ? .max : product
  }
}
