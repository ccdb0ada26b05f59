// Thread: the loop. Passwords are hashed on one thread, and the database is used on another.

internal import SegueSQLite
public import SegueSystem
public import SegueWire

/// The accounts as the gateway uses them: who has a token, who may sign in, and how often that may be tried.
@MainActor
public final class Accounts {
  public typealias Completion<Value> = @MainActor (Result<Value, Failure>) -> Void
  private typealias Work = @MainActor @Sendable () -> Void

  /// A browser that wants to sign in.
  public struct Browser: Sendable {
    /// The address of the client in bytes.
    public let address: [UInt8]
    /// The name, as the browser states it.
    public let name: String
    /// The token of the cookie that the browser sends. If it is that of a device, the browser has been that device.
    public let token: Token?

    public init(address: [UInt8], name: String, token: Token?) {
      self.address = address
      self.name = name
      self.token = token
    }
  }

  /// A browser that has signed in just now.
  public struct SignIn: Sendable {
    /// The token that the browser sends from now on.
    public let token: Token
    public let role: Role
    /// The device that the browser has been until now, which is removed; nil if there is none.
    public let former: Int64?
  }

  private let path: FilePath
  /// The database; nil as long as it cannot be opened.
  private let database = SerialThread<AccountDatabase?>(name: "accounts") { nil }
  private let passwords = SerialThread(name: "passwords") { () }
  private let mailbox: MessageQueue<@MainActor @Sendable () -> Void>
  private var delays = AttemptDelays()
  /// The last error of the database that was logged.
  private var loggedError: StoreError?
  /// The number of passwords that are hashed or wait for that.
  private var hashes = 0

  /// The number of passwords that may wait, each of which takes 0.2 s.
  private static let maximumHashes = 4

  public init(database path: FilePath, mailbox: MessageQueue<@MainActor @Sendable () -> Void>) {
    self.path = path
    self.mailbox = mailbox
  }

  // MARK: Devices

  /// Finds the device that has a token; nil if there is none.
  public func findDevice(_ token: Token, then: @escaping Completion<Device?>) {
    use({ database throws(StoreError) in try database.device(token) }, then: then)
  }

  /// Reads the devices of a person, or all of them.
  public func devices(of person: Int64?, then: @escaping Completion<[Device]>) {
    use({ database throws(StoreError) in try database.devices(of: person) }, then: then)
  }

  /// Signs out a device, which is one of `person` if that is given. The result says whether there was one.
  public func signOut(_ device: Int64, of person: Int64? = nil, then: @escaping Completion<Bool>) {
    use({ database throws(StoreError) in try database.removeDevice(device, of: person) }, then: then)
  }

  // MARK: Signing in

  /// Signs in a browser that shows the token of a QR code.
  public func pair(_ ticket: Token, by browser: Browser, then: @escaping Completion<SignIn>) {
    let subjects = [AttemptDelays.Subject(client: browser.address)]
    if let failure = refusal(of: subjects) { return then(.failure(failure)) }
    use { database throws(StoreError) in
      try database.pair(ticket, browser)
    } then: { [self] result in
      then(
        concluded(
          result, subjects, Failure(.denied, "the code is not valid any more: show a new one by `segue web pair`")))
    }
  }

  /// Signs in a browser with an e-mail address and a password. A wrong address takes as long as a wrong password, and
  /// has the same error.
  public func signIn(email: String, password: String, by browser: Browser, then: @escaping Completion<SignIn>) {
    let email = email.lowercased()
    let subjects = [AttemptDelays.Subject.account(email), AttemptDelays.Subject(client: browser.address)]
    if let failure = refusal(of: subjects) ?? refusalOfHash() { return then(.failure(failure)) }
    findPerson(email, password) { [self] found in
      guard case .success(let known?) = found else {
        return then(concluded(found.map { _ in nil }, subjects, Self.wrongPassword))
      }
      use { database throws(StoreError) in
        try database.addDevice(browser, of: known.person.id, verified: known.password)
      } then: { [self] in
        then(concluded($0, subjects, Self.wrongPassword))
      }
    }
  }

  private static let wrongPassword = Failure(.denied, "the e-mail address or the password is wrong")

  // MARK: Registration

  /// Why somebody could not register.
  public enum RegistrationError: Error {
    /// The fields whose values are not permitted.
    case fields([Registration.Field: LocalizableMessage])
    case failure(Failure)
  }

  public func policy(then: @escaping Completion<RegistrationPolicy>) {
    use({ database throws(StoreError) in try database.policy }, then: then)
  }

  /// Registers a person and signs in the browser.
  public func register(
    _ registration: Registration, invitation: Token?, on today: Day, by browser: Browser,
    then: @escaping @MainActor (Result<SignIn, RegistrationError>) -> Void
  ) {
    let subjects = [AttemptDelays.Subject(client: browser.address)]
    if let failure = refusal(of: subjects) ?? refusalOfHash() { return then(.failure(.failure(failure))) }
    let problems = registration.problems(on: today)
    guard problems.isEmpty else { return then(.failure(.fields(problems))) }
    hashes += 1
    use { database throws(StoreError) in
      try database.roleOfNew(invitation)
    } then: { [self] found in
      guard case .success(_?) = found else {
        hashes -= 1
        return then(concluded(found.map { _ in nil }, subjects, AccountDatabase.notInvited).mapError { .failure($0) })
      }
      hash {
        PasswordHash.make(registration.password)
      } then: { [self] hash in
        guard let hash else { return then(.failure(.failure(Failure(.unavailable, "there is not enough memory")))) }
        use { database throws(StoreError) in
          try database.register(registration, password: hash, invitation: invitation, browser: browser)
        } then: { result in
          then(result.flatMap(\.self).mapError { .failure($0) })
        }
      }
    }
  }

