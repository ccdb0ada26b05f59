import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the errors of a real daemon, of its workers and of its fetch process: the client shows them in the language
/// of the user, and programs read them in English.
@Suite struct TranslatedErrorTests {
  private let catalogs: CatalogServer
  private let fixture: DaemonFixture

  init() throws {
    try BuiltTranslations.compile("ru")
    catalogs = try CatalogServer()
    fixture = try DaemonFixture(configuration: catalogs.configuration)
  }

  /// The client for a user who reads Russian.
  private func segue(_ words: [String], on place: ClientProcess.Place) throws -> ClientProcess.Outcome {
    try ClientProcess.run(
      words,
      environment: [
        "SEGUE_SOCKET": "\(fixture.daemon.socket)", "NO_COLOR": "1", "LANG": "C.UTF-8", "LANGUAGE": "ru",
      ], on: place, folder: fixture.folder)
  }

  /// Expects that the client writes `russian` on a terminal and `english` to a pipe.
  private func expect(_ words: [String], _ russian: String, _ english: String) throws {
    let terminal = try segue(words, on: .terminal(columns: 80)).errorText
    #expect(terminal.contains(russian), "\(terminal)")
    let pipe = try segue(words, on: .pipe).errorText
    #expect(pipe.contains(english), "\(pipe)")
  }

  @Test func errorsOfTheDaemon_areRussianOnATerminal() throws {
    try expect(["next"], "segue: очередь пуста (empty_queue)\n", "segue: the queue is empty (empty_queue)\n")
    try expect(
      ["rpc", "seek", #"{"position":"x"}"#], "`seek`: значение `position` должно быть таким: число",
      "`seek`: `position` must be a number")
    let missing = fixture.folder.appending("100% %1$s.flac")
    try expect(
      ["rpc", "chapters", #"["\#(FileURI.encode(missing))"]"#], "\(missing): нет такого файла или папки (not_found)",
      "\(missing): no such file or folder (not_found)")
  }

  @Test func errorsHaveATemplateAndArguments() throws {
    let missing = fixture.folder.appending("100% %1$s.flac")
    let error = try fixture.client.errorResponse(to: "chapters", #"["\#(FileURI.encode(missing))"]"#)
    #expect(error.message == "\(missing): no such file or folder")
    #expect(error.localizableMessage.template == "%1$s: no such file or folder")
    #expect(error.localizableMessage.arguments == [.text(missing.description)])
    let invalid = try fixture.client.errorResponse(to: "seek", #"{"position":"x"}"#)
    #expect(invalid.message == "`seek`: `position` must be a number")
    #expect(invalid.localizableMessage.arguments == [.text("seek"), .text("position"), .message("a number")])
  }

  @Test func errorsOfWorkers_areRussianOnATerminal() throws {
    let file = try fixture.write("zero.flac", [UInt8](repeating: 0, count: 4_096))
    let (russian, english) = (
      "файл повреждён: вместо звука в нём нули (damaged)",
      "the file is damaged: it contains zeros instead of audio (damaged)"
    )
    try expect(["add", "zero.flac"], russian, english)
    try expect(["rpc", "chapters", #"["\#(FileURI.encode(file))"]"#], russian, english)
  }

  /// A daemon that is started again reads the error from its database.
  @Test func theErrorOfATrack_isRussianOnATerminal_alsoAfterARestart() throws {
    let path = try fixture.album([30_000])[0]
    try fixture.add([path])
    try AudioFile.write([UInt8](repeating: 0, count: 4_096), to: path)
    try fixture.call("play")
    try fixture.waitForStop()
    let (russian, english) = (
      "файл повреждён: вместо звука в нём нули", "the file is damaged: it contains zeros instead of audio"
    )
    func expectError() throws {
      let track = try #require(try fixture.status().track)
      #expect(track.error?.text == english)
      #expect(track.error?.template == "the file is damaged: %1$s")
      let terminal = try segue(["status"], on: .terminal(columns: 80)).text
      #expect(terminal.contains("! трек: \(russian)"), "\(terminal)")
      let pipe = try segue(["status"], on: .pipe).text
      #expect(pipe.contains("error: \(english)"), "\(pipe)")
    }
    try expectError()
    fixture.daemon.stop()
    try fixture.daemon.start()
    try fixture.reconnect()
    try expectError()
  }

  @Test func settings_areDescribedInRussianOnATerminal() throws {
    let russian = try segue(["settings"], on: .terminal(columns: 80)).text
    let isEnglish = Set(SettingList(try fixture.client.call("settings.list")).settings.map(\.summary)).contains
    let lines = russian.split(separator: "\n").map { $0.split(separator: "[")[0].trimmingPrefix("    ") }
    #expect(lines.filter { isEnglish(String($0)) } == [])
    #expect(russian.contains("  10 с  (по умолчанию)") && russian.contains("[-30..30 дБ]"), "\(russian)")
    try expect(
      ["settings", "set", "fade", "x"], "player.fade=x: допустимы целые числа от 0 до 1000 (мс)",
      "player.fade=x is not a whole number of milliseconds from 0 to 1000")
  }

  @Test func errorsOfTheFetchProcess_areRussianOnATerminal() throws {
    catalogs.respond(to: "/itunes/", with: .truncated)
    try expect(
      ["search", "--online", "music"], ": соединение потеряно (offline)", ": the connection was lost (offline)")
    catalogs.respond(to: "/itunes/", with: .init(404, "{}"))
    try expect(
      ["search", "--online", "other"], "iTunes: такого объекта нет (код HTTP 404) (not_found)",
      "iTunes has no such item (HTTP status 404) (not_found)")
  }
}
