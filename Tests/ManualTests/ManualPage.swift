import SegueSystem
import SegueTestKit

/// A parsed page of contrib/man. By convention, everything documented is an item of a list whose head names it by
/// macros (mdoc(7)).
struct ManualPage {
  /// The items that are not in other items, with their sections and subsections.
  private(set) var items: [(section: String, subsection: String, item: ManualItem)] = []
  /// The literal displays, in order.
  private(set) var displays: [String] = []
  let path: FilePath

  static let names = [
    "segue.1", "segue-ui.1", "segue-web.8", "segued.8", "segue.conf.5", "segue-ipc.7", "segue-recipes.7",
  ]
  /// The pages for people who use the programs. Those for programmers and for the web remote are English.
  static let translated = ["segue.1", "segue-ui.1", "segue.conf.5", "segued.8", "segue-recipes.7"]

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
        // Text after a list belongs to the item that contains the list.
        open.last { $0 != nil }.flatMap { $0 }?.body += ManualWord.words(of: line)
      }
    }
  }

  func items(in section: String, _ subsection: String? = nil) -> [ManualItem] {
    items.filter { $0.section == section && (subsection == nil || $0.subsection == subsection) }.map(\.item)
  }

  /// Replaces the escape sequences of roff(7) that the pages use.
  private static func unescaped(_ line: String) -> String {
    var line = line
    let escapes = [
      (#"\-"#, "-"), (#"\&"#, ""), (#"\(ti"#, "~"), (#"\(aq"#, "'"), (#"\(ha"#, "^"), (#"\(ga"#, "`"), (#"\e"#, #"\"#),
    ]
    for (escape, text) in escapes {
      line = line.split(separator: escape, omittingEmptySubsequences: false).joined(separator: text)
    }
    return line
  }
}

/// An item of a list, which documents one thing.
final class ManualItem {
  var head: [ManualWord] = []
  /// The text of the item, without that of the items in it.
  var body: [ManualWord] = []
  var items: [ManualItem] = []

  /// Returns the words of the head with this macro.
  func names(_ macro: String) -> [String] { head.texts(macro) }

  /// The words of the item and of the items in it.
  var words: [ManualWord] { head + body + items.flatMap(\.words) }

  /// Returns all words with this macro.
  func words(_ macro: String) -> [String] { words.texts(macro) }

  var text: String { words.map(\.text).joined(separator: " ") }
}

extension [ManualWord] {
  /// Returns the words with this macro.
  func texts(_ macro: String) -> [String] { filter { $0.macro == macro }.map(\.text) }
}

/// A word and its macro.
struct ManualWord: Equatable {
  /// The macro; nil for running text.
  let macro: String?
  let text: String

  /// Returns the words of a text line, or the arguments of a macro line with their macros and without punctuation.
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
