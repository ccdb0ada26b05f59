import SegueCLI
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
        "▶ играет  3 из 5", "  So What", "  Miles Davis", "  Глава 2 из 2: ^[[31mEnd^I日本",
        "  1:40 / 3:21 (50%)  " + String(repeating: "━", count: 29) + String(repeating: "─", count: 30),
        "  громкость 80%   повтор очереди   без перемешивания   прослушанные остаются", "  вывод: null",
      ])
  }

  @Test func outputsAreRussianOnATerminal() throws {
    let lines = try run(["outputs"], on: .terminal(columns: 80), environment: Self.russian).lines
    #expect(
      lines == [
        "▶ 1  Built-in Audio  (по умолчанию)", "     alsa.analog  44100 Гц, 2 канала, s16le", "  2  Monitor (HDMI)",
        "     alsa.hdmi  48000 Гц, 2 канала, s16le",
      ])
  }

  @Test func theModeOfTheGainIsRussianOnATerminal() throws {
    let script: StubDaemon.Script = { _, _ in [.result(#"{"mode":"album","preamp":-1.5,"applied":null}"#)] }
    let lines = try run(["gain"], on: .terminal(columns: 80), environment: Self.russian, script).lines
    #expect(lines == ["выравнивание по альбому, предусиление -1,5 дБ"])
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
    #expect(try verbs(help) == verbs(ClientProcess.run(["--help"])))
    #expect(help.lines.filter { DisplayWidth.of($0) > 80 } == [])
    for verb in Set(verbs(help)) where verb != "segue" {
      let own = try ClientProcess.run(["help", String(verb)], environment: Self.russian)
      #expect(own.lines.first?.hasPrefix("Вызов:  segue \(verb)") == true)
      #expect(own.lines.filter { DisplayWidth.of($0) > 80 } == [], "\(verb)")
    }
  }

  /// Control characters become visible, and arguments that do not fit leave the English message.
  @Test(arguments: [
    (#"["/a\u001b[2Jb\n"]"#, "/a^[[2Jb^J: нет такого файла или папки"),
    (#"["%1$s 100%"]"#, "%1$s 100%: нет такого файла или папки"),
    (#"[]"#, "gone^["), (#"["a","b"]"#, "gone^["), (#"[7]"#, "gone^["), (#""a""#, "gone^["),
  ]) func argumentsOfErrorsAreNotTrusted(_ arguments: String, _ message: String) throws {
    let outcome = try run(["next"], on: .terminal(columns: 80), environment: Self.russian) { _, _ in
      let data = #","template":"%1$s: no such file or folder","arguments":\#(arguments)"#
      return [.error(code: 3, kind: "not_found", message: "gone\\u001b", data: data)]
    }
    #expect(outcome.errorText.hasPrefix("segue: \(message) (not_found)\n"), "\(outcome.errorText)")
  }

  @Test func longArgumentsOfErrorsAreCut() throws {
    let long = String(repeating: "я", count: 1 << 19)
    let outcome = try run(["next"], on: .terminal(columns: 80), environment: Self.russian) { _, _ in
      let data = #","template":"%1$s: no such file or folder","arguments":["\#(long)"]"#
      return [.error(code: 3, kind: "not_found", message: "gone", data: data)]
    }
    #expect(outcome.errors.count < 10_000)
    #expect(outcome.errorText.contains("я…: нет такого файла или папки (not_found)\n"))
  }

  @Test func refusedURIsAreRussianOnATerminal() throws {
    let message = #""message":"the file is damaged: x","template":"the file is damaged: %1$s","arguments":["x"]"#
    let script: StubDaemon.Script = { _, _ in
      [.result(#"{"added":[],"failed":[{"uri":"file:///a","kind":"damaged",\#(message)}],"version":9}"#)]
    }
    let outcome = try run(["add", "http://a/"], on: .terminal(columns: 80), environment: Self.russian, script)
    #expect(outcome.errorText.hasPrefix("segue: /a: файл повреждён: x (damaged)\n"), "\(outcome.errorText)")
    let pipe = try run(["add", "http://a/"], environment: Self.russian, script)
    #expect(pipe.errorText.hasPrefix("segue: /a: the file is damaged: x (damaged)\n"), "\(pipe.errorText)")
  }

  /// Returns the client's output for a daemon whose objects have errors.
  private func outputWithErrors(_ words: [String], on place: ClientProcess.Place) throws -> String {
    let missing = LocalizableMessage("\("/a"): no such file or folder")
    let status = RecordedResponses.status(
      .stopped, track: RecordedResponses.track(2, "So What", error: missing, errorKind: .notFound)
    ) {
      $0.output.error = LocalizableMessage("the sound server does not answer")
    }
    let library = RecordedLibraryResponses.status { $0.error = missing }
    let provider = CatalogProviderInfo(
      name: "tmdb", title: "TMDb", kinds: [.film], charts: [], attribution: nil, link: "https://h/", error: missing)
    let outcome = try run(words, on: place, environment: Self.russian) { method, parameters in
      switch method {
      case "status": [.result(RecordedResponses.json(status))]
      case "library.status": [.result(RecordedResponses.json(library))]
      case "catalog.providers":
        [.result(RecordedResponses.json(CatalogProviderList(providers: [provider])))]
      default: RecordedResponses.standard(method, parameters)
      }
    }
    return outcome.text
  }

  @Test(arguments: [["status"], ["library"], ["providers"]])
  func errorsOfObjectsAreRussianOnATerminal(_ words: [String]) throws {
    let terminal = try outputWithErrors(words, on: .terminal(columns: 80))
    #expect(terminal.contains("/a: нет такого файла или папки"), "\(terminal)")
    let pipe = try outputWithErrors(words, on: .pipe)
    #expect(pipe.contains("/a: no such file or folder"), "\(pipe)")
  }

  @Test func theErrorOfTheOutputIsRussianOnATerminal() throws {
    let terminal = try outputWithErrors(["status"], on: .terminal(columns: 80))
    #expect(terminal.contains("  ! вывод: звуковой сервер не отвечает\n"), "\(terminal)")
  }

  @Test func errorsOfTemplatesAreRussianOnATerminal() throws {
    let outcome = try run(["status", "--format", "{{titel}}"], on: .terminal(columns: 80), environment: Self.russian)
    #expect(outcome.code == 2)
    #expect(outcome.errorText.contains("--format, символ 3: неизвестная переменная «titel»"), "\(outcome.errorText)")
    #expect(outcome.errorText.contains("возможно, имелось в виду title?"), "\(outcome.errorText)")
  }

  @Test(arguments: [
    (#"let a = "\(b ? "  " + tr("(default)") : "")""#, true), (#"let a = "\(rate) Hz""#, true),
    (#"console.printLine("nothing found")"#, true), (#"console.printLine(tr("nothing found"))"#, false),
    (#"let a = tr("%1$s Hz", "\(rate)")"#, false), (#"let a = "segue \(verb) --json""#, false),
    (#"let a = "\(folder)/stat" // tr("\(x)")"#, false), (#"marks.append("(default)")"#, true),
    (#"let label = "Volume""#, true), (#"let text = "no music here""#, true), (#"let word = "album""#, false),
  ]) func theCheckOfTranslationsFindsTextsThatAreNotTranslated(_ source: String, _ isFault: Bool) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.swift", Array(source.utf8))
    let list = try folder.write("list", Array("\(file)".utf8))
    let (code, output) = try ChildProcess.run(
      [
        "/bin/sh", "-c", "\"$0\" <\"$1\"", Repository.root.appending("contrib/lib/untranslated.py").description,
        "\(list)",
      ],
      environment: ["PATH": "/usr/bin:/bin"], errors: true)
    #expect(code == 0 && !output.isEmpty == isFault, "\(output)")
  }

  /// The translations are those of "PATH" and of another message.
  @Test(arguments: [
    ("ПУТЬ", "segue add PATH adds music", "segue add PATH добавляет музыку", "PATH is ПУТЬ elsewhere"),
    ("ПУТЬ", "segue add PATH adds music", "segue add ПУТЬ добавляет музыку", ""),
    ("ПУТЬ", "put it on the PATH:  export PATH=/bin:$PATH", "добавьте в PATH:  export PATH=/bin:$PATH", ""),
    ("PATH", "segue add PATH adds music", "segue add PATH добавляет музыку", ""),
    ("ПУТЬ", "The queue is empty.", "Очередь пуста", "ends differently: Очередь пуста"),
  ]) func theCheckOfTranslationsFindsTextsToCorrect(
    _ word: String, _ message: String, _ translation: String, _ fault: String
  ) throws {
    let folder = try TemporaryFolder()
    let entries = [("", "Language: ru"), ("PATH", word), (message, translation)]
      .map { "msgid \"\($0.0)\"\nmsgstr \"\($0.1)\"\n" }
    let file = try folder.write("ru.po", Array(entries.joined(separator: "\n").utf8))
    let (code, output) = try ChildProcess.run(
      [Repository.root.appending("contrib/lib/translation_texts.py").description, "\(file)"],
      environment: ["PATH": "/usr/bin:/bin"], errors: true)
    #expect(code == (fault.isEmpty ? 0 : 1))
    #expect(output == (fault.isEmpty ? "" : "\(file): \(message.prefix(60)): \(fault)\n"))
  }

  @Test func decimalNumbersHaveACommaOnATerminalAndAreAcceptedWithOne() throws {
    let faster = RecordedResponses.json(RecordedResponses.status { $0.speed = PlaybackSpeed(clamping: 1.5) })
    let daemon: StubDaemon.Script = { _, _ in [.result(faster)] }
    let terminal = try run(["speed", "1,5"], on: .terminal(columns: 80), environment: Self.russian, daemon)
    #expect(terminal.lines == ["скорость 1,5"])
    #expect(try run(["speed", "+0,1"], environment: Self.russian, daemon).lines == ["speed 1.5"])
  }

  @Test func errorsAreWrappedAtWords() throws {
    let outcome = try run(["shuffle", "frobnicate"], on: .terminalWithErrors(columns: 40), environment: Self.russian)
    #expect(outcome.lines.count > 1 && outcome.lines.allSatisfy { DisplayWidth.of($0) <= 40 }, "\(outcome.text)")
    #expect(outcome.text.split(whereSeparator: \.isWhitespace).contains("допустимы"))
  }

  @Test func translationsAreCompleteAndHaveTheSamePlaceholders() throws {
    let (code, output) = try ChildProcess.run(
      [Repository.root.appending("contrib/translations").description, "--check"],
      environment: ["PATH": "/usr/bin:/bin"], errors: true)
    #expect(code == 0, "\(output)")
  }
}
