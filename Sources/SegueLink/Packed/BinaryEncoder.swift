/// Writes fields one behind the other: numbers with seven bits a byte, the least significant first, texts and bytes
/// behind their length.
struct BinaryEncoder: BinaryCoder {
  private(set) var bytes: [UInt8] = []
  let isSound = true

  mutating func pass(_ number: inout Int64) {
    // The sign last, so that small numbers are short.
    put(UInt64(bitPattern: number << 1 ^ number >> 63))
  }

  mutating func pass(_ text: inout String) {
    text.withUTF8 { utf8 in
      put(UInt64(utf8.count))
      bytes.append(contentsOf: utf8)
    }
  }

  mutating func pass(_ bytes: inout [UInt8]) {
    put(UInt64(bytes.count))
    self.bytes.append(contentsOf: bytes)
  }

  private mutating func put(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
