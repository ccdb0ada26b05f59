internal import SegueFFmpeg

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

  /// Reads `moov` for the track with the number `track` or, if that is nil, for the first audio track. If there is no
  /// such track, or if its edit list does more than cut off the beginning and the end, returns nil.
  init?(_ file: SourceFile, track: Int32?) {
    guard let size = file.size, let movie = Box.find("moov", in: file, 0..<size),
      let movieHeader = Box.find("mvhd", in: file, movie), let movieScale = Self.timescale(file, movieHeader)
    else { return nil }
    for trak in Box.all("trak", in: file, movie) {
      guard Self.isNumber(track, of: trak, in: file),
        let media = Box.find("mdia", in: file, trak), let mediaHeader = Box.find("mdhd", in: file, media),
        let scale = Self.timescale(file, mediaHeader), let total = Self.duration(file, mediaHeader)
      else { continue }
      if track == nil, !Self.isSound(file, media) { continue }
      timescale = scale
      self.total = total
      coverage = Self.coverage(file, media, total, size)
      guard let edits = Box.find("edts", in: file, trak).flatMap({ Box.find("elst", in: file, $0) }) else {
        length = total
        start = 0
        return
      }
      guard let edit = Self.onlyEdit(file, edits), edit.start <= total, edit.length >= 0
      else { return nil }
      let rest = total - edit.start
      let stated = Self.multiply(edit.length, scale) / movieScale
      // If the stated length differs from the rest by less than a tick of the movie's clock, it is the rest.
      let tick = scale / movieScale + 1
      start = edit.start
      length = edit.length == 0 || abs(stated - rest) <= tick ? rest : min(stated, rest)
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

  private static func coverage(
    _ file: SourceFile, _ media: Range<Int64>, _ total: Int64, _ size: Int64
  ) -> Coverage {
    guard let table = Box.find("minf", in: file, media).flatMap({ Box.find("stbl", in: file, $0) }),
      let samples = SampleTable(file, in: table), let duration = samples.duration
    else { return .unknown }
    return duration == total ? samples.coverage(size) : Coverage(duration, of: total)
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
  static func aac(_ file: SourceFile) -> AAC? {
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

  /// Returns the configuration in the nested descriptors in `range` (ISO/IEC 14496-1, 7.2.6). Their tags are 3, 4 and 5,
  /// from the outermost to the innermost. Each states its length with seven bits per byte.
  private static func config(_ file: SourceFile, _ range: Range<Int64>) -> AAC? {
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

  /// Returns whether the file has chapters, either in Nero's list or in a text track. If not, a scan need not open it with
  /// libavformat, which would double its CPU time.
  static func hasChapters(_ file: SourceFile) -> Bool {
    guard let size = file.size, let movie = Box.find("moov", in: file, 0..<size) else { return false }
    if let data = Box.find("udta", in: file, movie), Box.find("chpl", in: file, data) != nil { return true }
    return Box.all("trak", in: file, movie).contains { Box.find("tref", in: file, $0) != nil }
  }

  private static func isNumber(_ number: Int32?, of track: Range<Int64>, in file: SourceFile) -> Bool {
    guard let number else { return true }
    guard let header = Box.find("tkhd", in: file, track) else { return false }
    return word(file, header, isLong(file, header) ? 20 : 12) == Int64(number)
  }

  /// Returns whether the handler type is "soun".
  private static func isSound(_ file: SourceFile, _ media: Range<Int64>) -> Bool {
    Box.find("hdlr", in: file, media).flatMap { word(file, $0, 8) } == 0x736F_756E
  }

  private static func onlyEdit(_ file: SourceFile, _ list: Range<Int64>) -> (start: Int64, length: Int64)? {
    let isLong = isLong(file, list)
    guard let count = word(file, list, 4), (1...2).contains(count) else { return nil }
    var found: (start: Int64, length: Int64)?
    for index in 0..<count {
      let at = 8 + index * (isLong ? 20 : 12)
      guard let length = isLong ? long(file, list, at) : word(file, list, at),
        let start = isLong ? long(file, list, at + 8) : word(file, list, at + 4)
      else { return nil }
      // An empty edit (-1) delays the track and removes nothing from it.
      if start == (isLong ? -1 : 0xFFFF_FFFF) { continue }
      guard found == nil, start >= 0 else { return nil }
      found = (start, length)
    }
    return found
  }

  private static func isLong(_ file: SourceFile, _ box: Range<Int64>) -> Bool {
    (word(file, box, 0) ?? 0) >> 24 == 1
  }

  private static func timescale(_ file: SourceFile, _ header: Range<Int64>) -> Int64? {
    word(file, header, isLong(file, header) ? 20 : 12).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func duration(_ file: SourceFile, _ header: Range<Int64>) -> Int64? {
    let duration = isLong(file, header) ? long(file, header, 24) : word(file, header, 16)
    return duration.flatMap { (1..<0xFFFF_FFFF).contains($0) ? $0 : nil }
  }

  private static func word(_ file: SourceFile, _ box: Range<Int64>, _ offset: Int64) -> Int64? {
    box.lowerBound + offset + 4 <= box.upperBound ? file.bigEndian(at: box.lowerBound + offset, bytes: 4) : nil
  }

  private static func long(_ file: SourceFile, _ box: Range<Int64>, _ offset: Int64) -> Int64? {
    box.lowerBound + offset + 8 <= box.upperBound ? file.bigEndian(at: box.lowerBound + offset, bytes: 8) : nil
  }

  private static func multiply(_ a: Int64, _ b: Int64) -> Int64 {
    let (product, overflow) = a.multipliedReportingOverflow(by: b)
    return overflow ? .max : product
  }
}

/// The boxes of an MP4 file.
enum Box {
  /// Returns the body of the first box with that type.
  static func find(_ kind: StaticString, in file: SourceFile, _ range: Range<Int64>) -> Range<Int64>? {
    all(kind, in: file, range).first
  }

  static func all(_ kind: StaticString, in file: SourceFile, _ range: Range<Int64>) -> [Range<Int64>] {
    let wanted = kind.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int64($1) } }
    var found: [Range<Int64>] = []
    var at = range.lowerBound
    // The limit is greater than the number of consecutive boxes in any genuine file.
    for _ in 0..<10_000 {
      guard at <= range.upperBound - 8, let short = file.bigEndian(at: at, bytes: 4),
        let name = file.bigEndian(at: at + 4, bytes: 4)
      else { break }
      var head: Int64 = 8
      var size = short
      if short == 1 {
        guard let long = file.bigEndian(at: at + 8, bytes: 8) else { break }
        (head, size) = (16, long)
      } else if short == 0 {
        size = range.upperBound - at
      }
      guard size >= head, size <= range.upperBound - at else { break }
      if name == wanted { found.append(at + head..<at + size) }
      at += size
    }
    return found
  }
}
