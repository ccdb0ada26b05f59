import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueTUI

/// The story of the settings with the real interface and the real daemon: a user changes them, and finds them as they
/// were after the next start.
@Suite struct SettingsStoryTests {
  private let server: PulseServer
  private let daemon: DaemonProcess

  init() throws {
    server = try PulseServer()
    daemon = try DaemonProcess(pulse: server)
  }

  @Test func changedSettingsAreThereAfterTheNextStart() throws {
    let text = "# My settings.\n[Keys]\nstop = F5\n"
    let interface = try InterfaceProcess(daemon.socket, configuration: text)
    try interface.waitFor("The queue is empty.")
    interface.keys("S")
    try interface.waitFor("Web remote")
    interface.keys("Enter", "Enter")
    try interface.waitFor("Theme: dark. The setting is saved in ui.conf.")
    interface.keys("j", "Enter", "Enter")
    try interface.waitFor("Language: Русский. The setting is saved in ui.conf.")
    interface.keys("Enter")
    try interface.waitFor("Язык: как в системе. Настройка сохранена в ui.conf.")
    interface.keys("j", "Enter")
    try interface.waitFor("Shows all keys.")
    interface.keys("Enter", "F2")
    try interface.waitFor("The keys of “Help” are now: F2.")
    #expect(try interface.configuration == "\(text)help=F2\n\n[Interface]\nTheme=dark\nLanguage=system\n")
    interface.keys("q")
    try interface.waitFor("Web remote")
    // The addresses of catalogues are the last settings, and the genre is the first one of their section.
    interface.keys("G")
    try interface.waitFor("Genre of the charts")
    interface.keys(Array(repeating: "k", count: 7) + ["Enter"])
    interface.keys("C-u", "j", "a", "z", "z", "Enter")
    try interface.waitFor("Genre of the charts: jazz.")
    let client = try daemon.connect()
    #expect(try client.call("settings.get", #"{"name":"catalog.genre"}"#)["value"]?.string == "jazz")
    interface.keys("q", "q")
    #expect(try interface.isRestored())

    interface.keys("segue ui", "Enter")
    try interface.waitFor("F2 Help")
    #expect(try interface.colors.contains("48;5;234m"))
    interface.keys("F5")
    try interface.waitFor("Playback is already stopped.")
  }

  @Test func theOrderOfAListIsThereAfterTheNextStart() throws {
    let interface = try InterfaceProcess(daemon.socket)
    try interface.waitFor("The queue is empty.")
    interface.keys("7", "o")
    try interface.waitFor("newest first")
    #expect(try interface.configuration == "[Lists]\nFavoriteOrder=date\n")
    interface.keys("1", "q")
    #expect(try interface.isRestored())
    interface.keys("segue ui", "Enter")
    try interface.waitFor("The queue is empty.")
    interface.keys("7")
    try interface.waitFor("newest first")
  }

  /// Each interface writes only what was changed there, and reads what the other one has written.
  @Test func twoInterfacesShareTheFile() throws {
    let first = try InterfaceProcess(daemon.socket, configuration: "[Interface]\nTheme=light\n")
    let second = try InterfaceProcess(
      daemon.socket, environment: ["XDG_CONFIG_HOME": first.configurationFolder.description])
    for interface in [first, second] { try interface.waitFor("The queue is empty.") }
    first.keys("7", "o")
    try first.waitFor("newest first")
    second.keys("0", "o")
    try second.waitFor("most played first")
    #expect(try first.configuration == "[Interface]\nTheme=light\n\n[Lists]\nFavoriteOrder=date\nHistoryOrder=plays\n")
    second.keys("7")
    try second.waitFor("newest first")
    first.keys("0")
    try first.waitFor("most played first")
  }

  @Test func aFileThatIsEditedAppliesAtOnce() throws {
    let interface = try InterfaceProcess(daemon.socket, configuration: "[Interface]\nTheme=light\n")
    try interface.waitFor("The queue is empty.")
    try interface.edit(configuration: "[Interface]\nTheme=dark\nLanguage=ru\nClock=maybe\n")
    try interface.waitFor("ui.conf:4: ")
    #expect(try interface.colors.contains("48;5;234m"))
    try interface.waitFor("Очередь пуста.")
    interface.keys("j")
    try interface.edit(configuration: "[Interface]\nLanguage=en\n")
    try interface.waitFor("The queue is empty.")
  }

  /// Programs that keep the files of a home folder elsewhere make links to them.
  @Test func aLinkThatIsSwitchedToAnotherFileAppliesAtOnce() throws {
    let folder = try TemporaryFolder()
    let files = try ["ru", "en"].map { try folder.write($0, Array("[Interface]\nLanguage=\($0)\n".utf8)) }
    let interface = try InterfaceProcess(daemon.socket, configuration: "[Interface]\nTheme=light\n")
    try interface.waitFor("The queue is empty.")
    for (file, text) in zip(
      files + files, ["Очередь пуста.", "The queue is empty.", "Очередь пуста.", "The queue is empty."])
    {
      try interface.link(configuration: file)
      try interface.waitFor(text)
    }
    // A change of the file itself is noticed, too.
    try SmallFile.replace(files[1], with: Array("[Interface]\nLanguage=ru\n".utf8))
    try interface.waitFor("Очередь пуста.")
  }

  @Test func errorsOfTheConfigurationAreNamed() throws {
    let interface = try InterfaceProcess(
      daemon.socket, columns: 200, configuration: "[Interface]\nTheme=blue\n[Keys]\nstop = F5\n")
    try interface.waitFor("segue/ui.conf:2: The value blue of Theme is unknown.")
    // The message is older than the connection to the daemon, without which nothing can be stopped.
    try interface.waitFor("The queue is empty.")
    interface.keys("F5")
    try interface.waitFor("Playback is already stopped.")
    interface.keys("q")
    #expect(try interface.isRestored())
    interface.keys("segue ui --check-config; echo code $?", "Enter")
    let lines = try interface.waitFor("code 1")
    #expect(lines.joined().contains("These values are possible: terminal, light, dark, catppuccin, "))
  }
}
