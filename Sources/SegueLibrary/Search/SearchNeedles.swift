/// Tells cheaply of most texts that none of some words is in them. Only of plain ones: ASCII letters and digits between
/// spaces, whose words are kept as they are.
struct SearchNeedles {
  /// In lower case. Words of other scripts are in no plain text.
  private let needles: [[UInt8]]

  init(_ words: [[UInt8]]) {
    needles = words.map { $0.first == WordSplitter.wholeMark ? Array($0.dropFirst()) : $0 }
      .filter { $0.allSatisfy(Self.isPlain) }
  }

  /// True: no word of `text` is one of them, or begins with one.
  func isMissing(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.allSatisfy({ Self.isPlain($0) || $0 == 0x20 || $0 == 0x0A }) else { return false }
    return needles.allSatisfy { !Self.isFound($0, in: text) }
  }

  private static func isFound(_ needle: [UInt8], in text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = needle.first, needle.count <= text.count else { return false }
    for start in 0...(text.count - needle.count) where lowercase(text[start]) == first {
      var length = 1
      while length < needle.count, lowercase(text[start + length]) == needle[length] { length += 1 }
      if length == needle.count { return true }
    }
    return false
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
  }
}
