/// A reader of ASX playlists, in XML (`<ref href="…">`) and in the older form of lines (`Ref1=…`). Many of them are not
/// well-formed XML, so they are searched for the references, without regard to upper and lower case.
enum ASX {
  /// Returns the references in their order.
  static func references(in bytes: [UInt8]) -> [String] {
    let text = String(decoding: bytes, as: UTF8.self)
    if text.lowercased().drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).hasPrefix("[reference]") {
      return text.split(whereSeparator: \.isNewline).compactMap { line in
        let parts = line.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased().hasPrefix("ref") else { return nil }
        return String(parts[1])
      }
    }
    return elements(of: bytes).compactMap { element in
      guard element.name == "ref" || element.name == "entryref" else { return nil }
      return element.attributes["href"].map(decodingEntities)
    }
  }

  /// Returns the elements with their attributes. Names are in lower case.
  private static func elements(of bytes: [UInt8]) -> [(name: String, attributes: [String: String])] {
    var elements: [(name: String, attributes: [String: String])] = []
    var rest = bytes[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(start + 1)...]
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { break }
      var scanner = rest[..<end]
      rest = rest[(end + 1)...]
      let name = takeName(&scanner)
      guard !name.isEmpty else { continue }
      var attributes: [String: String] = [:]
      while let (key, value) = takeAttribute(&scanner) { attributes[key] = value }
      elements.append((name, attributes))
    }
    return elements
  }

  private static func takeName(_ text: inout ArraySlice<UInt8>) -> String {
    text = text.drop { $0 <= 0x20 }
    let name = text.prefix { $0 > 0x20 && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "/") }
    text = text[name.endIndex...]
    return String(decoding: name, as: UTF8.self).lowercased()
  }

  private static func takeAttribute(_ text: inout ArraySlice<UInt8>) -> (String, String)? {
    let name = takeName(&text)
    text = text.drop { $0 <= 0x20 }
    guard !name.isEmpty, text.first == UInt8(ascii: "=") else { return nil }
    text = text.dropFirst().drop { $0 <= 0x20 }
    guard let quote = text.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    text = text.dropFirst()
    guard let end = text.firstIndex(of: quote) else { return nil }
    let value = String(decoding: text[..<end], as: UTF8.self)
    text = text[(end + 1)...]
    return (name, value)
  }

  /// The entities that occur in URLs.
  private static let entities = [("&amp;", "&"), ("&quot;", "\""), ("&apos;", "'"), ("&lt;", "<"), ("&gt;", ">")].map {
    (entity: Array($0.utf8), character: Array($1.utf8))
  }

  /// Replaces entities, whose names may be in upper case. The time is proportional to the length of `text`.
  private static func decodingEntities(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
      result += rest[..<start]
      rest = rest[start...]
      let name = String(decoding: rest.prefix(6), as: UTF8.self).lowercased().utf8
      if let known = entities.first(where: { name.starts(with: $0.entity) }) {
        result += known.character
        rest = rest.dropFirst(known.entity.count)
      } else {
        result.append(UInt8(ascii: "&"))
        rest = rest.dropFirst()
      }
    }
    return String(decoding: result + rest, as: UTF8.self)
  }
}
