import Glibc
import SegueAccounts
import SegueSQLite
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the database of the accounts that is damaged, changed by others, locked, or open to others.
@Suite struct AccountFilesTests {
  private let fixture: WebFixture

  init() throws { fixture = try WebFixture() }

  private func database() throws -> SQLiteConnection {
    try SQLiteConnection(path: fixture.database, busyTimeout: .seconds(5))
  }

  private func setMode(_ mode: mode_t, of path: FilePath) {
    #expect(path.withCString { chmod($0, mode) } == 0)
  }

  @Test func strangersLearnNothingAboutADatabaseThatCannotBeRead() throws {
    try Folder.create(fixture.folder)
    try SmallFile.write(Array(repeating: 0x41, count: 8192), to: fixture.database)
    for _ in 0..<3 {
      let response = try fixture.post("web.state")
      #expect(response.kind == "unavailable")
      #expect(response.json?["error"]?["message"]?.string == "the accounts cannot be read")
      #expect(!response.text.contains("/"), "\(response.text)")
    }
    let lines = fixture.log.split(separator: "\n").filter { $0.contains("\(fixture.database)") }
    #expect(lines.count == 1, "\(fixture.log)")
    #expect(try Folder.names(in: fixture.folder).count == 1, "it was neither renamed nor replaced")
    Folder.removeFile(fixture.database)
    #expect(try fixture.call("web.state")["registration"]?.string == "invitation", "as soon as it can be read")
  }

  @Test func aDatabaseWithWhatSegueDidNotMakeIsRefused() throws {
    _ = try fixture.register()
    try database().execute(
      "CREATE TRIGGER keep AFTER UPDATE OF role ON person BEGIN UPDATE person SET role = 'own' WHERE id = new.id; END")
    let outcome = try fixture.run(["role", "anna@example.com", "listen"])
    #expect(outcome.code == 1)
    #expect(outcome.errorText.contains("objects that Segue did not make"), "\(outcome.errorText)")
    #expect(try database().statement("SELECT role FROM person").map { $0.text(0) } == ["control"])
  }

  @Test func aTriggerThatAppearsLaterIsNotExecuted() throws {
    _ = try fixture.register()
    let accounts = try AccountDatabase(path: fixture.database)
    try database().execute(
      "CREATE TRIGGER keep AFTER UPDATE OF role ON person BEGIN UPDATE person SET role = 'own' WHERE id = new.id; END")
    #expect(try accounts.setRole(.listen, ofPerson: 1))
    #expect(try accounts.people().map(\.role) == [.listen])
  }

  @Test(arguments: [
    "CREATE VIEW more AS SELECT 1", "CREATE TABLE more (a)", "CREATE INDEX more ON person (phone)",
    "DROP INDEX device_person", "DROP TABLE ticket; CREATE TABLE ticket (token, kind, role, expires DEFAULT (1))",
  ])
  func everyOtherSchemaIsRefused(change: String) throws {
    try fixture.web("users")
    try database().execute(change)
    #expect(try fixture.run(["users"]).code == 1)
  }

  @Test func theFilesAreForTheOwnerOnlyWhateverTheyWereBefore() throws {
    _ = try fixture.register()
    setMode(0o755, of: fixture.folder)
    for name in try Folder.names(in: fixture.folder) {
      setMode(0o644, of: fixture.folder.appending(String(decoding: name, as: UTF8.self)))
    }
    try fixture.restart()
    #expect(try fixture.post("web.state").kind == nil)
    #expect(mode(of: fixture.folder) == 0o700)
    for name in try Folder.names(in: fixture.folder) {
      #expect(mode(of: fixture.folder.appending(String(decoding: name, as: UTF8.self))) == 0o600)
    }
  }

  @Test(arguments: [0o770, 0o707, 0o1777] as [mode_t]) func aFolderToWhichOthersMayWriteIsRefused(mode: mode_t) throws {
    try fixture.web("users")
    setMode(mode, of: fixture.folder)
    let outcome = try fixture.run(["users"])
    #expect(outcome.code == 1)
    #expect(outcome.errorText.contains("other users may write to the folder"), "\(outcome.errorText)")
    try fixture.restart()
    #expect(try fixture.post("web.state").kind == "unavailable")
    #expect(fixture.isRunning)
  }

  @Test func aLockedDatabaseSignsNobodyOut() throws {
    let browser = try fixture.register()
    let database = try database()
    try database.execute("UPDATE device SET used = used - 7200000000000")
    try database.execute("BEGIN IMMEDIATE")
    #expect(try fixture.post("status", as: browser).status == 200)
    try database.execute("ROLLBACK")
  }

  @Test func signingOutTakesTheCookieAlsoIfTheEntryCannotBeRemoved() throws {
    let browser = try fixture.register()
    let database = try database()
    try database.execute("BEGIN IMMEDIATE")
    let response = try fixture.post("web.signOut", as: browser)
    #expect(response.header("set-cookie")?.contains("Max-Age=0") == true)
    #expect(response.kind == "unavailable")
    #expect(response.json?["error"]?["message"]?.string?.contains("could not be removed") == true)
    try database.execute("ROLLBACK")
    #expect(try fixture.post("web.signOut", as: browser).kind == nil)
    let again = try fixture.post("web.signOut", as: browser)
    #expect(again.status == 401)
    #expect(again.header("set-cookie")?.contains("Max-Age=0") == true)
  }
}
