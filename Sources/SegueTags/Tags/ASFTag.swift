// Thread: the decoding thread.
internal import SegueFFmpeg

/// The texts in the header of an ASF file (Advanced Systems Format Specification 1.2, 3.10, 3.11, 4.7 and 4.8). At most
/// `maximumAttributes` are read.
struct ASFTag {
  /// The objects that contain texts. The values of a field are added in this order, regardless of the order in the
  /// file.
  private enum Kind: CaseIterable {
    case description, extendedDescription, metadata, metadataLibrary
  }

  private struct Attribute {
    let name: Range<Int64>
    let type: Int64
    let value: Range<Int64>
  }

  private let file: FileInput
  /// The ranges of the objects after their identifiers and sizes.
  private var objects: [(kind: Kind, body: Range<Int64>)] = []

  private static let maximumAttributes = 4096
  private static let maximumObjects = 256
  /// The size of an object's identifier and size in bytes.
  private static let headSize: Int64 = 24
  /// The maximum size of an attribute's name in bytes. No name that is used is longer.
  private static let maximumNameSize = 128
  /// The maximum size of all texts in bytes. Further texts are dropped.
  private static let maximumTextsSize = 4 << 20

  init(_ file: FileInput) {
    self.file = file
    // The number of objects and two bytes precede the objects.
    let start = Self.headSize + 6
    guard let size = file.littleEndian(at: 16), let fileSize = file.size, min(size, fileSize) >= start else { return }
    find(in: start..<min(size, fileSize))
  }

  /// Finds the objects in `range`, and those in the header extension.
  private mutating func find(in range: Range<Int64>, isExtension: Bool = false) {
    var position = range.lowerBound
    for _ in 0..<Self.maximumObjects {
      guard position + Self.headSize <= range.upperBound, let size = file.littleEndian(at: position + 16),
        (Self.headSize...range.upperBound - position).contains(size)
      else { return }
      let body = position + Self.headSize..<position + size
      let id = file.bytes(at: position, count: 16)
      if id == Self.headerExtension, !isExtension, body.count >= 22 {
        // An identifier and two numbers precede the objects.
        find(in: body.lowerBound + 22..<body.upperBound, isExtension: true)
      } else if let kind = Self.kinds[id] {
        objects.append((kind, body))
      }
      position += size
    }
  }

  private static let headerExtension: [UInt8] = [
    0xB5, 0x03, 0xBF, 0x5F, 0x2E, 0xA9, 0xCF, 0x11, 0x8E, 0xE3, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
  ]
  private static let kinds: [[UInt8]: Kind] = [
    [0x33, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C]: .description,
    [0x40, 0xA4, 0xD0, 0xD2, 0x07, 0xE3, 0xD2, 0x11, 0x97, 0xF0, 0x00, 0xA0, 0xC9, 0x5E, 0xA8, 0x50]:
      .extendedDescription,
    [0xEA, 0xCB, 0xF8, 0xC5, 0xAF, 0x5B, 0x77, 0x48, 0x84, 0x67, 0xAA, 0x8C, 0x44, 0xFA, 0x4C, 0xCA]: .metadata,
    [0x94, 0x1C, 0x23, 0x44, 0x98, 0x94, 0xD1, 0x49, 0xA1, 0x41, 0x1D, 0x13, 0x4E, 0x45, 0x70, 0x54]: .metadataLibrary,
  ]

  /// Adds all texts to `values`.
  func collect(into values: inout TagValues, rank: Int) {
    var (left, bytesLeft) = (Self.maximumAttributes, Self.maximumTextsSize)
    for kind in Kind.allCases {
      for object in objects where object.kind == kind {
        if kind == .description {
          collectDescription(object.body, into: &values, rank: rank)
        } else {
          collectAttributes(object.body, kind, into: &values, rank: rank, &left, &bytesLeft)
        }
      }
    }
  }

  /// Adds the first two of five texts: title and author. The sizes of all five precede the texts.
  private func collectDescription(_ body: Range<Int64>, into values: inout TagValues, rank: Int) {
    guard body.count >= 10, let title = file.littleEndian(at: body.lowerBound, bytes: 2),
      let author = file.littleEndian(at: body.lowerBound + 2, bytes: 2)
    else { return }
    let start = body.lowerBound + 10
    guard start + title + author <= body.upperBound else { return }
    values.add(.text(text(start..<start + title)), "TITLE", rank: rank)
    values.add(.text(text(start + title..<start + title + author)), "ARTIST", rank: rank)
  }

  private func collectAttributes(
    _ body: Range<Int64>, _ kind: Kind, into values: inout TagValues, rank: Int, _ left: inout Int,
    _ bytesLeft: inout Int
  ) {
    // The number of attributes precedes them.
    var position = body.lowerBound + 2
    while left > 0, bytesLeft > 0, let attribute = attribute(at: position, kind),
      attribute.value.upperBound <= body.upperBound
    {
      left -= 1
      position = attribute.value.upperBound
      guard attribute.name.count <= Self.maximumNameSize, attribute.value.count <= TagValues.maximumSize else {
        continue
      }
      let name = text(attribute.name)
      // These are further artists. In other formats, an author is not an artist.
      let key = name == "Author" ? "ARTIST" : name
      guard TagField(key: key) != nil, let value = value(of: attribute) else { continue }
      bytesLeft -= attribute.value.count
      values.add(.text(value), key, rank: rank)
    }
  }

  private func attribute(at position: Int64, _ kind: Kind) -> Attribute? {
    func number(_ offset: Int64, bytes: Int) -> Int64? { file.littleEndian(at: position + offset, bytes: bytes) }
    if kind == .extendedDescription {
      guard let name = number(0, bytes: 2), let type = number(2 + name, bytes: 2), let size = number(4 + name, bytes: 2)
      else { return nil }
      let start = position + 6 + name
      return Attribute(name: position + 2..<position + 2 + name, type: type, value: start..<start + size)
    }
    // A language and a stream precede the name.
    guard let name = number(4, bytes: 2), let type = number(6, bytes: 2), let size = number(8, bytes: 4) else {
      return nil
    }
    let start = position + 12 + name
    return Attribute(name: position + 12..<start, type: type, value: start..<start + size)
  }

  /// Returns the value as a text; nil if it consists of bytes or is an identifier.
  private func value(of attribute: Attribute) -> String? {
    let value = attribute.value
    switch attribute.type {
    case 0: return text(value)
    case 2...5 where (2...8).contains(value.count):
      guard let number = file.littleEndian(at: value.lowerBound, bytes: value.count) else { return nil }
      return attribute.type == 2 ? number == 0 ? "0" : "1" : String(UInt64(bitPattern: number))
    default: return nil
    }
  }

  /// Returns the UTF-16 text up to a zero or the end.
  private func text(_ range: Range<Int64>) -> String {
    let bytes = file.bytes(at: range.lowerBound, count: range.count)
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
    return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
  }
}
