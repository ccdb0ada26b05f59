/// A sequence of the lines of a text file from any system: they end with LF, CR LF or CR. A UTF-8 BOM is skipped.
public struct TextLines: Sequence, IteratorProtocol {
  private let bytes: ArraySlice<UInt8>
  private var index: Int
  private var number = 0

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    index = self.bytes.startIndex
  }

  /// Returns the next line without its terminator, and its number from 1.
  public mutating func next() -> (number: Int, text: ArraySlice<UInt8>)? {
    guard index < bytes.endIndex else { return nil }
    let end = bytes[index...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
    let line = bytes[index..<end]
    index = end
    if index < bytes.endIndex {
      index += bytes[index] == 0x0D && index + 1 < bytes.endIndex && bytes[index + 1] == 0x0A ? 2 : 1
    }
    number += 1
    return (number, line)
  }
}

extension Collection<UInt8> where SubSequence == ArraySlice<UInt8> {
  /// The bytes without spaces and tabs at both ends.
  public var trimmed: ArraySlice<UInt8> {
    var slice = self[...]
    while let first = slice.first, first == 0x20 || first == 0x09 { slice = slice.dropFirst() }
    while let last = slice.last, last == 0x20 || last == 0x09 { slice = slice.dropLast() }
    return slice
  }

  /// The trimmed bytes as text: UTF-8 if they are valid, Latin-1 if not; nil if they are empty.
  public var text: String? {
    let slice = self.trimmed
    guard !slice.isEmpty else { return nil }
    return String(validating: slice, as: UTF8.self) ?? String(String.UnicodeScalarView(slice.map(Unicode.Scalar.init)))
  }

  /// Returns the bytes after `prefix`, which is compared case-insensitively in ASCII; nil if they do not begin with it.
  public func after(_ prefix: StaticString) -> ArraySlice<UInt8>? {
    let slice = self[...]
    let length = prefix.utf8CodeUnitCount
    guard slice.count >= length else { return nil }
    let matches = prefix.withUTF8Buffer { zip(slice, $0).allSatisfy { Self.lowercased($0) == Self.lowercased($1) } }
    return matches ? slice.dropFirst(length) : nil
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

  /// The number that one to nine ASCII digits stand for; nil for anything else.
  public var number: Int? {
    let slice = self.trimmed
    guard (1...9).contains(slice.count), slice.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return slice.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}
