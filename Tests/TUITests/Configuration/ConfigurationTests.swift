import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of the file `ui.conf`.
@Suite struct ConfigurationTests {
  private let path = FilePath("/ui.conf")

  private func parse(_ text: String) -> (InterfaceConfiguration, [String]) {
    let (configuration, warnings) = InterfaceConfiguration.parse(Array(text.utf8), path)
    return (configuration, warnings.map(\.description))
  }

  @Test func settingsAndKeysAreRead() {
    let (configuration, warnings) = parse(
      """
      # The settings of the interface.
      [Interface]
      Theme = Dark
      Clock=no
      [Lists]
      DefaultAction=details
      HistoryOrder=Plays
      AlbumLayout=table
      [Keys]
      seek-forward = Right l
      remove = Ctrl-X del F8
      """)
    #expect(warnings == [])
    #expect(configuration.theme == .dark && !configuration.showsClock && configuration.defaultAction == .details)
    #expect(configuration.word(of: .historyOrder) == "plays" && !configuration.showsTiles(.albumLayout))
    #expect(configuration.word(of: .albumOrder) == "title" && configuration.showsTiles(.artistLayout))
    #expect(configuration.bindings.keys(for: .seekForward) == [Key(code: .right), .character("l")])
    #expect(
      configuration.bindings.keys(for: .remove)
        == [.control("x"), Key(code: .delete), Key(code: .function(8))])
    #expect(configuration.bindings.keys(for: .next) == KeyBindings.standard.keys(for: .next))
  }

  @Test func anEmptyFileIsTheDefault() { #expect(parse("") == (InterfaceConfiguration(), [])) }

  @Test func anEmptyValueIsTheDefault() {
    let text = "[Interface]\nTheme=dark\nTheme=\n[Lists]\nTrackOrder=year\nTrackOrder=\n[Keys]\nnext=x\nnext=\n"
    #expect(parse(text) == (InterfaceConfiguration(), []))
  }

  /// Each faulty line is named with what would help, and the lines around it apply.
  @Test(arguments: [
    ("[Interface", "The name of the section must end with ]."),
    ("hello", "The line is neither a section such as [Keys] nor a setting such as next = n."),
    ("[Key]", "The section [Key] is unknown. Did you mean [Keys]?"),
    ("[Sound]", "The section [Sound] is unknown. The sections are [Interface], [Lists], [Colors], [Keys]."),
    ("Colour=dark", "The setting Colour is unknown. The manual page segue-ui(1) lists all settings."),
    ("Thema=dark", "The setting Thema is unknown. Did you mean Theme?"),
    ("DefaultAction=play", "The setting DefaultAction belongs in the section [Lists]."),
    ("AlbumOrder=year", "The setting AlbumOrder belongs in the section [Lists]."),
    (
      "[Lists]\nAlbumOrder=rating",
      "The value rating of AlbumOrder is unknown. These values are possible: title, artist, year, added."
    ),
    (
      "[Lists]\nQueueColumns=title plays",
      "The column plays of QueueColumns is unknown. These columns are possible: number, title, artist, album, year, genre, composer, rating, time."
    ),
    ("[Lists]\nTrackColums=title", "The setting TrackColums is unknown. Did you mean TrackColumns?"),
    ("TrackColumns=title", "The setting TrackColumns belongs in the section [Lists]."),
    ("[Lists]\nAlbumOder=year", "The setting AlbumOder is unknown. Did you mean AlbumOrder?"),
    (
      "Theme=blue",
      "The value blue of Theme is unknown. These values are possible: \(Theme.allCases.map(\.rawValue).joined(separator: ", "))."
    ),
  ])
  func aFaultyLineIsNamedAndIgnored(line: String, message: String) {
    let (configuration, warnings) = parse("[Interface]\nTheme=light\n\(line)\n[Lists]\nDefaultAction=add\n")
    #expect(warnings == ["/ui.conf:\(line.contains("\n") ? 4 : 3): \(message)"])
    #expect(configuration.theme == .light && configuration.defaultAction == .add)
  }

  @Test(arguments: [
    ("nex = n", "The command nex is unknown. Did you mean next? The manual page segue-ui(1) lists all commands."),
    ("next = Rigth", "The key Rigth of next is unknown. Did you mean Right? Keys are separated by spaces."),
    (
      "next = n Ctrl-I",
      "Terminals send the same for the key Ctrl-I of next as for Tab. Write Tab or another key."
    ),
    (
      "next = Shift-n",
      "The key Shift-n of next is the character that Shift enters. Write this character without Shift."
    ),
  ])
  func aFaultyKeyIsNamedAndIgnored(line: String, message: String) {
    let (configuration, warnings) = parse("[Keys]\nstop = Q\n\(line)\n")
    #expect(warnings == ["/ui.conf:3: \(message)"])
    #expect(configuration.bindings.keys(for: .stop) == [.character("Q")])
    #expect(configuration.bindings.keys(for: .next) == KeyBindings.standard.keys(for: .next))
  }

  /// The interface would not react for minutes while it looked for conflicts of thousands of keys.
  @Test func aCommandHasAtMostSixteenKeys() {
    func line(_ count: UInt32) -> String {
      let keys = (0..<count).map { String(Unicode.Scalar(0x4E00 + $0)!) }.joined(separator: " ")
      return "[Keys]\nstop = Q\nnext = \(keys)\n"
    }
    #expect(parse(line(16)).0.bindings.keys(for: .next).count == 16)
    let (configuration, warnings) = parse(line(20_000))
    #expect(warnings == ["/ui.conf:3: The command next has too many keys: 16 are possible."])
    #expect(configuration.bindings.keys(for: .stop) == [.character("Q")])
    #expect(configuration.bindings.keys(for: .next) == KeyBindings.standard.keys(for: .next))
  }

  @Test func aFileOfMoreThan64KiBIsNotRead() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("ui.conf")
    let line = "[Interface]\nTheme=dark\n"
    try SmallFile.write(Array((line + String(repeating: "\n", count: 65_536 - line.utf8.count)).utf8), to: path)
    #expect(InterfaceConfiguration.read(path).0.theme == .dark)
    try SmallFile.write(Array((line + String(repeating: "\n", count: 65_537 - line.utf8.count)).utf8), to: path)
    let (configuration, warnings) = InterfaceConfiguration.read(path)
    #expect(configuration == InterfaceConfiguration() && warnings.count == 1)
  }

  @Test func coloursReplaceThoseOfTheTheme() {
    let (configuration, warnings) = parse(
      "[Interface]\nTheme=nord\n[Colors]\nAccent=#FF8800\nBackground=terminal\nDim=#123456\nDim=\n")
    #expect(warnings == [] && configuration.theme == .nord)
    #expect(configuration.colors.colors == [.accent: RGBColor(0xFF8800)] && configuration.colors.keepsBackground)
  }

  @Test(arguments: [
    ("Acent=#ff8800", "The setting Acent is unknown. Did you mean Accent?"),
    ("Accent=orange", "orange of Accent is not a colour. Write six hexadecimal digits such as #a6e3a1."),
    (
      "Background=#fff",
      "#fff of Background is not a colour. Write six hexadecimal digits such as #1e1e2e, or terminal."
    ),
  ])
  func aFaultyColourIsNamedAndIgnored(line: String, message: String) {
    let (configuration, warnings) = parse("[Colors]\nText=#ffffff\n\(line)\n")
    #expect(warnings == ["/ui.conf:3: \(message)"])
    #expect(configuration.colors.colors == [.text: RGBColor(0xFFFFFF)])
  }

  @Test func aSettingBeforeAnySectionIsNamed() {
    #expect(
      parse("Theme=dark").1 == [
        "/ui.conf:1: The setting Theme comes before any section. Put a line such as [Interface] above it."
      ])
  }

  @Test func columnsAreReadInTheirOrderAndOnce() {
    let (configuration, warnings) = parse("[Lists]\nQueueColumns = Title, time title\nTrackColumns=rating number\n")
    #expect(warnings == [])
    #expect(configuration.columns == [.queue: [.title, .time], .tracks: [.rating, .number]])
    #expect(parse("[Lists]\nQueueColumns=title\nQueueColumns=\n") == (InterfaceConfiguration(), []))
  }

  @Test func everyStandardColumnIsPossible() {
    for setting in ColumnSetting.allCases { #expect(Set(setting.standard).isSubset(of: ColumnSetting.possible)) }
  }

  @Test func keysTakePrecedenceOverDefaultKeys() {
    let (configuration, warnings) = parse("[Keys]\nnext = d\n")
    let list = ListScreen().commands
    #expect(warnings == [])
    #expect(configuration.bindings.command(for: .character("d"), among: list) == .next)
    // The default key that is left.
    #expect(configuration.bindings.keys(for: .remove, among: list) == [Key(code: .delete)])
  }

  @Test func aDefaultKeyThatIsNamedAgainStaysAsItIs() {
    let (configuration, warnings) = parse("[Keys]\nseek-forward = Right l\n")
    let search = SearchScreen.all.commands
    #expect(warnings == [])
    #expect(configuration.bindings.command(for: Key(code: .right), among: search) == .right)
    #expect(configuration.bindings.command(for: .character("l"), among: search) == .seekForward)
  }

  @Test func aKeyOfTwoCommandsOnOneScreenIsAConflict() {
    let (configuration, warnings) = parse("[Keys]\nstop = Q\nnext = Q n\n")
    #expect(
      warnings == [
        "/ui.conf:3: The key Q of next belongs to stop on the screen “Queue” already. Choose another key for one of them."
      ])
    #expect(configuration.bindings.command(for: .character("Q"), among: ListScreen().commands) == .stop)
  }

  @Test func aCommandThatLosesItsLastKeyIsAConflict() {
    let (_, warnings) = parse("[Keys]\nnext = m\n")
    #expect(
      warnings == [
        "/ui.conf:2: The key m belongs to next now, so that mute has no key on the screen “Queue”. "
          + "Choose another key for one of them."
      ])
    #expect(parse("[Keys]\nnext = m\nmute = >\n").1 == [])
  }

  @Test func keysOfDifferentScreensAreNoConflict() {
    #expect(parse("[Keys]\nlyrics-down = d\nclear = PgDn\npage-down = Ctrl-D\n").1 == [])
  }

  @Test func theNameOfEveryKeyIsReadAgain() throws {
    for command in Command.allCases {
      for key in KeyBindings.standard.keys(for: command) { #expect(try Key(named: key.name) == key) }
    }
  }

  @Test func aFileThatCannotBeReadIsNamed() {
    let (configuration, warnings) = InterfaceConfiguration.read(FilePath("/proc/self"))
    #expect(configuration == InterfaceConfiguration())
    #expect(warnings.count == 1 && warnings[0].description.hasPrefix("/proc/self: The file cannot be read: "))
    #expect(InterfaceConfiguration.read(FilePath("/nonexistent/ui.conf")).1 == [])
  }
}
