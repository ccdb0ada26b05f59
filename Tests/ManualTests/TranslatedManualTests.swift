import SegueSystem
import SegueTestKit
import Testing

/// Tests that the Russian pages document the same as the English ones.
@Suite struct TranslatedManualTests {
  private static func pages(_ name: String) throws -> (english: ManualPage, russian: ManualPage) {
    (try ManualPage(name), try ManualPage("ru/\(name)"))
  }

  @Test func everyTranslatedPageIsTested() throws {
    let found = try Folder.names(in: Repository.root.appending("contrib/man/ru")).map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(found.sorted() == ManualPage.translated.sorted())
  }

  /// Compares the heads of all items, such as verbs, options, keys and variables, without the placeholders of values.
  @Test(arguments: ManualPage.translated) func everyItemIsInTheTranslation(_ name: String) throws {
    func heads(_ items: [ManualItem]) -> [[String]] {
      items.flatMap { item in
        let names = item.head.filter {
          !["Ar", "Qq", "Pa"].contains($0.macro) && $0.text.utf8.allSatisfy { $0 < 0x80 }
        }
        return [names.map(\.text)] + heads(item.items)
      }
    }
    let (english, russian) = try Self.pages(name)
    let (expected, found) = (heads(english.items.map(\.item)), heads(russian.items.map(\.item)))
    for change in expected.difference(from: found) {
      switch change {
      case .insert(let index, let head, _):
        Issue.record("ru/\(name) lacks \(head) after \(index > 0 ? expected[index - 1] : [])")
      case .remove(_, let head, _): Issue.record("\(name) lacks \(head) of ru/\(name)")
      }
    }
  }

  @Test(arguments: ManualPage.translated) func itemsHaveTheSameWordsOfProgramsInTheTranslation(_ name: String) throws {
    let (english, russian) = try Self.pages(name)
    try #require(english.items.count == russian.items.count, "an item is missing in one of the pages")
    for (a, b) in zip(english.items, russian.items) {
      for macro in ["Fl", "Ic", "Cm", "Ev"] {
        #expect(Set(a.item.words(macro)) == Set(b.item.words(macro)), "\(a.item.head.map(\.text)): \(macro)")
      }
    }
  }

  @Test(arguments: ManualPage.translated) func examplesAreTheSameInTheTranslation(_ name: String) throws {
    // A text in quotes may be translated in segue(1), where it names a playlist. Elsewhere it is a part of a program.
    func commands(_ page: ManualPage) -> [String] {
      name == "segue.1" ? page.displays.map { $0.replacing(/"[^"]*"/, with: "…") } : page.displays
    }
    let (english, russian) = try Self.pages(name)
    #expect(commands(english) == commands(russian))
  }

  @Test(arguments: ManualPage.translated) func theTranslationHasTheSameSections(_ name: String) throws {
    func headings(_ page: ManualPage) throws -> [String] {
      try Repository.lines(of: page.path).filter { $0.hasPrefix(".Sh ") || $0.hasPrefix(".Ss ") }
    }
    let (english, russian) = try Self.pages(name)
    let (expected, found) = (try headings(english), try headings(russian))
    #expect(expected.map { $0.prefix(3) } == found.map { $0.prefix(3) })
    // Headings of a lower level may be names in a configuration file.
    #expect(Set(expected).intersection(found).filter { $0.hasPrefix(".Sh") } == [], "a heading is not translated")
  }
}
