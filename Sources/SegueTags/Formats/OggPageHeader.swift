internal import SegueSystem

/// The header of a page of an Ogg stream (RFC 3533, 6).
package struct OggPageHeader {
  /// Whether the first segment continues a packet of the previous page.
  let continuesPacket: Bool
  package let beginsStream: Bool
  let endsStream: Bool
  /// The position of the stream after the last packet that ends on the page; -1 if none does. It is limited so that a
  /// sum of a few of them cannot overflow.
  let granule: Int64
  package let serial: UInt32
  /// The number of the page in its stream.
  let number: UInt32
  let checksum: UInt32
  /// The number of bytes of the header. The sizes of the segments are the last ones, and a size below 255 ends a
  /// packet.
  package let size: Int
  /// The number of bytes of the segments.
  package let bodySize: Int

  /// The number of bytes before the sizes of the segments.
  package static let fixedSize = 27
  package static let maximumSize = fixedSize + 255
  /// The maximum number of bytes of a page.
  static let maximumPageSize = maximumSize + 255 * 255
  static let checksumOffset = 22

  /// Returns nil if `bytes` do not begin with a whole header.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.fixedSize, bytes[0] == UInt8(ascii: "O"), bytes[1] == UInt8(ascii: "g"),
      bytes[2] == UInt8(ascii: "g"), bytes[3] == UInt8(ascii: "S")
    else { return nil }
    func integer<Number: FixedWidthInteger>(_ offset: Int) -> Number {
      Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
    size = Self.fixedSize + Int(bytes[26])
    guard bytes.count >= size else { return nil }
    continuesPacket = bytes[5] & 1 != 0
    beginsStream = bytes[5] & 2 != 0
    endsStream = bytes[5] & 4 != 0
    granule = (integer(6) as Int64).clamped(to: -1...1 << 60)
    serial = integer(14)
    number = integer(18)
    checksum = integer(Self.checksumOffset)
    var sum = 0
    for lace in bytes[Self.fixedSize..<size] { sum += Int(lace) }
    bodySize = sum
  }
}
