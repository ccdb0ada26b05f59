internal import SegueClientKit
internal import SegueUnicode
internal import SegueWire

/// One line of text that is edited with the keys of readline(3).
struct TextField: Equatable {
  /// The maximum number of characters.
  private static let maximumLength = 200
  /// The maximum size in bytes of UTF-8. A character may have any number of combining ones.
  private static let maximumSize = 4_096

  private var characters: [Character] = []
  /// The number of characters before the cursor.
  private var cursor = 0

  var text: String { String(characters) }
  var isEmpty: Bool { characters.isEmpty }
  /// Returns the part of the text around the cursor that fits into `width` columns, and the number of columns in it
  /// before the cursor, which needs a column itself.
  func visiblePart(width: Int) -> (text: String, cursorColumn: Int) {
    var start = 0
    while start < cursor, DisplayWidth.of(String(characters[start..<cursor])) >= width { start += 1 }
    let text = String(characters[start...]).truncated(to: width, ellipsis: "")
    return (text, DisplayWidth.of(String(characters[start..<cursor])))
  }

  /// Inserts text at the cursor.
  mutating func insert(_ text: String) {
    let room = Self.maximumSize - characters.reduce(0) { $0 + $1.utf8.count }
    let added = Array(text.truncated(to: max(0, room)).prefix(Self.maximumLength - characters.count))
    characters.insert(contentsOf: added, at: cursor)
    cursor += added.count
  }

  /// Performs the function of a key in a field. Returns false if the key has none.
  mutating func handle(_ key: Key) -> Bool {
    switch (key.code, key.modifiers) {
    case (.character(let character), []): insert(String(character))
    case (.backspace, _):
      guard cursor > 0 else { return true }
      cursor -= 1
      characters.remove(at: cursor)
    case (.delete, []), (.character("d"), .control):
      if cursor < characters.count { characters.remove(at: cursor) }
    case (.left, []), (.character("b"), .control): cursor = max(0, cursor - 1)
    case (.right, []), (.character("f"), .control): cursor = min(characters.count, cursor + 1)
    case (.home, []), (.character("a"), .control): cursor = 0
    case (.end, []), (.character("e"), .control): cursor = characters.count
    case (.character("u"), .control):
      characters.removeFirst(cursor)
      cursor = 0
    case (.character("k"), .control): characters.removeSubrange(cursor...)
    case (.character("w"), .control): removeWord()
    default: return false
    }
    return true
  }

  /// Removes the word before the cursor.
  private mutating func removeWord() {
    var start = cursor
    while start > 0, characters[start - 1] == " " { start -= 1 }
    while start > 0, characters[start - 1] != " " { start -= 1 }
    characters.removeSubrange(start..<cursor)
    cursor = start
  }
}
