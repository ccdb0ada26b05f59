import SegueAccounts
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Stories of people with a real browser, Chromium, which `Browser/stories.py` tells.
@Suite(.timeLimit(.minutes(5))) struct BrowserTests {
  private let server: PulseServer
  private let fixture: WebFixture

  init() throws {
    server = try PulseServer([.null("test")])
    fixture = try WebFixture(pulse: server)
  }

  /// Tells a story. The values follow the address of the page.
  private func tell(_ story: String, _ values: String...) throws {
    let script = Repository.root.appending("Tests/WebTests/Browser/stories.py")
    let (code, text) = try ChildProcess.run(
      ["/usr/bin/python3", "-B", script.description, story, "http://\(fixture.host)/"] + values,
      environment: [
        "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "\(fixture.library.daemon.directory)/home", "LC_ALL": "C.UTF-8",
        "TZ": "UTC", "SEGUE_RECORD": Directories.environment("SEGUE_RECORD").map { "\($0)" } ?? "",
      ], errors: true)
    #expect(code == 0, "\(text)")
  }

  @Test func aPhoneThatScansTheCodeIsSignedIn() throws {
    try tell("pairing", try fixture.ticket(.pairing, .own))
  }

  @Test func aGuestRegistersAndCorrectsEveryMistake() throws {
    try tell("registration", try fixture.ticket(.invitation, .control))
  }

  @Test func theQueueIsPlayedAndChanged() throws {
    try tell("queue", try fixture.ticket(.pairing, .control))
  }

  @Test func thePositionOnThePageIsThatOfTheSound() throws {
    try tell("position", try fixture.ticket(.pairing, .control))
  }

  @Test func twoBrowsersSeeWhatTheOtherOneChanges() throws {
    try tell("together", try fixture.ticket(.pairing, .own), try fixture.ticket(.pairing, .own))
  }

  @Test func everyScreenIsAccessible() throws {
    try tell("accessible", try fixture.ticket(.pairing, .own))
  }

  @Test func everyScreenFitsInBothLanguagesSizesAndThemes() throws {
    try tell("screens", try fixture.ticket(.pairing, .own))
  }
}
