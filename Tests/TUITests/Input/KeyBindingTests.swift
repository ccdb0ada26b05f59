import SegueSystem
import SegueTestKit
import Testing

@testable import SegueTUI

/// Tests of the default keys, and of their names in messages.
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

  @Test func messagesNameACommandWithTheKeyOfTheUser() {
    var bindings = KeyBindings.standard
    #expect(bindings.named(.savePlaylist) == "“Save queue” (w)" && bindings.named(.open) == "“Open” (Enter)")
    bindings.set([.character("n"), .character("w")], for: .savePlaylist)
    #expect(bindings.named(.savePlaylist) == "“Save queue” (n)")
    bindings.reset(.savePlaylist)
    bindings.set([.character("w")], for: .next)
    #expect(bindings.named(.next) == "“Next” (w)" && bindings.named(.savePlaylist) == "“Save queue”")
  }

  @Test func theScreensNameTheKeysOfTheUser() {
    var configuration = InterfaceConfiguration()
    configuration.bindings.set([.character("n")], for: .showLibrary)
    configuration.bindings.set([.character("l")], for: .help)
    var interface = Interface([], configuration: configuration)
    interface.library = FakeLibrary(albumCount: 1)
    interface.announceLibrary()
    #expect(interface.screen.contains("“Library” (n) shows the library"))
    interface.type("p")
    #expect(interface.statusLine.contains("Add music with “Library” (n) or “Search” (5)."))
    interface.press(.function(12))
    #expect(interface.statusLine.contains("“Help” (l) lists all keys."))
  }

  /// The key would be wrong for a user who has another one.
  @Test func noMessageNamesAKeyOfItsOwn() throws {
    let sources = Repository.root.appending("Sources/SegueTUI").description
    // “The key %1$s” has the key of the user, and “the key again” and “the key of” name none.
    let pattern = #""[^"]*[Tt]he key [^%ao"]|“%[0-9]\$s”.*Command\..*label"#
    let (code, found) = try ChildProcess.run(
      ["grep", "-rnE", pattern, sources], environment: ["PATH": "/usr/bin:/bin"])
    // The status is 1 if there is no such line, and 2 after an error.
    #expect(code == 1 && found == "")
  }

  @Test func everyCommandHasADescriptionOfItsOwn() {
    let summaries = Command.allCases.map(\.summary)
    #expect(Set(summaries).count == summaries.count)
    #expect(summaries.allSatisfy { $0.hasSuffix(".") })
  }
}
