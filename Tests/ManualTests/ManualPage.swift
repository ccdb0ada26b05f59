import SegueSystem
import SegueTestKit

/// A page of contrib/man, read as far as its conventions go: what is documented is an item of a list, named by macros in
/// the item's head (mdoc(7)).
struct ManualPage {
  /// Of the items in no other item, by the section they are in, and its subsection.
  private(set) var items: [(section: String, subsection: String, item: ManualItem)] = []
  /// Literal displays, in order.
  private(set) var displays: [String] = []
  let path: FilePath

  static let names = ["segue.1", "segued.8", "segue.conf.5", "segue-ipc.7"]

  init(_ name: String) throws {
    path = Repository.root.appending("contrib/man").appending(name)
    var open: [ManualItem?] = []
    var (section, subsection) = ("", "")
    var display: [String]?
    var isInHead = false
    for line in try Repository.lines(of: path) {
      let line = Self.unescaped(line)
      if line.hasPrefix(".Ed") {
        displays.append((display ?? []).joined(separator: "\n"))
        display = nil
      } else if line.hasPrefix(".Bd") {
        display = []
      } else if display != nil {
        display?.append(line)
      } else if line.hasPrefix(".Sh ") {
        (section, subsection) = (String(line.dropFirst(4)), "")
      } else if line.hasPrefix(".Ss ") {
        subsection = String(line.dropFirst(4))
      } else if line.hasPrefix(".Bl") {
        open.append(nil)
      } else if line.hasPrefix(".El") {
        open.removeLast()
      } else if line.hasPrefix(".It") {
        let item = ManualItem()
        let parent = open.dropLast().last.flatMap { $0 }
        if let parent { parent.items.append(item) } else { items.append((section, subsection, item)) }
        open[open.count - 1] = item
        item.head = ManualWord.words(of: String(line.dropFirst(3)))
        isInHead = line == ".It Xo"
      } else if line == ".Xc" {
        isInHead = false
      } else if isInHead, let item = open.last.flatMap({ $0 }) {
        item.head += ManualWord.words(of: line)
      } else {
        // What stands behind a list belongs to the item that the list is in.
        open.last { $0 != nil }.flatMap { $0 }?.body += ManualWord.words(of: line)
      }
    }
  }

  func items(in section: String, _ subsection: String? = nil) -> [ManualItem] {
    items.filter { $0.section == section && (subsection == nil || $0.subsection == subsection) }.map(\.item)
  }

  /// What stands for what groff would take for something else.
  private static func unescaped(_ line: String) -> String {
    var line = line
    for (escape, text) in [(#"\-"#, "-"), (#"\&"#, ""), (#"\(ti"#, "~"), (#"\(aq"#, "'"), (#"\(ha"#, "^")] {
      line = line.split(separator: escape, omittingEmptySubsequences: false).joined(separator: text)
    }
    return line
  }
}

/// What a page says of one thing.
final class ManualItem {
  var head: [ManualWord] = []
  /// Without what its items say.
  var body: [ManualWord] = []
  var items: [ManualItem] = []

  /// The words of the head with this macro.
  func names(_ macro: String) -> [String] { head.filter { $0.macro == macro }.map(\.text) }

  /// Everything, its items' too.
  var words: [ManualWord] { head + body + items.flatMap(\.words) }

  /// All words with this macro.
  func words(_ macro: String) -> [String] { words.filter { $0.macro == macro }.map(\.text) }

  var text: String { words.map(\.text).joined(separator: " ") }
}

/// A word, and the macro that says what it is.
struct ManualWord: Equatable {
  /// nil for running text.
  let macro: String?
  let text: String

  /// Of a macro line the arguments, each with its macro and without punctuation; of a text line the words.
  static func words(of line: String) -> [ManualWord] {
    guard line.hasPrefix(".") || line.hasPrefix(" ") else {
      return line.split(separator: " ").map { ManualWord(macro: nil, text: String($0)) }
    }
    var macro: String?
    var words: [ManualWord] = []
    for word in line.drop(while: { $0 == "." }).split(separator: " ").map(String.init) {
      let text = word.filter { $0 != "\"" }
      if isMacro(text) {
        macro = text
      } else if text.contains(where: { $0.isLetter || $0.isNumber || "%+<".contains($0) }) || text == "-" {
        words.append(ManualWord(macro: macro, text: macro == "Fl" ? "-\(text)" : text))
      }
    }
    return words
  }

  private static func isMacro(_ word: String) -> Bool {
    word.count == 2 && word.first?.isUppercase == true && word.last?.isLowercase == true
  }
}
