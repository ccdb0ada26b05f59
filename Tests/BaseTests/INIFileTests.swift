import SegueSystem
import Testing

/// Tests of configuration files that are changed by programs.
@Suite struct INIFileTests {
  private func setting(_ key: String, _ section: String, _ value: String?, in text: String) -> String {
    String(decoding: INIFile.setting(key, in: section, to: value, of: Array(text.utf8)), as: UTF8.self)
  }

  @Test func aValueIsReplacedAndEverythingElseStays() {
    let text = "# mine\n[Keys]\n next = n # no comment\n; other\n\n[Interface]\nTheme=dark\n"
    #expect(
      setting("next", "Keys", "Right f", in: text)
        == "# mine\n[Keys]\nnext=Right f\n; other\n\n[Interface]\nTheme=dark\n")
  }

  @Test func aNewValueFollowsTheLastLineOfItsSection() {
    let text = "[Keys]\nnext=n\n# the end\n\n[Interface]\nTheme=dark"
    #expect(setting("stop", "Keys", "x", in: text) == "[Keys]\nnext=n\n# the end\nstop=x\n\n[Interface]\nTheme=dark\n")
    #expect(setting("Clock", "Interface", "no", in: text) == "\(text)\nClock=no\n")
  }

  @Test func aNewSectionIsAddedAtTheEnd() {
    #expect(setting("Theme", "Interface", "dark", in: "") == "[Interface]\nTheme=dark\n")
    #expect(
      setting("Theme", "Interface", "dark", in: "[Keys]\nTheme=x") == "[Keys]\nTheme=x\n\n[Interface]\nTheme=dark\n")
  }

  @Test func ofSeveralValuesTheLastOneIsReplacedAndTheOthersAreRemoved() {
    let text = "[Keys]\nnext=a\nstop=s\n[Lists]\nnext=b\n[Keys]\nnext=c\n"
    #expect(setting("next", "Keys", "d", in: text) == "[Keys]\nstop=s\n[Lists]\nnext=b\n[Keys]\nnext=d\n")
    #expect(setting("next", "Keys", nil, in: text) == "[Keys]\nstop=s\n[Lists]\nnext=b\n[Keys]\n")
  }

  @Test func filesOfOtherSystemsAreUnderstood() {
    let text = "\u{FEFF}[Keys]\r\nnext=a\r\n"
    #expect(setting("next", "Keys", "b", in: text) == "\u{FEFF}[Keys]\r\nnext=b\n")
  }
}
