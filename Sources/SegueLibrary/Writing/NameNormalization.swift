internal import SegueFiles
internal import SegueSystem
internal import SegueUnicode

/// The normalization of names in tags and folders: case and Unicode, numbers of discs and tracks, "various artists".
enum NameNormalization {
  /// Returns a form of a name that is equal for names that differ only in case, surrounding spaces, or Unicode
  /// normalization. SQLite compares bytes and Swift compares characters. For folded names, the results are the same.
  static func fold(_ name: String) -> String {
    let folded = UnicodeNormalization.composed(name.lowercased())
    guard folded.utf8.first.map(isSpace) == true || folded.utf8.last.map(isSpace) == true else { return folded }
    return String(folded.trimmingSpaces)
  }

  /// Returns whether the folded `name` is empty.
  static func isBlank(_ name: String) -> Bool { name.utf8.allSatisfy(isSpace) }

  /// The placeholder for the artist of a compilation.
  static let various = "*"

  /// Returns whether an album artist of this folded name means "various artists".
  static func isVarious(_ fold: String) -> Bool { variousNames.contains(fold) }

  private static let variousNames: Set<String> = [
    "various artists", "various", "va", "v.a.", "v/a", "v. a.", "various artist", "diverse", "verschiedene",
    "verschiedene interpreten", "разные исполнители", "сборник", "разные", "artistes divers", "varios artistas",
    "vari artisti", "群星", "オムニバス", "ヴァリアス・アーティスト",
  ]

  /// Separates a title from the number of the disc at its end (`Title (Disc 2)`, `Title [CD1]`, `Title - CD 1`).
  static func withoutDisc(_ title: String) -> (title: String, disc: Int?) {
    let bytes = Array(title.utf8)
    // The last character is a digit, or it closes a bracket.
    guard let last = bytes.last, isDigit(last) || last == UInt8(ascii: ")") || last == UInt8(ascii: "]") else {
      return (title, nil)
    }
    var end = bytes.count
    let isBracketed = !isDigit(last)
    if isBracketed { end -= 1 }
    let opening: (UInt8) -> Bool =
      isBracketed ? { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "[") } : { $0 == UInt8(ascii: "-") || $0 == 0x2C }
    guard let start = bytes[..<end].lastIndex(where: opening), let disc = DiscName.number(bytes[(start + 1)..<end])
    else {
      return (title, nil)
    }
    let rest = String(decoding: bytes[..<start], as: UTF8.self).trimmingSpaces
    return rest.isEmpty ? (title, nil) : (String(rest), disc)
  }

  /// Returns the number at the beginning of a file name (`03 - Title.mp3`), which is the track number if no tag has
  /// one.
  static func leadingNumber(_ name: [UInt8]) -> Int? {
    let digits = name.prefix(while: isDigit)
    return digits.isEmpty || digits.count > 4 ? nil : number(digits)
  }

  /// Returns the artist without guests: `a` for `a feat. b`.
  static func leadArtist(_ fold: String) -> String {
    for mark in [" feat. ", " feat ", " ft. ", " ft ", " featuring ", " (feat. ", " (ft. "] {
      if let found = fold.utf8.range(of: mark.utf8) { return String(fold[..<found.lowerBound]) }
    }
    return fold
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int { digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

extension String {
  fileprivate var trimmingSpaces: Substring {
    var rest = self[...]
    while let first = rest.utf8.first, isSpace(first) { rest = rest.dropFirst() }
    while let last = rest.utf8.last, isSpace(last) { rest = rest.dropLast() }
    return rest
  }
}
