/// A decoder for the format of `BinaryEncoder`. The data may come from a malicious worker: after an invalid length, or
/// beyond the end, all values are empty and `isValid` is false.
struct BinaryDecoder: BinaryCoder {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private(set) var isValid = true

  /// Creates a decoder. `bytes` must outlive it.
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func code(_ number: inout Int64) {
    let bits = take()
    number = Int64(bitPattern: bits >> 1) ^ -Int64(bits & 1)
  }

  /// Decodes a text. Invalid UTF-8 is replaced by U+FFFD.
  mutating func code(_ text: inout String) { text = String(decoding: takeBytes(), as: UTF8.self) }

  mutating func code(_ bytes: inout [UInt8]) { bytes = Array(takeBytes()) }

  private mutating func takeBytes() -> UnsafeRawBufferPointer {
    let count = take()
    guard isValid, count <= bytes.count - position else {
      fail()
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    defer { position += Int(count) }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + Int(count)])
  }

  private mutating func take() -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard position < bytes.count else { break }
      let byte = bytes[position]
      position += 1
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
    }
    fail()
    return 0
  }

  private mutating func fail() {
    isValid = false
    position = bytes.count
  }
}
