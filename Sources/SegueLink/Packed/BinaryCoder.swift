internal import SegueSystem

/// A way over the fields of a value, in their order: out of it or into it. So the two can never differ.
///
/// What a worker found in files goes over the link like this: to read it as JSON took the daemon as long as to write it
/// into the index.
protocol BinaryCoder {
  /// There was as much to read as was wanted.
  var isSound: Bool { get }

  mutating func pass(_ number: inout Int64)
  mutating func pass(_ text: inout String)
  mutating func pass(_ bytes: inout [UInt8])
}

extension BinaryCoder {
  mutating func pass(_ value: inout Int) {
    var number = Int64(value)
    pass(&number)
    value = Int(clamping: number)
  }

  mutating func pass(_ value: inout Bool) {
    var number: Int64 = value ? 1 : 0
    pass(&number)
    value = number != 0
  }

  mutating func pass(_ value: inout Double) {
    var number = Int64(bitPattern: value.bitPattern)
    pass(&number)
    value = Double(bitPattern: UInt64(bitPattern: number))
  }

  mutating func pass(_ value: inout MediaTime) {
    var number = value.nanoseconds
    pass(&number)
    value = MediaTime(nanoseconds: number).clamped(to: .zero ... .maximum)
  }

  mutating func pass(_ value: inout String?) { pass(&value, "") { $0.pass(&$1) } }
  mutating func pass(_ value: inout Int?) { pass(&value, 0) { $0.pass(&$1) } }
  mutating func pass(_ value: inout Double?) { pass(&value, 0) { $0.pass(&$1) } }
  mutating func pass(_ value: inout MediaTime?) { pass(&value, .zero) { $0.pass(&$1) } }

  mutating func pass(_ values: inout [String]) { pass(&values, "") { $0.pass(&$1) } }
  mutating func pass(_ values: inout [[UInt8]]) { pass(&values, []) { $0.pass(&$1) } }

  /// A value that says by a text which of several it is; `other` for a text that is none of theirs.
  mutating func pass<Value: RawRepresentable<String>>(_ value: inout Value, _ other: Value) {
    var text = value.rawValue
    pass(&text)
    value = Value(rawValue: text) ?? other
  }

  /// `empty`: to be read into.
  mutating func pass<Element>(
    _ values: inout [Element], _ empty: Element, _ passOne: (inout Self, inout Element) -> Void
  ) {
    var count = values.count
    pass(&count)
    for index in 0..<max(0, count) {
      // A count may be a lie.
      guard isSound else { break }
      if index == values.count { values.append(empty) }
      passOne(&self, &values[index])
    }
  }

  private mutating func pass<Value>(
    _ value: inout Value?, _ empty: Value, _ passOne: (inout Self, inout Value) -> Void
  ) {
    var isThere = value != nil
    pass(&isThere)
    guard isThere else {
      value = nil
      return
    }
    var inner = value ?? empty
    passOne(&self, &inner)
    value = inner
  }
}
