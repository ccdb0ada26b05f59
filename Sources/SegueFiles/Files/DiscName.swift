internal import SegueSystem

/// The names of the discs of an album, in folders and titles: `CD1`, `Disc 02`, `disk-3`, `Диск 1`, `Disc 1 - Studio`,
/// `Disk 2 (Bonus)`.
public enum DiscName {
  /// The highest number of a disc with a name. A higher one belongs to a title, as in `Disco 80 - The Hits`.
  private static let maximumNamed = 49

  /// Returns the number of the disc that `name` stands for, or nil if it is no such name.
  public static func number(_ name: some Collection<UInt8>) -> Int? {
    var rest = Array(name)[...].trimmed
    for word in ["disque", "disco", "disc", "disk", "cd", "диск"] where rest.lowercased.starts(with: word.utf8) {
      rest = rest.dropFirst(word.utf8.count)
      while let first = rest.first, isSeparator(first) { rest = rest.dropFirst() }
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard (1...2).contains(digits.count), let number = digits.number else { return nil }
      let name = rest.dropFirst(digits.count).trimmed
      return name.isEmpty || number <= maximumNamed && isName(name) ? number : nil
    }
    return nil
  }

  /// Returns whether `rest`, which follows the number, is the name of the disc. Other words show that the number
  /// belongs to a title.
  private static func isName(_ rest: ArraySlice<UInt8>) -> Bool {
    let name = String(decoding: rest, as: UTF8.self)
    return "-–—([:.,_".contains { name.hasPrefix(String($0)) }
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "#"): true
    default: false
    }
  }
}

extension ArraySlice<UInt8> {
  /// The text in lower case. The name of a disc may be Cyrillic (`Диск 1`).
  fileprivate var lowercased: [UInt8] { Array(String(decoding: self, as: UTF8.self).lowercased().utf8) }
}
