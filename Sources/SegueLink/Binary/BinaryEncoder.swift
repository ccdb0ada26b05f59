/// An encoder that writes fields one after the other: integers in LEB128 with seven bits per byte, and texts and bytes
/// after their lengths.
struct BinaryEncoder: BinaryCoder {
  private(set) var bytes: [UInt8] = []
  let isValid = true

  mutating func code(_ number: inout Int64) {
    // Zigzag encoding: the sign is the lowest bit, so that small numbers are short.
    put(UInt64(bitPattern: number << 1 ^ number >> 63))
  }

  mutating func code(_ text: inout String) {
    text.withUTF8 { utf8 in
      put(UInt64(utf8.count))
      bytes.append(contentsOf: utf8)
    }
  }

  mutating func code(_ bytes: inout [UInt8]) {
    put(UInt64(bytes.count))
    self.bytes.append(contentsOf: bytes)
  }

  private mutating func put(_ number: UInt64) {
    var remaining = number
    while remaining >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: remaining) | 0x80)
      remaining >>= 7
    }
    bytes.append(UInt8(remaining))
  }
}
