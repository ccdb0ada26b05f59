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

  mutating func code(_ value: inout MediaTime) {
    var number = value.nanoseconds
    code(&number)
    value = MediaTime(nanoseconds: number).clamped(to: .zero ... .maximum)
  }

  mutating func code(_ value: inout String?) { code(&value, "") { $0.code(&$1) } }
  mutating func code(_ value: inout Int?) { code(&value, 0) { $0.code(&$1) } }
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
    var isThere = value != nil
    code(&isThere)
    guard isThere else {
      value = nil
      return
    }
    var inner = value ?? empty
    codeElement(&self, &inner)
    value = inner
  }
}
