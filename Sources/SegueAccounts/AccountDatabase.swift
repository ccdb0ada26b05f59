// Thread: the creator's.

internal import Glibc
public import SegueSQLite
public import SegueSystem
public import SegueWire

/// A person who has registered.
public struct Person: Equatable, Sendable {
  public let id: Int64
  public let firstName: String
  public let lastName: String
  /// The date of birth as `YYYY-MM-DD`.
  public let birthDate: String
  public let phone: String
  public let email: String
  public let role: Role
  public let registered: UnixTime
}

/// A browser that is signed in.
public struct Device: Equatable, Sendable {
  public let id: Int64
  /// The person who signed in; nil for a browser that was paired with a QR code.
  public let person: Int64?
  /// The name of the browser, as it states it, such as "Firefox on Android".
  public let name: String
  public let role: Role
  public let added: UnixTime
  /// The time of the last use, to the hour.
  public let used: UnixTime
}

/// The rule that says who may register.
public enum RegistrationPolicy: String, CaseIterable, Sendable {
  /// A person with an invitation may register.
  case invitation
  /// Everybody who reaches the page may register. The role is `control`.
  case open
  case closed
}

/// The database of the accounts, to which only the user has access. The gateway and `segue web` may use it at the same
/// time.
public final class AccountDatabase {
  private let connection: SQLiteConnection
  let delays: AttemptDelays

  /// The number of people, of the devices of each, and of those that were paired.
  private static let maximumPeople = 1_000
  private static let maximumDevices = 32
  private static let maximumPaired = 100
  /// The number of addresses of a person that are remembered.
  private static let maximumPlaces = 8
  /// The number of tickets that are valid at the same time.
  private static let maximumTickets = 100
  /// The time without use after which a device has to sign in again.
  public static let deviceLifetime = MediaTime.seconds(30 * 86_400)
  /// The accuracy of the time of the last use, so that reading seldom writes.
  private static let useAccuracy = MediaTime.seconds(3600)

  /// The time to wait for another process.
  private static let busyTimeout = MediaTime.seconds(5)

  /// The folder of the database, with nothing else in it, and the database.
  public static var folder: FilePath { Directories.state.appending("segue/web") }
  public static var path: FilePath { folder.appending("accounts.db") }

  /// Opens the database, or makes it. Throws an error if others may write to its folder, and if the file has other
  /// tables, triggers or views than Segue makes.
  public init(path: FilePath) throws(StoreError) {
    try PrivateFiles.prepare(path)
    connection = try SQLiteConnection(path: path, busyTimeout: Self.busyTimeout)
    delays = AttemptDelays(connection)
    // An attacker who controls the gateway can write to the file, which `segue web` opens without a sandbox.
    try connection.distrustSchema()
    try Self.enableLog(connection)
    try connection.execute("PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON")
    try AccountSchema.migrations.check(connection)
    try AccountSchema.migrations.checkObjects(connection)
    try AccountSchema.migrations.migrate(connection)
  }

  /// Enables the log, which the file remembers. If processes do that to a new file at the same time, SQLite returns
  /// an error at once to all but one of them instead of waiting.
  private static func enableLog(_ connection: SQLiteConnection) throws(StoreError) {
    let end = MonotonicTime.now + busyTimeout
    while true {
      do throws(StoreError) {
        return try connection.execute("PRAGMA journal_mode = WAL")
      } catch {
        guard error.kind == .busy, MonotonicTime.now < end else { throw error }
        usleep(5_000)
      }
    }
  }

  // MARK: People

  /// Returns the role of a person who registers; nil if the person may not.
  private func roleOfNew(_ invitation: Token?) throws(StoreError) -> Role? {
    switch try policy {
    case .closed: nil
    case .open:
      try invitation.flatMap { invitation throws(StoreError) in try ticket(invitation, .invitation) } ?? .control
    case .invitation: try invitation.flatMap { invitation throws(StoreError) in try ticket(invitation, .invitation) }
    }
  }

  private static let notInvited = Failure(.denied, "to register, you need an invitation that is still valid")

