/// A name that is compared in natural order: digits by their numeric value, letters case-insensitively, and everything
/// else by bytes. Names that are equal in this way are compared by their bytes, so the order is total.
public struct NaturalName: Comparable {
  public let bytes: [UInt8]
  private let folded: [UInt8]

  public init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
    if let text = String(validating: self.bytes, as: UTF8.self) {
      folded = Array(text.lowercased().utf8)
    } else {
      folded = self.bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
  }

  public static func == (a: NaturalName, b: NaturalName) -> Bool { a.bytes == b.bytes }

  public static func < (a: NaturalName, b: NaturalName) -> Bool {
    let (left, right) = (a.folded, b.folded)
    var (i, j) = (0, 0)
    while i < left.count, j < right.count {
      if isDigit(left[i]), isDigit(right[j]) {
        let (first, second) = (digits(left, &i), digits(right, &j))
        // The numbers have no leading zeros, so the longer one is greater.
        if first.count != second.count { return first.count < second.count }
        if !first.elementsEqual(second) { return first.lexicographicallyPrecedes(second) }
        continue
      }
      if left[i] != right[j] { return left[i] < right[j] }
      i += 1
      j += 1
    }
    if i < left.count || j < right.count { return i == left.count }
    return a.bytes.lexicographicallyPrecedes(b.bytes)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// Returns the digits at `index` without leading zeros, and moves `index` past them.
  private static func digits(_ bytes: [UInt8], _ index: inout Int) -> ArraySlice<UInt8> {
    var start = index
    while index < bytes.count, isDigit(bytes[index]) { index += 1 }
    while start < index, bytes[start] == UInt8(ascii: "0") { start += 1 }
    return bytes[start..<index]
  }
}
