import Glibc
import SegueAccounts
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Stories of people with a real browser, Chromium, which `Browser/stories.py` tells.
@Suite(.timeLimit(.minutes(5))) struct BrowserTests {
  private let server: PulseServer
  private let fixture: WebFixture

  private let catalog: CatalogServer

  init() throws {
    server = try PulseServer([.null("test")])
    catalog = try CatalogServer()
    fixture = try WebFixture(pulse: server, catalog: catalog)
  }

  /// Tells a story. The values follow the address of the page.
  private func tell(_ story: String, _ values: String...) throws {
    let (code, text) = try ChildProcess.run(
      arguments(story, values), environment: environment, errors: true)
    #expect(code == 0, "\(text)")
  }

  private func arguments(_ story: String, _ values: [String]) -> [String] {
    let script = Repository.root.appending("Tests/WebTests/Browser/stories.py")
    return ["/usr/bin/python3", "-B", script.description, story, "http://\(fixture.host)/"] + values
  }

  /// The environment of the machine, with which a story executes commands there.
  private var environment: [String: String] {
    let own = [
      "TZ": "UTC", "SEGUE": "\(WorkerProcess.product("segue"))",
      "SEGUE_RECORD": Directories.environment("SEGUE_RECORD").map { "\($0)" } ?? "",
    ]
    return fixture.library.daemon.environment.merging(own) { $1 }
  }

  private func code(_ role: Role = .own) throws -> String { try fixture.ticket(.pairing, role) }

  /// Adds a file of the tests, or a text, to the music.
  private func addMusic(_ bytes: [UInt8], as path: String) throws {
    let path = fixture.library.music.appending(path)
    path.parent.withCString { _ = mkdir($0, 0o700) }
    try SmallFile.write(bytes, to: path)
  }

  /// Adds an audio book with chapters, and three albums.
  private func addAlbums() throws {
    try addMusic(AudioFile.read(Repository.fixture("Tags/chapters.m4a")), as: "Book/chapters.m4a")
    for song in LibraryClientFixture<DaemonProcess>.songs.dropLast() { try fixture.library.write(song) }
    // Old collections have names in other encodings than UTF-8.
    let folder = fixture.library.music.appending(Array("Fran".utf8) + [0xE7] + Array("ais".utf8))
    folder.withCString { _ = mkdir($0, 0o700) }
    try AudioFile.write(
      AudioFile.read(Repository.fixture("a.flac")),
      to: folder.appending(Array("caf".utf8) + [0xE9] + Array(".flac".utf8)))
  }

  @Test func aPhoneThatScansTheCodeIsSignedIn() throws {
    try tell("pairing", try code())
  }

  @Test func aGuestRegistersAndCorrectsEveryMistake() throws {
    try tell("registration", try fixture.ticket(.invitation, .control))
  }

  @Test func theQueueIsPlayedAndChanged() throws {
    try tell("queue", try code(.control))
  }

  @Test func severalRowsAreSelectedAtOnce() throws { try tell("several", try code()) }

  @Test func aLongListHasAHandleThatNamesThePlace() throws { try tell("long_list", try code()) }

  @Test func thePositionOnThePageIsThatOfTheSound() throws {
    try tell("position", try code(.control))
  }

  @Test func aPageSurvivesTheEndOfTheDaemon() throws {
    let folder = try TemporaryFolder()
    let story = try ChildProcess(
      arguments("restart", [try code(.control), "\(folder.path)"]), environment: environment)
    let daemon = fixture.library.daemon
    try waitUntil("the page is shown") { folder.path.appending("shown").exists }
    daemon.kill()
    try waitUntil("the page says so") { folder.path.appending("offline").exists }
    try daemon.start()
    #expect(story.wait() == 0)
  }

  @Test func thePlayerHasLyricsChaptersSpeedSleepTimerAndOutputs() throws {
    let lyrics = "[00:00.00]One\n[00:00.50]Two\n[00:01.50]Three\n[00:07.00]Four\n"
    try addMusic(Array(lyrics.utf8), as: "01 Before Dawn.lrc")
    try addMusic(AudioFile.read(Repository.fixture("Tags/chapters.m4a")), as: "Book/chapters.m4a")
    try tell("player", try code())
  }

  @Test func theVolumeFollowsTheFingerAndNeverJumps() throws { try tell("volume", try code(.control)) }

  @Test func everythingWorksWithAKeyboard() throws { try tell("keyboard", try code(.control)) }

  @Test func whoMayOnlyListenLearnsWhyNothingElseWorks() throws { try tell("listener", try code(.listen)) }

  @Test func theLibraryIsBrowsedAndPlayedFromEveryPlace() throws {
    try addAlbums()
    try tell("library", try code())
  }

  @Test func theLibraryIsSearchedWhileTyping() throws { try tell("search", try code()) }

  @Test func onlineCataloguesAreSearchedAndBrowsed() throws { try tell("online", try code()) }

  @Test func favoritesAreAGalleryInSeveralOrders() throws {
    try addAlbums()
    try tell("favorites", try code())
  }

  @Test func playlistsAreMadePlayedAndChanged() throws {
    try addAlbums()
    try tell("playlists", try code())
  }

  @Test func theHistoryShowsWhatWasPlayed() throws { try tell("history", try code()) }

  @Test func settingsAreChosenAndKept() throws { try tell("settings", try code()) }

  @Test func coversOfAllColoursLeaveTheTextReadable() throws { try tell("colours", try code()) }

  @Test func aTextOfTwiceTheSizeFitsOnAPhone() throws { try tell("zoomed", try code()) }

  @Test func thePageCanBeInstalled() throws { try tell("installable", try code()) }

  @Test func thePageWorksInFirefox() throws { try tell("firefox", try code()) }

  @Test func twoBrowsersAndTheCommandLineAgree() throws { try tell("crowd", try code(.control), try code(.control)) }

  @Test func twoBrowsersSeeWhatTheOtherOneChanges() throws {
    try tell("together", try code(), try code())
  }

  @Test func everyScreenIsAccessible() throws {
    try tell("accessible", try code())
  }

  @Test func everyScreenFitsInBothLanguagesSizesAndThemes() throws {
    try tell("screens", try code())
  }
}
