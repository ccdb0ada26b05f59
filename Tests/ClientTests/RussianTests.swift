import SegueClient
import SegueSystem
import SegueTestKit
import SegueUnicode
import SegueWire
import Testing

/// Tests of the output in Russian, for which no locale needs to be installed.
@Suite struct RussianTests: StubOutputTests {
  private static let russian = ["LANG": "ru_RU.UTF-8", "NO_COLOR": "1"]

  let responses: StubDaemon.Script

  init() throws {
    try BuiltTranslations.compile("ru")
    // The state contains the current time, and must be the same in every run.
    let status = RecordedResponses.json(RecordedResponses.status(position: 100.5))
    responses = { method, parameters in
      method == "status" ? [.result(status)] : RecordedResponses.standard(method, parameters)
    }
  }

  @Test func statusIsRussianOnATerminal() throws {
    let lines = try run(["status"], on: .terminal(columns: 80), environment: Self.russian).lines
    #expect(
      lines == [
        "▶ играет  3 из 5", "  So What", "  Miles Davis",
        "  1:40 / 3:21 (50%)  " + String(repeating: "━", count: 29) + String(repeating: "─", count: 30),
        "  громкость 80%   повтор очереди   без перемешивания   прослушанные остаются", "  вывод: null",
      ])
  }

  @Test func outputForProgramsStaysEnglish() throws {
    for words in [["status"], ["status", "--json"], ["volume"], ["list"], ["list", "--json"], ["frobnicate"]] {
      let english = try run(words)
      let russian = try run(words, environment: Self.russian)
      #expect(russian.output == english.output && russian.errors == english.errors, "\(words)")
    }
  }

  @Test func errorsAndHintsAreRussianOnATerminal() throws {
    let outcome = try run(["lost"], on: .terminal(columns: 80), environment: Self.russian)
    #expect(outcome.code == 2)
    #expect(outcome.errorText == "segue: неизвестная команда «lost»\n  возможно, имелось в виду   segue list   ?\n")
  }

  @Test(arguments: [
    (["LC_ALL": "ru_RU.UTF-8", "LANG": "C"], true), (["LANG": "de_DE.UTF-8", "LANGUAGE": "uk:ru"], true),
    (["LANG": "C.UTF-8", "LANGUAGE": "ru"], true), (["LC_ALL": "C", "LANGUAGE": "ru"], false),
    (["LANG": "C.UTF-8"], false), (["LANG": "ru_RU.KOI8-R"], false),
  ])
  func helpIsInTheLanguageOfTheEnvironment(_ environment: [String: String], _ isRussian: Bool) throws {
    let help = try ClientProcess.run(["--help"], environment: environment).text
    #expect(help.contains("Очередь:") == isRussian)
    #expect(help.contains("Queue:") != isRussian)
  }

  /// The first line of each help text is the usage, which is as long as in English.
  @Test func helpHasTheSameVerbsAsInEnglishAndFits80Columns() throws {
    func verbs(_ help: ClientProcess.Outcome) -> [Substring] {
      help.lines.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.hasPrefix("  -") }
        .map { $0.split(separator: " ")[0] }
    }
    let help = try ClientProcess.run(["--help"], environment: Self.russian)
    #expect(verbs(help) == verbs(try ClientProcess.run(["--help"])))
    #expect(help.lines.filter { DisplayWidth.of($0) > 80 } == [])
    for verb in Set(verbs(help)) where verb != "segue" {
      let own = try ClientProcess.run(["help", String(verb)], environment: Self.russian)
      #expect(own.lines.first?.hasPrefix("Вызов:  segue \(verb)") == true)
      #expect(own.lines.filter { DisplayWidth.of($0) > 80 } == [], "\(verb)")
    }
  }

  @Test func translationsAreCompleteAndHaveTheSamePlaceholders() throws {
    let (code, output) = try ChildProcess.run(
      [Repository.root.appending("contrib/translations").description, "--check"],
      environment: ["PATH": "/usr/bin:/bin"], errors: true)
    #expect(code == 0, "\(output)")
  }
}
