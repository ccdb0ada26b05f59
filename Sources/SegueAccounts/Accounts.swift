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
    public let address: ClientAddress
    /// The name, as the browser states it.
    public let name: String
    /// The token of the cookie that the browser sends. If it is that of a device, the browser has been that device.
    public let token: Token?

    public init(address: ClientAddress, name: String, token: Token?) {
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
  private let passwords = PasswordQueue()
  private let mailbox: MessageQueue<@MainActor @Sendable () -> Void>
  /// The last error of the database that was logged.
  private var loggedError: StoreError?

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

  /// Signs in a browser that shows the token of a QR code. Nobody can guess one, so a valid one is accepted whatever
  /// has failed before: the owner can always sign in a browser.
  public func pair(_ ticket: Token, by browser: Browser, then: @escaping Completion<SignIn>) {
    let subjects = [AttemptDelays.Subject(browser.address)]
    use { database throws(StoreError) -> Result<SignIn, Failure> in
      if let signIn = try database.pair(ticket, browser) { return .success(signIn) }
      let delay = try database.delays.begin(subjects, at: .now)
      return .failure(delay.map(Self.refusal) ?? Self.invalidCode)
    } then: {
      then($0.flatMap(\.self))
    }
  }

  private nonisolated static let invalidCode = Failure(
    .denied, "the code is not valid any more: show a new one by `segue web pair`")

  /// Signs in a browser with an e-mail address and a password. A wrong address takes as long as a wrong password, and
  /// has the same error.
  public func signIn(email: String, password: String, by browser: Browser, then: @escaping Completion<SignIn>) {
    // Nobody is registered with a text that is no e-mail address.
    let email = Registration.emailAddress(email) ?? ""
    verify(password, of: email) { database throws(StoreError) in
      let address = AttemptDelays.Subject(browser.address)
      return try database.hasSignedIn(email, from: browser) ? [address] : [address, .account(email)]
    } then: { [self] found in
      switch found {
      case .failure(let failure): then(.failure(failure))
      case .success((_, nil)): then(.failure(Self.wrongPassword))
      case .success((_, let known?)):
        use { database throws(StoreError) in
          try database.addDevice(browser, of: known.person.id, verified: known.password)
        } then: {
          then($0.flatMap { $0.map(Result.success) ?? .failure(Self.wrongPassword) })
        }
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
    let problems = registration.problems(on: today)
    guard problems.isEmpty else { return then(.failure(.fields(problems))) }
    attempt(.registering) { _ in
      let network = browser.address.network
      return [.address(network), .registration(network)]
    } _: { database throws(StoreError) in
      try database.refusal(of: registration, invitation: invitation).map(Result.failure) ?? .success(Nothing())
    } then: { [self] begun in
      switch begun {
      case .failure(let failure): then(.failure(.failure(failure)))
      case .success((let place, _)):
        hash(place) {
          PasswordHash.make(registration.password)
        } then: { [self] hash in
          place.leave()
          guard let hash else { return then(.failure(.failure(Self.noMemory))) }
          use { database throws(StoreError) in
            try database.register(registration, password: hash, invitation: invitation, browser: browser)
          } then: { result in
            then(result.flatMap(\.self).mapError { .failure($0) })
          }
        }
      }
    }
  }

  private static let noMemory = Failure(.unavailable, "there is not enough memory")

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
    confirm(person, old, in: device) { [self] confirmed in
      switch confirmed {
      case .failure(let failure): then(.failure(failure))
      case .success((let place, let verified)):
        hash(place) {
          PasswordHash.make(new)
        } then: { [self] hash in
          guard let hash else { return then(.failure(Self.noMemory)) }
          use { database throws(StoreError) in
            try database.setPassword(hash, ofPerson: person.id, replacing: verified, keeping: device)
          } then: {
            then(Self.applied($0))
          }
        }
      }
    }
  }

  /// Removes a person, and signs out all devices. One of them, `device`, sends the password.
  public func remove(_ person: Person, password: String, in device: Int64, then: @escaping Completion<Nothing>) {
    confirm(person, password, in: device) { [self] confirmed in
      switch confirmed {
      case .failure(let failure): then(.failure(failure))
      case .success((_, let verified)):
        use { database throws(StoreError) in
          try database.removePerson(person.id, password: verified)
        } then: {
          then(Self.applied($0))
        }
      }
    }
  }

  private static let notConfirmed = Failure(.denied, "the password is wrong")

  /// Returns the result of a change that is made only if the password is still the one that was confirmed.
  private static func applied(_ result: Result<Bool, Failure>) -> Result<Nothing, Failure> {
    result.flatMap { $0 ? .success(Nothing()) : .failure(notConfirmed) }
  }

  /// Finds the hash of the password of a person, which a device sends. Each device has delays of its own: neither those
  /// who try to sign in nor another device keep a person from changing the password.
  private func confirm(
    _ person: Person, _ password: String, in device: Int64,
    then: @escaping Completion<(place: PasswordQueue.Place, password: String)>
  ) {
    verify(password, of: person.email) {
      _ in
      [.device(device)]
    } then: { found in
      then(
        found.flatMap { place, known in
          known.map { .success((place, $0.password)) } ?? .failure(Self.notConfirmed)
        })
    }
  }

  /// Finds the person with an address in lower case and a password; nil if one of them is wrong, after the same time.
  private func verify(
    _ password: String, of email: String, _ subjects: @escaping Subjects,
    then: @escaping Completion<(place: PasswordQueue.Place, known: AccountDatabase.KnownPerson?)>
  ) {
    attempt(.signingIn, subjects) { database throws(StoreError) in
      .success(try database.person(email: email))
    } then: { [self] begun in
      switch begun {
      case .failure(let failure): then(.failure(failure))
      case .success((let place, let known)):
        hash(place) {
          PasswordHash.verify(password, known?.password)
        } then: { isRight in
          then(.success((place, isRight ? known : nil)))
        }
      }
    }
  }

  // MARK: Attempts

  private typealias Subjects = @Sendable (AccountDatabase) throws(StoreError) -> [AttemptDelays.Subject]

  /// Stores an attempt, which counts as a failure until it has succeeded, and then calls `body`. Fails if the subjects
  /// have to wait, or if there is no place among the passwords that are hashed. Then nothing is stored.
  private func attempt<Value: Sendable>(
    _ purpose: PasswordQueue.Purpose, _ subjects: @escaping Subjects,
    _ body: @escaping @Sendable (AccountDatabase) throws(StoreError) -> Result<Value, Failure>,
    then: @escaping Completion<(place: PasswordQueue.Place, value: Value)>
  ) {
    use { [passwords] database throws(StoreError) -> Result<(place: PasswordQueue.Place, value: Value), Failure> in
      let (subjects, now) = (try subjects(database), UnixTime.now)
      if let delay = try database.delays.delay(for: subjects, at: now) { return .failure(Self.refusal(delay)) }
      guard let place = passwords.enter(purpose) else { return .failure(Self.busy) }
      if let delay = try database.delays.begin(subjects, at: now) { return .failure(Self.refusal(delay)) }
      return try body(database).map { (place, $0) }
    } then: {
      then($0.flatMap(\.self))
    }
  }

  private nonisolated static func refusal(_ delay: MediaTime) -> Failure {
    let seconds = Int(delay.seconds.rounded(.up))
    return Failure(.rateLimited, "too many attempts: try again in \(seconds) seconds", retryAfter: delay)
  }

  private nonisolated static let busy = Failure(
    .busy, "too many people sign in or register at the moment: try again")

  // MARK: Threads

  /// Hashes on the thread for it.
  private func hash<Value: Sendable>(
    _ place: PasswordQueue.Place, _ body: @escaping @Sendable () -> Value,
    then: @escaping @MainActor @Sendable (Value) -> Void
  ) {
    passwords.post { [mailbox] in
      let value = withExtendedLifetime(place, body)
      mailbox.post { then(value) }
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