  // MARK: The account of a person

  /// Reads what is stored about a person; nil if there is no such person any more.
  public func person(_ id: Int64, then: @escaping Completion<Person?>) {
    use({ database throws(StoreError) in try database.person(id) }, then: then)
  }

  /// Changes a password, and signs out all devices of the person but `device`.
  public func changePassword(
    of person: Person, from old: String, to new: String, keeping device: Int64, then: @escaping Completion<Nothing>
  ) {
    if let problem = Registration.problem(ofPassword: new) { return then(.failure(Failure(.invalidParams, problem))) }
    confirm(person, old) { [self] confirmed in
      guard case .success(let verified) = confirmed else { return then(confirmed.map { _ in Nothing() }) }
      hashes += 1
      hash {
        PasswordHash.make(new)
      } then: { [self] hash in
        guard let hash else { return then(.failure(Failure(.unavailable, "there is not enough memory"))) }
        use { database throws(StoreError) in
          try database.setPassword(hash, ofPerson: person.id, replacing: verified, keeping: device)
        } then: {
          then(Self.applied($0))
        }
      }
    }
  }

  /// Removes a person, and signs out all devices.
  public func remove(_ person: Person, password: String, then: @escaping Completion<Nothing>) {
    confirm(person, password) { [self] confirmed in
      guard case .success(let verified) = confirmed else { return then(confirmed.map { _ in Nothing() }) }
      use { database throws(StoreError) in
        try database.removePerson(person.id, password: verified)
      } then: {
        then(Self.applied($0))
      }
    }
  }

  private static let notConfirmed = Failure(.denied, "the password is wrong")

  /// Returns the result of a change that is made only if the password is still the one that was confirmed.
  private static func applied(_ result: Result<Bool, Failure>) -> Result<Nothing, Failure> {
    result.flatMap { $0 ? .success(Nothing()) : .failure(notConfirmed) }
  }

  /// Returns the hash of the password of a person.
  private func confirm(_ person: Person, _ password: String, then: @escaping Completion<String>) {
    let subjects = [AttemptDelays.Subject.account(person.email)]
    if let failure = refusal(of: subjects) ?? refusalOfHash() { return then(.failure(failure)) }
    findPerson(person.email, password) { [self] found in
      then(concluded(found.map { $0?.password }, subjects, Self.notConfirmed))
    }
  }

  /// Finds the person with an address in lower case and a password; nil if one of them is wrong, after the same time.
  private func findPerson(
    _ email: String, _ password: String, then: @escaping Completion<AccountDatabase.KnownPerson?>
  ) {
    hashes += 1
    use { database throws(StoreError) in
      try database.person(email: email)
    } then: { [self] found in
      let known = try? found.get()
      hash {
        PasswordHash.verify(password, known?.password)
      } then: { isRight in
        then(found.map { isRight ? $0 : nil })
      }
    }
  }

  // MARK: Limits

  /// Returns why the subjects may not try now; nil if they may.
  private func refusal(of subjects: [AttemptDelays.Subject]) -> Failure? {
    delays.delay(for: subjects, at: .now).map { delay in
      let seconds = Int((delay.seconds).rounded(.up))
      return Failure(.rateLimited, "too many attempts have failed: try again in \(seconds) seconds", retryAfter: delay)
    }
  }

  private func refusalOfHash() -> Failure? {
    guard hashes >= Self.maximumHashes else { return nil }
    return Failure(.busy, "too many people sign in at the moment: try again")
  }

  /// Counts a success or a failure, which is a result without a value.
  private func concluded<Value>(
    _ result: Result<Value?, Failure>, _ subjects: [AttemptDelays.Subject], _ failure: Failure
  ) -> Result<Value, Failure> {
    result.flatMap { value in
      guard let value else {
        delays.fail(subjects, at: .now)
        return .failure(failure)
      }
      delays.succeed(subjects)
      return .success(value)
    }
  }

  // MARK: Threads

  /// Hashes on the thread for it. `hashes` has been incremented.
  private func hash<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value, then: @escaping @MainActor @Sendable (Value) -> Void
  ) {
    passwords.post { [mailbox] _ in
      let value = body()
      mailbox.post {
        self.hashes -= 1
        then(value)
      }
    }
  }

  /// Uses the database, which is opened when it is first used, and again as long as that fails. Strangers do not learn
  /// why it cannot be used.
  private func use<Value: Sendable>(
    _ body: @escaping @Sendable (AccountDatabase) throws(StoreError) -> Value, then: @escaping Completion<Value>
  ) {
    database.post { [mailbox, path] database in
      let result = Result { () throws(StoreError) -> Value in
        if let database { return try body(database) }
        let opened = try AccountDatabase(path: path)
        database = opened
        return try body(opened)
      }
      mailbox.post { [self] in
        then(
          result.mapError { error in
            log(error)
            return Self.unusable
          })
      }
    }
  }

  private static let unusable = Failure(.unavailable, "the accounts cannot be read")

  /// Logs an error of the database, unless it is the same one as before.
  private func log(_ error: StoreError) {
    guard error != loggedError else { return }
    loggedError = error
    Log.error("the accounts cannot be read or changed: \(error)")
  }
}
