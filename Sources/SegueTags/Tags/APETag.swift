// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueWire
internal import SegueWorkerProtocol

/// An APE tag of version 1 or 2. At first only the headers of its items are read, and at most `maximumItems` of them.
struct APETag {
  private struct Item {
    let key: String
    let isText: Bool
    let offset: Int64
    let size: Int
  }

  private let file: FileInput
  private var items: [Item] = []
  /// The position of the tag in the file.
  let start: Int64

  /// The size of a header or footer in bytes.
  private static let footerSize: Int64 = 32
  private static let maximumItems = 4096
  /// The maximum size of an item's header, which ends with the key, in bytes.
  private static let maximumHeaderSize = 8 + 256
  /// The maximum size of all texts of a tag in bytes. Further texts are dropped.
  private static let maximumTextsSize = 4 << 20

  /// Reads the headers in the tag that ends at `end` of `file`. If no tag ends there, returns nil.
  init?(_ file: FileInput, endingAt end: Int64) {
    let footer = end - Self.footerSize
    guard footer >= 0, file.bytes(at: footer, count: 8).elementsEqual("APETAGEX".utf8),
      let size = file.littleEndian(at: footer + 12, bytes: 4), (Self.footerSize...end).contains(size),
      let count = file.littleEndian(at: footer + 16, bytes: 4),
      let flags = file.littleEndian(at: footer + 20, bytes: 4)
    else { return nil }
    self.file = file
    let first = end - size
    // The size does not include the header.
    start = flags >> 31 & 1 == 1 ? max(0, first - Self.footerSize) : first
    readHeaders(from: first, to: footer, limit: Int(min(count, Int64(Self.maximumItems))))
  }

  /// Returns the end of the tag that begins with a header at `position` of `file`; nil if there is none.
  static func end(_ file: FileInput, at position: Int64) -> Int64? {
    guard file.bytes(at: position, count: 8).elementsEqual("APETAGEX".utf8),
      let size = file.littleEndian(at: position + 12, bytes: 4), size >= footerSize
    else { return nil }
    // The size includes the footer, but not the header.
    let end = position + footerSize + size
    return file.bytes(at: end - footerSize, count: 8).elementsEqual("APETAGEX".utf8) ? end : nil
  }

  private mutating func readHeaders(from first: Int64, to end: Int64, limit: Int) {
    var position = first
    for _ in 0..<limit {
      let header = file.bytes(at: position, count: Int(min(Int64(Self.maximumHeaderSize), end - position)))
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

  /// Adds all texts to `values`.
  func collect(into values: inout TagValues, rank: Int) {
    var left = Self.maximumTextsSize
    for item in items where item.isText && TagField(key: item.key) != nil {
      let bytes = file.bytes(at: item.offset, count: min(item.size, left, TagValues.maximumSize))
      left -= bytes.count
      // Zeros separate values. Values beyond the maximum number are not kept.
      for value in bytes.split(separator: 0, maxSplits: Metadata.maximumValueCount).prefix(Metadata.maximumValueCount) {
        values.add(.init(Array(value), isBytes: false), item.key, rank: rank)
      }
    }
  }

  /// Returns the picture that is marked as the front cover or, if none is, the first one. If there is no picture,
  /// returns nil.
  func picture() -> TagPicture? {
    var chosen: TagPicture?
    for item in items where !item.isText && item.key.uppercased().hasPrefix("COVER ART") {
      // A file name and a zero precede the picture.
      let name = file.bytes(at: item.offset, count: min(item.size, Self.maximumHeaderSize))
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
