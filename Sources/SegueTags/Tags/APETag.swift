// Decoding thread only.
internal import SegueFFmpeg
internal import SegueLink
internal import SegueWire

/// An APE tag of either version. Only its items' headers are read at first, and at most `mostItems` of them.
struct APETag {
  private struct Item {
    let key: String
    let isText: Bool
    let offset: Int64
    let size: Int
  }

  private let file: SourceFile
  private var items: [Item] = []
  /// The position of the tag in the file.
  let start: Int64

  /// The size of a header or footer in bytes.
  private static let footerSize: Int64 = 32
  private static let mostItems = 4096
  /// The greatest size of a key and the numbers before it, in bytes.
  private static let longestHeader = 8 + 256
  /// The greatest size of all texts of a tag, in bytes. Further texts are dropped.
  private static let longestTexts = 4 << 20

  /// Reads the headers in the tag that ends at `end` of `file`. nil if none does.
  init?(_ file: SourceFile, endingAt end: Int64) {
    let footer = end - Self.footerSize
    guard footer >= 0, file.bytes(at: footer, count: 8).elementsEqual("APETAGEX".utf8),
      let size = file.littleEndian(at: footer + 12, bytes: 4), (Self.footerSize...end).contains(size),
      let count = file.littleEndian(at: footer + 16, bytes: 4),
      let flags = file.littleEndian(at: footer + 20, bytes: 4)
    else { return nil }
    self.file = file
    let first = end - size
    // The size leaves the header out.
    start = flags >> 31 & 1 == 1 ? max(0, first - Self.footerSize) : first
    readHeaders(from: first, to: footer, most: Int(min(count, Int64(Self.mostItems))))
  }

  private mutating func readHeaders(from first: Int64, to end: Int64, most: Int) {
    var position = first
    for _ in 0..<most {
      let header = file.bytes(at: position, count: Int(min(Int64(Self.longestHeader), end - position)))
      guard header.count > 10, let zero = header[8...].firstIndex(of: 0) else { return }
      let size = header[..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
      let offset = position + Int64(zero) + 1
      guard Int64(size) <= end - offset else { return }
      items.append(
        Item(
          key: String(decoding: header[8..<zero], as: UTF8.self), isText: header[4] >> 1 & 3 == 0, offset: offset,
          size: size))
      position = offset + Int64(size)
    }
  }

  /// Puts every text into `values`.
  func collect(into values: inout TagValues, rank: Int) {
    var left = Self.longestTexts
    for item in items where item.isText && TagField(key: item.key) != nil {
      let bytes = file.bytes(at: item.offset, count: min(item.size, left, TagValues.longest))
      left -= bytes.count
      // Several values are divided by zeros; no more than are kept are looked for.
      for value in bytes.split(separator: 0, maxSplits: Metadata.maximumValueCount).prefix(Metadata.maximumValueCount) {
        values.add(.init(Array(value), isBytes: false), item.key, rank: rank)
      }
    }
  }

  /// The picture of the front or, if none is said to be that, the first; nil if there is none.
  func picture() -> TagPicture? {
    var chosen: TagPicture?
    for item in items where !item.isText && item.key.uppercased().hasPrefix("COVER ART") {
      // The name of a file and a zero stand before it.
      let name = file.bytes(at: item.offset, count: min(item.size, Self.longestHeader))
      guard let zero = name.firstIndex(of: 0), zero + 1 < item.size else { continue }
      let (file, offset, size) = (file, item.offset + Int64(zero) + 1, item.size - zero - 1)
      let picture = TagPicture(kind: item.key.uppercased().contains("FRONT") ? 3 : 0) {
        file.bytes(at: offset, count: min(size, CoverInfo.maximumSize + 1))
      }
      if picture.isBetter(than: chosen) { chosen = picture }
    }
    return chosen
  }
}
