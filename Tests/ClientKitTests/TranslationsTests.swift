import SegueSystem
import SegueTestKit
import Testing

@testable import SegueClientKit

/// Tests of the reader of compiled translations.
@Suite struct TranslationsTests {
  private static let header = #"""
    msgid ""
    msgstr ""
    "Content-Type: text/plain; charset=UTF-8\n"

    """#

  /// Returns the bytes that msgfmt(1) makes of the text of a translation.
  private func compiled(_ text: String) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let source = try folder.write("x.po", Array((Self.header + text).utf8))
    let target = folder.path.appending("x.mo")
    let (code, output) = try ChildProcess.run(
      ["msgfmt", "-o", target.description, source.description], environment: ["PATH": "/usr/bin:/bin"], errors: true)
    try #require(code == 0, "\(output)")
    return try SmallFile.read(target, upTo: 1 << 20)
  }

  /// Returns a rule for the plural forms of a translation with this expression.
  private func rule(_ expression: String) -> PluralRule? {
    PluralRule(declaration: "Plural-Forms: nplurals=6; plural=\(expression);")
  }

  @Test func everyMessageIsFound() throws {
    let messages = (0..<1_000).map { "Message \($0) “\(String(repeating: "я", count: $0 % 7))”" }
    let translations = try #require(
      Translations(compiled(messages.map { "msgid \"\($0)\"\nmsgstr \"→ \($0)\"\n" }.joined(separator: "\n"))))
    for message in messages { #expect(translations.translation(of: message) == "→ \(message)") }
    #expect(translations.translation(of: "Message") == nil)
    #expect(translations.translation(of: "Message 1000") == nil)
  }

  @Test func pluralForms_followTheRuleOfTheFile() throws {
    let translations = try #require(
      Translations(
        compiled(
          #"""
          "Plural-Forms: nplurals=3; plural=n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2;\n"

          msgid "%1$d track"
          msgid_plural "%1$d tracks"
          msgstr[0] "%1$d трек"
          msgstr[1] "%1$d трека"
          msgstr[2] "%1$d треков"
          """#)))
    let forms = [
      0: "треков", 1: "трек", 2: "трека", 4: "трека", 5: "треков", 11: "треков", 12: "треков", 14: "треков", 21: "трек",
      22: "трека", 25: "треков", 101: "трек", 111: "треков", 112: "треков", 1_000_001: "трек",
    ]
    for (count, form) in forms { #expect(translations.translation(of: "%1$d track", count: count) == "%1$d \(form)") }
    #expect(translations.translation(of: "%1$d track") == "%1$d трек")
  }

  @Test(arguments: [
    ("0", [0, 0, 0]), ("n", [0, 1, 2]), ("n!=1", [1, 0, 1]), ("n > 1", [0, 0, 1]), ("!n", [1, 0, 0]),
    ("!!n", [0, 1, 1]), ("n==0 ? 4 : n==1 ? 5 : 3", [4, 5, 3]), ("(n + 3) * 2 - 6 / 3 % 2", [6, 8, 10]),
    ("n%0", [0, 0, 0]), ("n<=1&&n>=1||n==2", [0, 1, 1]),
  ])
  func pluralRules_areExpressionsOfC(_ expression: String, _ expected: [Int]) throws {
    let rule = try #require(self.rule(expression))
    #expect((0...2).map { rule.form(for: $0) } == expected)
  }

  @Test(arguments: ["", "n +", "(n", "n)", "n ? 1", "m", "n = 1", "99999999999999999999999", "1 n"])
  func pluralRules_thatAreInvalidAreRejected(_ expression: String) { #expect(rule(expression) == nil) }

  @Test func longPluralRules_areRejected() {
    #expect(rule(String(repeating: "(", count: 1_000_000)) == nil)
    #expect(rule(String(repeating: "!", count: 1_000_000) + "n") == nil)
  }

  /// Every byte is replaced and every length cut, so that offsets and lengths point anywhere.
  @Test func damagedFiles_neverCrash() throws {
    let bytes = try compiled(
      """
      msgid "a"
      msgstr "b"
      msgid "c"
      msgid_plural "d"
      msgstr[0] "e"
      msgstr[1] "f"
      """)
    func use(_ bytes: [UInt8]) {
      guard let translations = Translations(bytes) else { return }
      _ = translations.translation(of: "a")
      _ = translations.translation(of: "c", count: 5)
    }
    for length in bytes.indices { use(Array(bytes[..<length])) }
    for index in bytes.indices {
      for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
        var damaged = bytes
        damaged[index] = value
        use(damaged)
      }
    }
    #expect(Translations(bytes)?.translation(of: "a") == "b")
  }
}
