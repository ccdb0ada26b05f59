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
        // The words of a query are an example, not a name.
        [item.head.filter { $0.macro != "Qq" && $0.text.unicodeScalars.allSatisfy(\.isASCII) }.map(\.text)]
          + heads(item.items)
      }
    }
    let (expected, found) = (heads(english.items.map(\.item)), heads(russian.items.map(\.item)))
    #expect(expected.count == found.count)
    for (a, b) in zip(expected, found) where a != b && !a.contains("words") { Issue.record("\(a) is not \(b)") }
  }

  @Test func verbsHaveTheSameAliasesAndOptionsInTheTranslation() {
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
