/// Reads what `BinaryEncoder` wrote, or what an enemy did: beyond the end, or what is no length, everything is empty and
/// `isSound` false.
struct BinaryDecoder: BinaryCoder {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private(set) var isSound = true

  /// `bytes` must stay as long as this is used.
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func pass(_ number: inout Int64) {
    let bits = take()
    number = Int64(bitPattern: bits >> 1) ^ -Int64(bits & 1)
  }

  /// What is no UTF-8 becomes U+FFFD.
  mutating func pass(_ text: inout String) { text = String(decoding: takeBytes(), as: UTF8.self) }

  mutating func pass(_ bytes: inout [UInt8]) { bytes = Array(takeBytes()) }

  private mutating func takeBytes() -> UnsafeRawBufferPointer {
    let count = take()
    guard isSound, count <= bytes.count - position else {
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
    isSound = false
    position = bytes.count
  }
}
