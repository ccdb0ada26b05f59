import Testing

@testable import SegueTUI

/// Tests of the default keys.
@Suite struct KeyBindingTests {
  @Test func everyCommandOfAScreenHasAKeyThere() {
    for (title, commands) in KeyBindings.screens {
      for command in commands {
        #expect(!KeyBindings.standard.keys(for: command, among: commands).isEmpty, "\(command) on \(title)")
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