  /// Returns why a person may not register, as far as the password does not matter; nil if the person may. Without an
  /// invitation that is valid, nobody learns more than that.
  func refusal(of registration: Registration, invitation: Token?) throws(StoreError) -> Failure? {
    guard try roleOfNew(invitation) != nil else { return Self.notInvited }
    guard try connection.integer("SELECT count(*) FROM person") < Self.maximumPeople else {
      return Failure(.tooLarge, "\(Self.maximumPeople) people have registered, and no more can")
    }
    let email = Registration.emailAddress(registration.email) ?? ""
    guard try connection.integer("SELECT count(*) FROM person WHERE email = ?", email) == 0 else {
      return Failure(.exists, "somebody has registered with this e-mail address")
    }
    return nil
  }

  /// Adds a person, whose values are valid, and signs in the browser. `password` is the hash. The invitation is used
  /// up. Fails if the person may not register any more.
  func register(
    _ registration: Registration, password: String, invitation: Token?, browser: Accounts.Browser
  ) throws(StoreError) -> Result<Accounts.SignIn, Failure> {
    try connection.transaction { () throws(StoreError) -> Result<Accounts.SignIn, Failure> in
      if let refusal = try refusal(of: registration, invitation: invitation) { return .failure(refusal) }
      guard let role = try roleOfNew(invitation) else { return .failure(Self.notInvited) }
      if let invitation { try removeTicket(invitation) }
      try connection.statement(
        """
        INSERT INTO person (email, password, first_name, last_name, birth_date, phone, role, registered)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """, Registration.emailAddress(registration.email), password, registration.firstName, registration.lastName,
        registration.birthDate,
        Registration.phoneNumber(registration.phone) ?? "", role.rawValue, UnixTime.now.nanoseconds
      ).run()
      let person = connection.lastInsertedID
      try delays.succeed([AttemptDelays.Subject(browser.address)])
      try rememberPlace(browser, of: person)
      return .success(try insertDevice(browser, of: person, role: role))
    }
  }

  private static let personColumns = "id, first_name, last_name, birth_date, phone, email, role, registered"

  public func person(_ id: Int64) throws(StoreError) -> Person? {
    try connection.statement("SELECT \(Self.personColumns) FROM person WHERE id = ?", id).first(Self.person)
  }

  public func people() throws(StoreError) -> [Person] {
    try connection.statement("SELECT \(Self.personColumns) FROM person ORDER BY registered").map(Self.person)
  }

  /// A person, and the hash of the password.
  typealias KnownPerson = (person: Person, password: String)

  /// Returns the person with an address in lower case, and the hash of the password; nil if there is none.
  func person(email: String) throws(StoreError) -> KnownPerson? {
    try connection.statement("SELECT \(Self.personColumns), password FROM person WHERE email = ?", email).first {
      (Self.person($0), $0.text(8) ?? "")
    }
  }

  private static func person(_ row: SQLiteStatement) -> Person {
    Person(
      id: row.integer(0) ?? 0, firstName: row.text(1) ?? "", lastName: row.text(2) ?? "", birthDate: row.text(3) ?? "",
      phone: row.text(4) ?? "", email: row.text(5) ?? "", role: row.text(6).flatMap(Role.init) ?? .listen,
      registered: UnixTime(nanoseconds: row.integer(7) ?? 0))
  }

  /// Changes the role of a person and with it that of all devices of the person. Returns false if there is no such
  /// person.
  public func setRole(_ role: Role, ofPerson id: Int64) throws(StoreError) -> Bool {
    try connection.statement("UPDATE person SET role = ? WHERE id = ?", role.rawValue, id).run()
    return connection.changedRowCount == 1
  }

  /// Stores the hash of another password in place of `old`, and signs out all devices of the person but `device`.
  /// Returns false if the person does not have the hash `old` any more.
  func setPassword(
    _ hash: String, ofPerson id: Int64, replacing old: String, keeping device: Int64
  ) throws(StoreError) -> Bool {
    try connection.transaction { () throws(StoreError) in
      try connection.statement("UPDATE person SET password = ? WHERE id = ? AND password = ?", hash, id, old).run()
      guard connection.changedRowCount == 1 else { return false }
      try connection.statement("DELETE FROM device WHERE person = ? AND id <> ?", id, device).run()
      try delays.succeed([.device(device)])
      return true
    }
  }

  /// Removes a person with everything that is stored about the person, and signs out the devices. Returns false if
  /// there is no such person, or if the person does not have the hash `password`, if that is given.
  public func removePerson(_ id: Int64, password: String? = nil) throws(StoreError) -> Bool {
    try connection.transaction { () throws(StoreError) in
      guard let email = try person(id)?.email else { return false }
      try connection.statement("DELETE FROM person WHERE id = ?1 AND (?2 IS NULL OR password = ?2)", id, password).run()
      guard connection.changedRowCount == 1 else { return false }
      try delays.succeed([.account(email)])
      return true
    }
  }

