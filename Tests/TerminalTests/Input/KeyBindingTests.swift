import Testing

@testable import SegueTerminal

/// Tests of the default keys.
@Suite struct KeyBindingTests {
  private let screens: [any Screen] = [ListScreen(), PlayerScreen()]

  @Test func everyCommandOfAScreenHasAKeyThere() {
    for screen in screens {
      for command in screen.commands {
        #expect(KeyLine.key(of: command, on: screen, .standard) != nil, "\(command)")
      }
    }
  }

  @Test func keysCountByPositionOnACyrillicKeyboard() {
    let list = ListScreen()
    for (cyrillic, latin) in [("о", "j"), ("щ", "o"), ("П", "G"), (".", "/"), (",", "?"), ("Ю", ">"), ("й", "q")] {
      let expected = KeyBindings.standard.command(for: .character(Character(latin)), among: list.commands)
      #expect(expected != nil)
      #expect(KeyBindings.standard.command(for: .character(Character(cyrillic)), among: list.commands) == expected)
    }
  }

  @Test func everyCommandHasADescriptionOfItsOwn() {
    let summaries = Command.allCases.map(\.summary)
    #expect(Set(summaries).count == summaries.count)
    #expect(summaries.allSatisfy { $0.hasSuffix(".") })
  }
}
