internal import SegueSystem

/// The names of the discs of an album, in folders and titles: `CD1`, `Disc 02`, `disk-3`, `Диск 1`.
public enum DiscName {
  /// Returns the number of the disc that `name` stands for, or nil if it is no such name.
  public static func number(_ name: some Collection<UInt8>) -> Int? {
    var rest = Array(name)[...].trimmed
    for word in ["disque", "disco", "disc", "disk", "cd", "диск"] where rest.lowercased.starts(with: word.utf8) {
      rest = rest.dropFirst(word.utf8.count)
      while let first = rest.first, isSeparator(first) { rest = rest.dropFirst() }
      guard !rest.isEmpty, rest.count <= 2, rest.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return rest.number
    }
    return nil
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