  // MARK: Devices

  /// Signs in a browser of a person, whose password has the hash `verified`. Returns nil if the person has another
  /// password meanwhile, or does not exist any more.
  func addDevice(
    _ browser: Accounts.Browser, of person: Int64, verified: String
  ) throws(StoreError) -> Accounts.SignIn? {
    try connection.transaction { () throws(StoreError) -> Accounts.SignIn? in
      guard try connection.integer("SELECT count(*) FROM person WHERE id = ? AND password = ?", person, verified) == 1,
        let (email, role) = try self.person(person).map({ ($0.email, $0.role) })
      else { return nil }
      try delays.succeed([AttemptDelays.Subject(browser.address), .account(email)])
      try rememberPlace(browser, of: person)
      return try insertDevice(browser, of: person, role: role)
    }
  }

  /// Signs in a browser without a person by the token of a QR code, which is used up. Returns nil if that is not valid.
  func pair(_ ticket: Token, _ browser: Accounts.Browser) throws(StoreError) -> Accounts.SignIn? {
    guard try self.ticket(ticket, .pairing) != nil else { return nil }
    return try connection.transaction { () throws(StoreError) -> Accounts.SignIn? in
      // Another process may have used it since.
      guard let role = try self.ticket(ticket, .pairing) else { return nil }
      try removeTicket(ticket)
      return try insertDevice(browser, of: nil, role: role)
    }
  }

  /// Adds a browser, in place of the device that it has been until now. If the person has too many devices, the one
  /// that was not used for the longest time is signed out; without a person, that is one of those that were paired. So
  /// nobody signs out the browsers of others. Paired ones are not refused, because only the owner can pair: whoever
  /// holds the phone could do nothing about an error.
  private func insertDevice(
    _ browser: Accounts.Browser, of person: Int64?, role: Role
  ) throws(StoreError) -> Accounts.SignIn {
    let token = Token()
    let now = UnixTime.now.nanoseconds
    let former = try browser.token.flatMap { token throws(StoreError) in
      try connection.statement("SELECT id FROM device WHERE token = ?", token.hash).first { $0.integer(0) }
    }
    try connection.statement(
      "INSERT INTO device (token, person, name, role, added, used) VALUES (?, ?, ?, ?, ?, ?)", token.hash, person,
      browser.name, person == nil ? role.rawValue : nil, now, now
    ).run()
    let id = connection.lastInsertedID
    if let former { _ = try removeDevice(former) }
    try connection.statement(
      """
      DELETE FROM device WHERE id IN (
        SELECT id FROM device WHERE person IS ? AND id <> ? ORDER BY used DESC, id DESC LIMIT -1 OFFSET ?
      )
      """, person, id, (person == nil ? Self.maximumPaired : Self.maximumDevices) - 1
    ).run()
    return Accounts.SignIn(token: token, role: role, former: former)
  }

  private static let deviceColumns = """
    device.id, person, name, coalesce(person.role, device.role), added, used
    FROM device LEFT JOIN person ON person.id = device.person
    """

  /// Returns the device that has a token, and notes its use; nil if there is none or if it was not used for too long.
  func device(_ token: Token) throws(StoreError) -> Device? {
    let found = try connection.statement("SELECT \(Self.deviceColumns) WHERE token = ?", token.hash).first(Self.device)
    guard let found else { return nil }
    let now = UnixTime.now
    // A full disk keeps nobody out: what cannot be written now is written at one of the next uses.
    guard now - found.used < Self.deviceLifetime else {
      _ = try? removeDevice(found.id)
      return nil
    }
    if now - found.used > Self.useAccuracy {
      try? connection.statement("UPDATE device SET used = ? WHERE id = ?", now.nanoseconds, found.id).run()
    }
    return found
  }

  /// Returns all devices, or those of a person.
  public func devices(of person: Int64? = nil) throws(StoreError) -> [Device] {
    try connection.statement(
      "SELECT \(Self.deviceColumns) WHERE ?1 IS NULL OR person = ?1 ORDER BY used DESC, device.id DESC", person
    ).map(Self.device)
  }

