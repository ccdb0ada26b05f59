import SegueClientKit
import SegueState
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of the settings and of the list of keys.
@Suite struct SettingsTests {
  /// Opens the settings with the focus on one of the interface.
  private func settings(_ setting: InterfaceSetting) -> Interface {
    let row = InterfaceSetting.allCases.firstIndex(of: setting) ?? 0
    return settings(row: row < Self.keysRow ? row : row + 1)
  }

  /// The row of the keys among those of the interface.
  private static let keysRow = 2

  /// Opens the settings with the focus on a row of the daemon: the first one is that of the genre. The rows of the keys
  /// and of the web remote are among those of the interface.
  private func settings(ofDaemon row: Int) -> Interface { settings(row: InterfaceSetting.allCases.count + 2 + row) }

  private func settings(row: Int) -> Interface {
    var interface = Interface(playing: 0)
    interface.type("S" + String(repeating: "j", count: row))
    return interface
  }

  @Test func enterChoosesTheNextThemeAtOnceAndSavesIt() {
    var interface = settings(.theme)
    #expect(interface.focusedRow?.contains("that of the terminal") == true)
    #expect(interface.model.frame().palette == Palette(.terminal, background: nil))
    interface.type("\r\r")
    #expect(interface.model.frame().palette == Palette(.dark, background: nil))
    #expect(interface.statusLine.contains("Theme: dark. The setting is saved in ui.conf."))
    #expect(
      interface.requests == [.save(.setting(.theme, to: "light")), .save(.setting(.theme, to: "dark"))])
    interface.type("d")
    #expect(interface.requests.last == .save(.setting(.theme, to: "terminal")))
    interface.type("d")
    #expect(interface.statusLine.contains(SettingsMessages.notReset) && interface.requests.count == 3)
  }

  @Test func theThemeOfTheTerminalFollowsItsReport() {
    var interface = Interface()
    interface.send(.input(.background(.dark)))
    #expect(interface.model.frame().palette == Palette(.terminal, background: .dark))
    let monochrome = Appearance(isUnicode: true, isColored: false, decoration: .full)
    #expect(Interface(appearance: monochrome).model.frame().palette == .monochrome)
  }

  @Test func withoutTheClockNothingChangesByItself() {
    var interface = settings(.clock)
    interface.type("\rq")
    #expect(interface.model.nextTick == nil)
    #expect(interface.statusLine.hasSuffix("  9:05"))
  }

  @Test func settingsStandUnderHeadings() {
    var interface = Interface(rows: 40, playing: 0)
    let settings = Settings(file: Configuration(), saved: [:]).list
    interface.send(.changed(.settings(settings)))
    interface.type("S")
    let headings = interface.lines.filter { $0.hasPrefix(" ") && !$0.hasPrefix("  ") }.map { String($0.dropFirst()) }
    for heading in ["Interface", "Lists", "Library", "Output", "Playback"] { #expect(headings.contains(heading)) }
    #expect(interface.lines[2] == " Interface" && interface.lines[3].contains("Theme"))
    #expect(interface.lines[5].hasPrefix("   Keys  "), "the keys are found at the top")
    interface.send(.resized(ScreenSize(rows: 40, columns: 160)))
    #expect(interface.screen.contains("Catalogues"), "a wide screen has room for all of them")
    interface.type("G")
    #expect(interface.lines[2].hasPrefix(" Interface ") && interface.lines[3].contains("Theme"))
  }

  @Test func theMouseChoosesARowInEachColumn() throws {
    var interface = Interface(rows: 40, columns: 200, playing: 0)
    interface.type("Sjj\r")
    let row = try #require(interface.lines.firstIndex { $0.contains("   Repeat  ") })
    let line = interface.lines[row]
    let column = line.distance(from: line.startIndex, to: try #require(line.range(of: "Repeat")?.lowerBound))
    #expect(column > 60)
    interface.mouse(.press, row: row, column: column)
    #expect(interface.statusLine.contains(Command.cycleRepeat.summary))
  }

  @Test func aSettingThatCannotBeSavedIsReported() {
    var interface = settings(.theme)
    interface.type("\r")
    interface.send(.saved(SystemError("open", "ui.conf", code: 13)))
    #expect(interface.statusLine.contains("~/.config/segue"))
    #expect(interface.screen.contains("! The setting applies now but is not saved"))
    // Permissions do not help against a full disk.
    interface.send(.saved(SystemError("write", "ui.conf", code: 28)))
    #expect(interface.screen.contains("No space left on device."))
    #expect(!interface.screen.contains("permissions"))
  }

  @Test func aChangeOfTheFileAppliesWhileTheInterfaceRuns() {
    var interface = Interface(playing: 0)
    var configuration = InterfaceConfiguration()
    configuration.theme = .nord
    configuration.bindings.set([.character("n")], for: .next)
    interface.send(.configurationChanged(configuration, []))
    #expect(interface.model.frame().palette == Palette(.nord, background: nil))
    interface.type("n")
    #expect(interface.calls == [.next])
    let warning = INIWarning(path: FilePath("/ui.conf"), line: 2, message: "Faulty.")
    interface.send(.configurationChanged(configuration, [warning]))
    #expect(interface.statusLine.contains("! /ui.conf:2: Faulty."))
    interface.type("j")
    #expect(!interface.screen.contains("Faulty"))
  }

  @Test func theGenreOfTheChartsIsTyped() {
    var interface = settings(ofDaemon: 0)
    #expect(interface.focusedRow?.contains("Genre of the charts") == true)
    interface.type("\r")
    #expect(interface.statusLine.contains(SettingsMessages.editing))
    interface.press(.character("u"), .control)
    interface.type("jazz\r")
    #expect(interface.calls == [.set(name: "catalog.genre", value: "jazz")])
    var settings = Interface.settings
    (settings[5].value, settings[5].inUse, settings[5].source) = (.text("jazz"), .text("jazz"), .chosen)
    interface.send(.changed(.settings(SettingList(settings: settings))))
    interface.send(.response(interface.calls[0], .success(Interface.json(settings[5]))))
    #expect(interface.focusedRow?.contains("jazz") == true)
    #expect(interface.statusLine.contains("Genre of the charts: jazz."))
  }

  @Test func choicesOfTheDaemonChangeAndReturn() {
    var interface = settings(ofDaemon: 2)
    interface.type("\rj\rd")
    #expect(interface.calls == [.set(name: "player.restore", value: "resume")])
    // The number is edited; Esc keeps the old one.
    interface.press(.escape)
    interface.type("d")
    #expect(interface.calls.last == .reset(name: "player.crossfade"))
    interface.type("j\r")
    #expect(interface.calls.last == .set(name: "player.preventClipping", value: "no"))
    interface.type("j\r")
    #expect(interface.calls.count == 3 && interface.screen.contains("Write Key= into the section [Section]"))
  }

  @Test func aValueThatTheDaemonRefusesIsReported() {
    var interface = settings(ofDaemon: 3)
    interface.type("\r9\r")
    let error = ClientError(.failed, "player.crossfade=39 is not a number from 0 to 15", kind: "invalid_params")
    interface.send(.response(interface.calls[0], .failure(error)))
    #expect(interface.statusLine.contains("! The value is not accepted: player.crossfade=39 is not a number"))
    #expect(interface.focusedRow?.contains("3 seconds") == true)
  }

  @Test func settingsAreReadAgainFromTheNextDaemon() {
    var interface = settings(.theme)
    interface.send(.disconnected(ClientError(.noDaemon, "gone")))
    #expect(!interface.screen.contains("After a restart"))
    interface.type("\r")
    #expect(interface.requests.count == 1)
    interface.send(.connected)
    #expect(interface.screen.contains("After a restart"))
  }

  /// The language of the process is changed for the time of this test.
  @Test(arguments: ["en", "ru"], [(rows: 24, columns: 80), (rows: 10, columns: 40)])
  func everySettingOfTheDaemonIsDisplayedInFull(language: String, size: (rows: Int, columns: Int)) throws {
    try BuiltTranslations.compile("ru")
    Language.select(language)
    defer { Language.select(nil) }
    var interface = Interface(rows: size.rows, columns: size.columns, playing: 0)
    interface.type("Sjj" + String(repeating: "j", count: InterfaceSetting.allCases.count))
    let settings = Settings(file: Configuration(), saved: [:]).list
    interface.send(.changed(.settings(settings)))
    let isCatalog = { (setting: SettingReport) in setting.section == "Catalog" }
    let catalog = settings.settings.filter(isCatalog)
    let genre = catalog.filter { $0.name == SettingReport.chartGenre }
    for setting in settings.settings.filter({ !isCatalog($0) }) + genre + catalog.filter({ $0.name != genre[0].name }) {
      let row = try #require(interface.focusedRow)
      #expect(row.hasPrefix("   \(translated(text: setting.label))  "))
      switch setting.type {
      // Paths and addresses may be longer than the screen.
      case .name, .paths: break
      case .flag, .whole, .number, .choice: #expect(row.hasSuffix("  \(SettingsMessages.value(setting))"))
      }
      let status = interface.lines.suffix(4).flatMap { $0.split(separator: " ") }.joined(separator: " ")
      #expect(status.contains("\(setting.name): \(translated(text: setting.summary))"))
      interface.type("j")
    }
  }

  @Test func aSettingOfAnEarlierDaemonIsShownByItsName() throws {
    var interface = settings(ofDaemon: 0)
    let setting = SettingReport(
      try JSON(parsing: #"{"name":"player.fade","summary":"the fade","type":"boolean","value":true,"inUse":true}"#))
    interface.send(.changed(.settings(SettingList(settings: [setting]))))
    #expect(interface.focusedRow?.split(separator: " ") == ["player.fade", "yes"])
  }

  // MARK: Keys

  /// Opens the list of keys with the focus on a command.
  private func keys(_ command: Command) throws -> Interface {
    var interface = settings(row: Self.keysRow)
    interface.type("\r" + String(repeating: "j", count: try #require(Command.allCases.firstIndex(of: command))))
    return interface
  }

  @Test func aPressedKeyReplacesTheKeysOfACommand() throws {
    var interface = try keys(.next)
    interface.type("\r")
    #expect(interface.statusLine.contains("Press the new key of “Next”."))
    interface.type("n")
    #expect(interface.requests == [.save(.keys(.next, [.character("n")]))])
    #expect(interface.focusedRow?.hasSuffix("changed") == true)
    interface.type("n")
    #expect(interface.calls == [.next])
    interface.type("a>")
    #expect(interface.requests.last == .save(.keys(.next, [.character("n"), .character(">")])))
    interface.type("d")
    #expect(interface.requests.last == .save(.keys(.next, nil)))
    #expect(interface.focusedRow?.hasSuffix("changed") == false)
  }

  @Test func escapeKeepsTheKey() throws {
    var interface = try keys(.next)
    interface.type("\r")
    interface.press(.escape)
    #expect(interface.requests == [] && interface.lines[0].hasPrefix(" Keys"))
  }

  @Test func aKeyThatWasGivenToAnotherCommandIsRefused() throws {
    var interface = try keys(.next)
    interface.type("\rxj\rx")
    #expect(interface.screen.contains("The key x belongs to “Next” on the screen “Queue” already."))
    #expect(interface.requests.count == 1)
  }

  @Test func aCommandThatLosesItsKeyIsNamed() throws {
    var interface = try keys(.next)
    interface.type("\rm")
    #expect(interface.screen.contains("“Mute” has no key on the screen “Queue” now."))
    #expect(interface.requests.count == 1)
  }

  @Test func errorsOfTheConfigurationAreShownUntilAKeyIsPressed() {
    let warnings = (1...2).map { INIWarning(path: FilePath("/ui.conf"), line: $0, message: "Faulty.") }
    var interface = Interface(warnings: warnings)
    #expect(interface.screen.contains("! /ui.conf:1: Faulty. To see all 2 errors, run: segue ui --check-config"))
    interface.type("j")
    #expect(!interface.screen.contains("Faulty"))
  }

  @Test func settingsThatOthersChangeAreShown() {
    var interface = settings(ofDaemon: 1)
    var changed = Interface.settings
    let index = changed.firstIndex { $0.name == "player.crossfade" }!
    (changed[index].value, changed[index].inUse) = (.whole(7), .whole(7))
    #expect(interface.screen.contains("3 seconds") && !interface.screen.contains("7 seconds"))
    interface.send(.changed(.settings(SettingList(settings: changed))))
    #expect(interface.screen.contains("7 seconds"))
    interface.send(.disconnected(ClientError(.noDaemon, "gone")))
    #expect(!interface.screen.contains("seconds"))
  }

  @Test func anotherGenreReadsTheFilmsAgain() {
    var interface = Interface(playing: 0)
    interface.perform(.showPopular)
    interface.press(.tab)
    interface.press(.tab)
    func requests() -> Int {
      interface.online.calls.count { $0 == .catalog(.popular(.film, isAnyGenre: false), offset: 0, refresh: false) }
    }
    #expect(requests() == 1)
    var changed = Interface.settings
    let index = changed.firstIndex { $0.name == "catalog.genre" }!
    (changed[index].value, changed[index].inUse) = (.text("jazz"), .text("jazz"))
    interface.send(.changed(.settings(SettingList(settings: changed))))
    #expect(requests() == 2)
    interface.send(.changed(.settings(SettingList(settings: changed))))
    #expect(requests() == 2)
  }

  @Test(arguments: [
    (Command.reload, "a", Command.add, "Library"), (.cycleOrder, "a", .add, "Library"),
    (.savePlaylist, "y", .playNow, "Playlists"), (.left, "a", .add, "Library"),
  ])
  func everyScreenIsCheckedForConflicts(command: Command, key: String, other: Command, screen: String) {
    var bindings = KeyBindings.standard
    let key = Key.character(Character(key))
    bindings.set([key], for: command)
    #expect(bindings.conflicts(of: command).contains(.lost(key, by: other, screen: screen)))
  }

  @Test func theScreensOfAllCommandsAreChecked() {
    #expect(KeyBindings.screens.count == Command.screens.count + 2)
    let known = KeyBindings.screens.reduce(into: Set<Command>()) { $0.formUnion($1.commands) }
    #expect(Set(Command.allCases).subtracting(known).isEmpty)
  }

  @Test func theEndOfALongTextIsVisibleWhileItIsTyped() {
    var interface = Interface(rows: 10, columns: 40)
    interface.type("/" + String(repeating: "a", count: 60) + "z夜")
    #expect(interface.lines[0].contains("z夜"))
    #expect(interface.cursor?.row == 0 && (interface.cursor?.column ?? 0) < 40)
    interface.press(.home)
    #expect(interface.lines[0].contains("/aaa") && !interface.lines[0].contains("z"))
  }

  @Test(arguments: Command.screens) func theKeyOfTheHelpIsAlwaysShown(command: Command) {
    var configuration = InterfaceConfiguration()
    configuration.bindings.set([Key(code: .function(10), modifiers: .control)], for: .help)
    var interface = Interface(rows: 10, columns: 40, playing: 0, configuration: configuration)
    interface.perform(command)
    if command == .showSearch { interface.type("abc\r") }
    #expect(interface.lines[9].hasSuffix("Ctrl-F10 Help"), "\(interface.lines[9])")
  }
}
