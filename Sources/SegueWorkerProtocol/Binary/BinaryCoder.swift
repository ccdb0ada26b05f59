internal import SegueSystem

/// A coder that visits the fields of a value in a fixed order and either encodes or decodes them. Because both
/// directions use the same code, they cannot differ.
///
/// Workers send scan results in this format, because decoding them from JSON took the daemon as long as writing them to
/// the index.
protocol BinaryCoder {
  /// Whether all fields could be coded so far. An encoder is always valid.
  var isValid: Bool { get }

  mutating func code(_ number: inout Int64)
  mutating func code(_ text: inout String)
  mutating func code(_ bytes: inout [UInt8])
}

extension BinaryCoder {
  mutating func code(_ value: inout Int) {
    var number = Int64(value)
    code(&number)
    value = Int(clamping: number)
  }

  mutating func code(_ value: inout Bool) {
    var number: Int64 = value ? 1 : 0
    code(&number)
    value = number != 0
  }

  mutating func code(_ value: inout Double) {
    var number = Int64(bitPattern: value.bitPattern)
    code(&number)
    value = Double(bitPattern: UInt64(bitPattern: number))
  }

  mutating func code(_ value: inout UInt64) {
    var number = Int64(bitPattern: value)
    code(&number)
    value = UInt64(bitPattern: number)
  }

  mutating func code(_ value: inout MediaTime) {
    var number = value.nanoseconds
    code(&number)
    value = MediaTime(nanoseconds: number).clamped(to: .zero ... .maximum)
  }

  mutating func code(_ value: inout String?) { code(&value, "") { $0.code(&$1) } }
  mutating func code(_ value: inout Int?) { code(&value, 0) { $0.code(&$1) } }
  mutating func code(_ value: inout UInt64?) { code(&value, 0) { $0.code(&$1) } }
  mutating func code(_ value: inout Double?) { code(&value, 0) { $0.code(&$1) } }
  mutating func code(_ value: inout MediaTime?) { code(&value, .zero) { $0.code(&$1) } }

  mutating func code(_ values: inout [String]) { code(&values, "") { $0.code(&$1) } }
  mutating func code(_ values: inout [[UInt8]]) { code(&values, []) { $0.code(&$1) } }

  /// Codes an enumeration by its raw value. An unknown raw value is decoded as `other`.
  mutating func code<Value: RawRepresentable<String>>(_ value: inout Value, _ other: Value) {
    var text = value.rawValue
    code(&text)
    value = Value(rawValue: text) ?? other
  }

  /// Codes an array. New elements are decoded into copies of `empty`.
  mutating func code<Element>(
    _ values: inout [Element], _ empty: Element, _ codeElement: (inout Self, inout Element) -> Void
  ) {
    var count = values.count
    code(&count)
    for index in 0..<max(0, count) {
      // A malicious worker may send any count.
      guard isValid else { break }
      if index == values.count { values.append(empty) }
      codeElement(&self, &values[index])
    }
  }

  private mutating func code<Value>(
    _ value: inout Value?, _ empty: Value, _ codeElement: (inout Self, inout Value) -> Void
  ) {
    var isPresent = value != nil
    code(&isPresent)
    guard isPresent else {
      value = nil
      return
    }
    var inner = value ?? empty
    codeElement(&self, &inner)
    value = inner
  }
}

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
