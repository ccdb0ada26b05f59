internal import SegueSystem
internal import SegueWire

/// Plain text of descriptions that are HTML, or plain text already.
///
/// Tags and comments are removed, entities are decoded, and elements such as `<br>` and `<p>` become line breaks. Line
/// breaks in the source are kept if the text contains no such element; otherwise they are spaces, as in HTML. Between
/// two lines there is at most one empty line. The conversion takes linear time for every input.
struct HTMLText {
  private let source: [Unicode.Scalar]
  /// The index of the last ">". After it there are no tags.
  private let lastBracket: Int
  private var position = 0
  private var output = PlainText()
  private var hasBlocks = false
  private let keepsLineBreaks: Bool

  /// Returns the text of `html`, at most `limit` bytes of UTF-8; nil if nothing remains.
  static func plain(_ html: String, limit: Int = CatalogItem.maximumDescriptionSize) -> String? {
    // Tags and entities take more room in the source than in the text.
    let source = Array(html.truncated(to: 8 * limit).unicodeScalars)
    var text = HTMLText(source, keepsLineBreaks: true)
    text.convert(limit: limit)
    if text.hasBlocks {
      text = HTMLText(source, keepsLineBreaks: false)
      text.convert(limit: limit)
    }
    let plain = text.output.text(limit: limit)
    return plain.isEmpty ? nil : plain
  }

  private init(_ source: [Unicode.Scalar], keepsLineBreaks: Bool) {
    self.source = source
    self.keepsLineBreaks = keepsLineBreaks
    lastBracket = source.lastIndex(of: ">") ?? -1
  }

  private mutating func convert(limit: Int) {
    while position < source.count, output.size <= limit {
      let scalar = source[position]
      if scalar == "<", takeMarkup() { continue }
      if scalar == "&", takeEntity() { continue }
      position += 1
      if keepsLineBreaks, isLineBreak(scalar) {
        // "\r\n" is one line break.
        if scalar != "\n" || position < 2 || source[position - 2] != "\r" { output.addLineBreak() }
      } else {
        output.add(scalar)
      }
    }
  }

  // MARK: Tags

  /// The elements that begin a new line, and the number of line breaks before and after them.
  private static let blocks: [String: Int] = [
    "p": 2, "div": 1, "li": 1, "ul": 2, "ol": 2, "tr": 1, "table": 2, "blockquote": 2, "pre": 2, "hr": 1, "h1": 2,
    "h2": 2, "h3": 2, "h4": 2, "h5": 2, "h6": 2,
  ]

  /// Consumes a tag or a comment. Returns false if there is none, so that "<" is text, as in "a < b".
  private mutating func takeMarkup() -> Bool {
    guard position < lastBracket else { return false }
    var index = position + 1
    if source[index] == "!" || source[index] == "?" {
      skipDeclaration()
      return true
    }
    let isClosing = source[index] == "/"
    if isClosing { index += 1 }
    guard index < source.count, isLetter(source[index]) else { return false }
    var name = ""
    while index < source.count, name.utf8.count < 16, isLetter(source[index]) || isDigit(source[index]) {
      name.unicodeScalars.append(source[index])
      index += 1
    }
    name = name.lowercased()
    position = endOfTag(from: index)
    if !isClosing, name == "script" || name == "style" {
      skip(toEndOf: name)
    } else if name == "br" {
      hasBlocks = true
      output.addLineBreak()
    } else if let count = Self.blocks[name] {
      hasBlocks = true
      output.startLine(after: count)
      if name == "li", !isClosing { output.addBullet() }
    }
    return true
  }

  /// Returns the index after the ">" of a tag; a ">" in quotation marks does not end the tag. Only a tag with an
  /// unclosed quotation mark is read to the end of the source in vain, and no more than once for each kind of mark.
  private func endOfTag(from start: Int) -> Int {
    var quote: Unicode.Scalar?
    for index in start..<source.count {
      let scalar = source[index]
      if let open = quote {
        if scalar == open { quote = nil }
      } else if scalar == ">" {
        return index + 1
      } else if scalar == "\"" || scalar == "'" {
        quote = scalar
      }
    }
    return (source[start...].firstIndex(of: ">") ?? source.count - 1) + 1
  }

  /// Skips a comment, a document type or a processing instruction.
  private mutating func skipDeclaration() {
    if source[position...].starts(with: "<!--".unicodeScalars) {
      var index = position + 4
      while index + 2 < source.count {
        if source[index] == "-", source[index + 1] == "-", source[index + 2] == ">" {
          position = index + 3
          return
        }
        index += 1
      }
      position = source.count
    } else {
      position = (source[position...].firstIndex(of: ">") ?? source.count - 1) + 1
    }
  }

  /// Skips the content of an element that is no text, and its closing tag.
  private mutating func skip(toEndOf name: String) {
    let closing = Array("</\(name)".unicodeScalars)
    while position < source.count {
      if source[position] == "<", source.count - position >= closing.count,
        zip(source[position...], closing).allSatisfy({ $0.properties.lowercaseMapping.unicodeScalars.first == $1 })
      {
        position = endOfTag(from: position + closing.count)
        return
      }
      position += 1
    }
  }

  // MARK: Entities

  /// Consumes an entity such as `&amp;`, `&#38;` or `&#x26;`. Returns false if there is none, so that "&" is text.
  private mutating func takeEntity() -> Bool {
    var name = ""
    var index = position + 1
    while index < source.count, name.utf8.count <= HTMLEntities.maximumNameLength,
      isLetter(source[index]) || isDigit(source[index]) || source[index] == "#"
    {
      name.unicodeScalars.append(source[index])
      index += 1
    }
    guard index < source.count, source[index] == ";", let scalar = HTMLEntities.scalar(named: name) else {
      return false
    }
    output.add(scalar)
    position = index + 1
    return true
  }

  private func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }

  private func isLetter(_ scalar: Unicode.Scalar) -> Bool { (0x61...0x7A).contains(scalar.value | 0x20) }
  private func isDigit(_ scalar: Unicode.Scalar) -> Bool { (0x30...0x39).contains(scalar.value) }
}

/// A text that is written word by word. White space is written only between words, so that lines have none at their
/// ends.
private struct PlainText {
  private var text = String.UnicodeScalarView()
  private var lineBreaks = 0
  private var isSeparated = false
  /// The number of bytes of UTF-8.
  private(set) var size = 0

  /// Adds a character. White space separates words, and control characters are omitted.
  mutating func add(_ scalar: Unicode.Scalar) {
    if scalar.properties.isWhitespace {
      isSeparated = true
    } else if !scalar.isControl {
      separate()
      append(scalar)
    }
  }

  mutating func addLineBreak() { lineBreaks += 1 }

  /// Makes sure that at least `count` line breaks follow the last word.
  mutating func startLine(after count: Int) { lineBreaks = max(lineBreaks, count) }

  mutating func addBullet() {
    separate()
    append("•")
    isSeparated = true
  }

  /// Returns the text, at most `limit` bytes of UTF-8.
  func text(limit: Int) -> String { String(text).truncated(to: limit).trimmed }

  /// Writes the white space before the next word.
  private mutating func separate() {
    if size > 0 {
      for _ in 0..<min(lineBreaks, 2) { append("\n") }
      if lineBreaks == 0, isSeparated { append(" ") }
    }
    (lineBreaks, isSeparated) = (0, false)
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    text.append(scalar)
    size += UTF8.width(scalar)
  }
}
