import SegueSQLite
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueAccounts

/// Tests of the numbers of people and devices, and of files that earlier versions wrote.
@Suite struct AccountNumbersTests {
  private let folder: TemporaryFolder
  private var path: FilePath { folder.path.appending("accounts.db") }

  private static let browser = Accounts.Browser(
    address: ClientAddress(bytes: [192, 0, 2, 1]), name: "Firefox on Linux", token: nil)

  init() throws { folder = try TemporaryFolder() }

  private func register(_ email: String, in database: AccountDatabase) throws -> Person {
    let registration = Registration(
      firstName: "Anna", lastName: "Smith", birthDate: "1990-02-28", phone: "+375 (29) 123-45-67", email: email,
      password: "Secret1")
    _ = try database.register(registration, password: "hash", invitation: nil, browser: Self.browser).get()
    return try #require(try database.people().first { $0.email == email })
  }

  private func pair(in database: AccountDatabase) throws -> Device {
    let ticket = try database.addTicket(.pairing, role: .own)
    let signIn = try #require(try database.pair(ticket, Self.browser))
    return try #require(try database.device(signIn.token))
  }

  @Test func theNumberOfADeviceThatWasSignedOutIsNotUsedAgain() throws {
    let database = try AccountDatabase(path: path)
    let former = try pair(in: database)
    #expect(try database.removeDevice(former.id))
    #expect(try pair(in: database).id != former.id)
    #expect(try !database.removeDevice(former.id))
  }

  @Test func theNumberOfAPersonWhoWasRemovedIsNotUsedAgain() throws {
    let database = try AccountDatabase(path: path)
    try database.setPolicy(.open)
    let former = try register("anna@example.com", in: database)
    #expect(try database.removePerson(former.id))
    let other = try register("eve@example.com", in: database)
    #expect(other.id != former.id)
    #expect(try !database.setRole(.own, ofPerson: former.id))
    #expect(try database.people() == [other])
  }

  @Test(arguments: 1..<AccountSchema.migrations.steps.count)
  func aPersonWhoIsSignedInStaysSignedInAfterAMigration(steps: Int) throws {
    let token = Token()
    let now = UnixTime.now.nanoseconds
    do {
      let former = try SQLiteConnection(path: path, busyTimeout: .zero)
      try SchemaMigrations(steps: Array(AccountSchema.migrations.steps.prefix(steps))).migrate(former)
      try former.execute(
        """
        INSERT INTO person (id, email, password, first_name, last_name, birth_date, phone, role, registered)
          VALUES (7, 'anna@example.com', 'hash', 'Anna', 'Smith', '1990-02-28', '+375291234567', 'control', 1);
        INSERT INTO setting (key, value) VALUES ('registration', 'open');
        """)
      for (id, person, role) in [(3, 7, nil), (9, nil, "own")] as [(Int64, Int64?, String?)] {
        try former.statement(
          "INSERT INTO device (id, token, person, name, role, added, used) VALUES (?, ?, ?, 'Firefox', ?, ?, ?)", id,
          person == nil ? token.hash : [1], person, role, now, now
        ).run()
      }
      if steps > 1 {
        try former.statement(
          "INSERT INTO place (person, address, used) VALUES (7, ?, ?)", Self.browser.address.network, now
        ).run()
      }
    }
    let database = try AccountDatabase(path: path)
    #expect(try database.people().map(\.id) == [7])
    #expect(try database.person(7)?.email == "anna@example.com")
    #expect(try database.policy == .open)
    #expect(try database.devices().map(\.id).sorted() == [3, 9])
    #expect(try database.devices(of: 7).map(\.role) == [.control])
    let paired = try #require(try database.device(token))
    #expect(paired.id == 9 && paired.role == .own)
    #expect(try database.hasSignedIn("anna@example.com", from: Self.browser) == (steps > 1))
    #expect(try database.removeDevice(9))
    #expect(try pair(in: database).id == 10)
    #expect(try database.removePerson(7))
    #expect(try database.devices().map(\.id) == [10], "those of a person are removed with the person")
    #expect(try register("eve@example.com", in: database).id == 8)
    // It is read again.
    #expect(try AccountDatabase(path: path).people().map(\.id) == [8])
  }
}
