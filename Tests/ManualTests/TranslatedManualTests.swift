import SegueTestKit
import Testing

/// Tests that the Russian segue(1) documents the same as the English one.
@Suite struct TranslatedManualTests {
  private let english: ManualPage
  private let russian: ManualPage

  init() throws {
    english = try ManualPage("segue.1")
    russian = try ManualPage("ru/segue.1")
  }

  /// Compares the heads of all items: verbs, options, arguments and variables.
  @Test func everyVerbAndOptionIsInTheTranslation() {
    func heads(_ items: [ManualItem]) -> [[String]] {
      items.flatMap { item in
        let names = item.head.filter { $0.macro != "Qq" && $0.text.unicodeScalars.allSatisfy(\.isASCII) }.map(\.text)
        // The words of a query are an example, not a name.
        return [names.contains("words") ? [] : names] + heads(item.items)
      }
    }
    let (expected, found) = (heads(english.items.map(\.item)), heads(russian.items.map(\.item)))
    for change in expected.difference(from: found) {
      switch change {
      case .insert(let index, let head, _):
        Issue.record("ru/segue.1 lacks \(head) after \(index > 0 ? expected[index - 1] : [])")
      case .remove(_, let head, _): Issue.record("segue.1 lacks \(head) of ru/segue.1")
      }
    }
  }

  @Test func verbsHaveTheSameAliasesAndOptionsInTheTranslation() throws {
    try #require(english.items.count == russian.items.count, "an item is missing in one of the pages")
    for (a, b) in zip(english.items, russian.items) {
      for macro in ["Fl", "Ic", "Cm", "Ev"] {
        #expect(Set(a.item.words(macro)) == Set(b.item.words(macro)), "\(a.item.head.map(\.text)): \(macro)")
      }
    }
  }

  @Test func examplesAreTheSameInTheTranslation() {
    func commands(_ page: ManualPage) -> [String] {
      page.displays.map { $0.replacing(/"[^"]*"/, with: "…") }
    }
    #expect(commands(english) == commands(russian))
  }
}
