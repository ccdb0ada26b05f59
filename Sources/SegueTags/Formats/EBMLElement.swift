// Thread: the decoding thread.
internal import SegueFFmpeg

/// The header of an EBML element (RFC 8794, 4 to 6).
struct EBMLElement {
  /// The identifier with its marker bit.
  let id: Int64
  let body: Int64
  /// The size of the body; nil if it is unknown.
  let size: Int64?

  init?(_ file: FileInput, at position: Int64) {
    guard position >= 0, let first = file.bigEndian(at: position, bytes: 1), first >= 0x10 else { return nil }
    let width = UInt8(first).leadingZeroBitCount + 1
    guard let id = file.bigEndian(at: position, bytes: width),
      let lead = file.bigEndian(at: position + Int64(width), bytes: 1), lead > 0
    else { return nil }
    let length = UInt8(lead).leadingZeroBitCount + 1
    guard let coded = file.bigEndian(at: position + Int64(width), bytes: length) else { return nil }
    self.id = id
    body = position + Int64(width + length)
    let mask = Int64(1) << (7 * Int64(length)) - 1
    size = coded & mask == mask || coded & mask > 1 << 60 ? nil : coded & mask
  }

  /// Returns the segment of a Matroska file; nil if `file` is none.
  static func segment(of file: FileInput) -> EBMLElement? {
    guard let header = EBMLElement(file, at: 0), header.id == 0x1A45_DFA3, let size = header.size,
      let segment = EBMLElement(file, at: header.body + size), segment.id == 0x1853_8067
    else { return nil }
    return segment
  }

  /// Returns the first `limit` elements in this one, which has a known size.
  func children(in file: FileInput, limit: Int = 64) -> [EBMLElement] {
    guard let size else { return [] }
    var found: [EBMLElement] = []
    var position = body
    while found.count < limit, position < body + size, let child = EBMLElement(file, at: position),
      let childSize = child.size
    {
      found.append(child)
      position = child.body + childSize
    }
    return found
  }

  /// Returns the unsigned integer that is the body; nil if it has another size.
  func integer(in file: FileInput) -> Int64? {
    guard let size, (1...8).contains(size) else { return nil }
    return file.bigEndian(at: body, bytes: Int(size))
  }

  /// Returns the floating-point number that is the body; nil if it has another size.
  func float(in file: FileInput) -> Double? {
    switch size {
    case 4: file.bigEndian(at: body, bytes: 4).map { Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0))) }
    case 8: file.bigEndian(at: body, bytes: 8).map { Double(bitPattern: UInt64(bitPattern: $0)) }
    default: nil
    }
  }
}
