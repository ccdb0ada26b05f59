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
}
