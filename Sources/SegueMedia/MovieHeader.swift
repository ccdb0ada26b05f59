/// What a movie file (ISO/IEC 14496-12) says of one track's length, to the frame. libavformat passes on the edit list's
/// word, which many writers round to milliseconds.
struct MovieHeader {
  /// Length of what is to be heard, in `timescale`ths of a second.
  let length: Int64
  let timescale: Int64

  /// Reads `moov` for the track numbered `track`. nil if there is none, or its edits are more than a cut at either end.
  init?(_ file: SourceFile, track: Int32) {
    guard let size = file.size, let movie = Box.find("moov", in: file, 0..<size),
      let movieHeader = Box.find("mvhd", in: file, movie), let movieScale = Self.timescale(file, movieHeader)
    else { return nil }
    for trak in Box.all("trak", in: file, movie) {
      guard let header = Box.find("tkhd", in: file, trak),
        Self.word(file, header, Self.isLong(file, header) ? 20 : 12) == Int64(track),
        let media = Box.find("mdia", in: file, trak), let mediaHeader = Box.find("mdhd", in: file, media),
        let scale = Self.timescale(file, mediaHeader), let total = Self.duration(file, mediaHeader)
      else { continue }
      timescale = scale
      guard let edits = Box.find("edts", in: file, trak).flatMap({ Box.find("elst", in: file, $0) }) else {
        length = total
        return
      }
      guard let edit = Self.onlyEdit(file, edits), edit.start <= total, edit.length >= 0
      else { return nil }
      let rest = total - edit.start
      let stated = Self.multiply(edit.length, scale) / movieScale
      // Within a tick of the movie's clock of the rest, it is the rest.
      let tick = scale / movieScale + 1
      length = edit.length == 0 || abs(stated - rest) <= tick ? rest : min(stated, rest)
      return
    }
    return nil
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
      // An empty edit (-1) delays the track; it takes nothing from it.
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

private enum Box {
  /// The body of the first box of that kind.
  static func find(_ kind: StaticString, in file: SourceFile, _ range: Range<Int64>) -> Range<Int64>? {
    all(kind, in: file, range).first
  }

  static func all(_ kind: StaticString, in file: SourceFile, _ range: Range<Int64>) -> [Range<Int64>] {
    let wanted = kind.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int64($1) } }
    var found: [Range<Int64>] = []
    var at = range.lowerBound
    // No honest file has so many boxes in a row.
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