  private static func device(_ row: SQLiteStatement) -> Device {
    Device(
      id: row.integer(0) ?? 0, person: row.integer(1), name: row.text(2) ?? "",
      role: row.text(3).flatMap(Role.init) ?? .listen, added: UnixTime(nanoseconds: row.integer(4) ?? 0),
      used: UnixTime(nanoseconds: row.integer(5) ?? 0))
  }

  /// Signs out a device. Returns false if there is no such device, or if it is not one of `person`.
  public func removeDevice(_ id: Int64, of person: Int64? = nil) throws(StoreError) -> Bool {
    try connection.statement("DELETE FROM device WHERE id = ?1 AND (?2 IS NULL OR person = ?2)", id, person).run()
    return connection.changedRowCount == 1
  }

  // MARK: Addresses

  /// Whether the person with an e-mail address has signed in from the address of a browser.
  func hasSignedIn(_ email: String, from browser: Accounts.Browser) throws(StoreError) -> Bool {
    try connection.integer(
      "SELECT count(*) FROM place JOIN person ON person.id = place.person WHERE email = ? AND address = ? AND used > ?",
      email, browser.address.network, (UnixTime.now - Self.deviceLifetime).nanoseconds) > 0
  }

  /// Remembers the address of a browser that a person signs in, in place of the one that was not used for the longest
  /// time if there are too many, and for as long as devices without use.
  private func rememberPlace(_ browser: Accounts.Browser, of person: Int64) throws(StoreError) {
    let now = UnixTime.now
    try connection.statement(
      "INSERT OR REPLACE INTO place (person, address, used) VALUES (?, ?, ?)", person,
      browser.address.network, now.nanoseconds
    ).run()
    try connection.statement(
      """
      DELETE FROM place WHERE used <= ?3 OR person = ?1 AND address IN (
        SELECT address FROM place WHERE person = ?1 ORDER BY used DESC LIMIT -1 OFFSET ?2
      )
      """, person, Self.maximumPlaces, (now - Self.deviceLifetime).nanoseconds
    ).run()
  }

  // MARK: Invitations and QR codes

  /// The action for which a ticket can be used once.
  public enum TicketKind: String, Sendable {
    /// A person registers.
    case invitation
    /// A browser is signed in without a person.
    case pairing

    public var lifetime: MediaTime {
      switch self {
      case .invitation: .seconds(7 * 86_400)
      case .pairing: .seconds(5 * 60)
      }
    }
  }

  /// Makes a token with which one browser gets a role.
  public func addTicket(_ kind: TicketKind, role: Role) throws(StoreError) -> Token {
    let token = Token()
    let now = UnixTime.now
    try connection.transaction { () throws(StoreError) in
      try connection.statement("DELETE FROM ticket WHERE expires <= ?", now.nanoseconds).run()
      try connection.statement(
        "DELETE FROM ticket WHERE token IN (SELECT token FROM ticket ORDER BY expires DESC LIMIT -1 OFFSET ?)",
        Self.maximumTickets - 1
      ).run()
      try connection.statement(
        "INSERT INTO ticket (token, kind, role, expires) VALUES (?, ?, ?, ?)", token.hash, kind.rawValue,
        role.rawValue, (now + kind.lifetime).nanoseconds
      ).run()
    }
    return token
  }

  /// Returns the role that a token gives; nil if it is not valid.
  func ticket(_ token: Token, _ kind: TicketKind) throws(StoreError) -> Role? {
    try connection.statement(
      "SELECT role FROM ticket WHERE token = ? AND kind = ? AND expires > ?", token.hash, kind.rawValue,
      UnixTime.now.nanoseconds
    ).first { $0.text(0).flatMap(Role.init) }
  }

  private func removeTicket(_ token: Token) throws(StoreError) {
    try connection.statement("DELETE FROM ticket WHERE token = ?", token.hash).run()
  }

  // MARK: Settings

  public var policy: RegistrationPolicy {
    get throws(StoreError) {
      let text = try connection.statement("SELECT value FROM setting WHERE key = 'registration'").first { $0.text(0) }
      return text.flatMap(RegistrationPolicy.init) ?? .invitation
    }
  }

  public func setPolicy(_ policy: RegistrationPolicy) throws(StoreError) {
    try connection.statement(
      "INSERT OR REPLACE INTO setting (key, value) VALUES ('registration', ?)", policy.rawValue
    ).run()
  }
}
