// Thread: the creator's.

public import SegueSQLite
public import SegueSystem

/// The times at which passwords and tokens may be tried again after failures. They are stored in the database of the
/// accounts, so that they hold for every process, also for one that was started again.
///
/// An attempt is stored as a failure before it is made, and taken back if it succeeds: attempts at the same time count,
/// and an attempt that cannot be stored, because the disk is full, is not made. From the fifth failure of a subject on,
/// each one doubles a delay, from one second to a maximum; and for every time of that length, one failure is forgotten.
/// So a subject has as many attempts a day as there are delays of the maximum in it, and the first ones in addition:
///
/// - An address has 96 a day, and 15. The maximum delay is 15 minutes.
/// - An account has 1,440 a day, and 11, from all addresses together. The maximum delay is one minute: strangers can
///   keep a person waiting, but not locked out. Where the person has signed in before, up to eight addresses, only the
///   delays of the address hold, so that guesses from elsewhere do not matter there.
///
/// So at most 1,440 + 8 × 96 = 2,208 passwords a day, and 131, can be tried for an account.
public struct AttemptDelays {
  /// The subject of the failures.
  public enum Subject: Hashable, Sendable {
    /// An e-mail address in lower case, whether or not somebody has registered with it; empty for everything that is no
    /// e-mail address.
    case account(String)
    /// The network of a client (`ClientAddress.network`).
    case address([UInt8])
    /// A browser in which a person confirms the password.
    case device(Int64)
    /// The network of a client that registers a person, which counts also if it succeeds.
    case registration([UInt8])

    /// The subject for the address of a client.
    public init(_ client: ClientAddress) { self = .address(client.network) }

    /// The kind of the subject, as it is stored.
    fileprivate var kind: Int {
      switch self {
      case .account: 0
      case .address: 1
      case .device: 2
      case .registration: 3
      }
    }

    /// The subject in 32 bytes, whatever strangers have sent as an e-mail address.
    fileprivate var key: [UInt8] {
      let value =
        switch self {
        case .account(let email): Array(email.utf8)
        case .address(let bytes), .registration(let bytes): bytes
        case .device(let id): Array("\(id)".utf8)
        }
      return Digest.sha256(Array("\(kind):".utf8) + value)
    }

    fileprivate var maximumDelay: MediaTime {
      switch self {
      case .account: .seconds(60)
      case .address, .device, .registration: .seconds(15 * 60)
      }
    }
  }

  /// The table, as a part of the migrations. `last` is the time of the last attempt, and `forgotten` that at which no
  /// failure is left: each failure moves it by the maximum delay.
  public static let schema = """
    CREATE TABLE attempt (
      subject BLOB PRIMARY KEY, kind INTEGER NOT NULL, last INTEGER NOT NULL, forgotten INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX attempt_forgotten ON attempt (kind, forgotten);
    """

  private let connection: SQLiteConnection

  private static let permitted = 4
  /// The number of subjects of a kind that are remembered. Each takes about 100 bytes of the file with its index, so
  /// all take at most 4 MB. No subject is kept in memory.
  private static let maximumSubjects = 10_000

  /// Uses the table of a database.
  public init(_ connection: SQLiteConnection) { self.connection = connection }

  // MARK: The delay

  /// Returns the time until the subjects may try again; nil if they may now.
  public func delay(for subjects: [Subject], at now: UnixTime) throws(StoreError) -> MediaTime? {
    var longest: MediaTime?
    for subject in subjects {
      guard let failures = try failures(of: subject, at: now), failures.count > Self.permitted else { continue }
      let end = failures.last + Self.delay(after: failures.count, of: subject)
      if end > now { longest = max(longest ?? .zero, end - now) }
    }
    return longest
  }

  private static func delay(after count: Int, of subject: Subject) -> MediaTime {
    min(.seconds(1 << (count - permitted - 1)), subject.maximumDelay)
  }

  /// The number of failures after which the delay is the longest one. More are not counted.
  private static func maximumCount(of subject: Subject) -> Int {
    let seconds = Int(subject.maximumDelay.seconds)
    return permitted + 1 + Int.bitWidth - (seconds - 1).leadingZeroBitCount
  }

  private struct Failures {
    var count: Int
    var last: UnixTime
    var forgotten: UnixTime
  }

  /// Returns the failures of a subject that are not forgotten yet; nil if there are none.
  private func failures(of subject: Subject, at now: UnixTime) throws(StoreError) -> Failures? {
    let (length, maximum) = (subject.maximumDelay, Self.maximumCount(of: subject))
    let found = try connection.statement("SELECT last, forgotten FROM attempt WHERE subject = ?", subject.key).first {
      (UnixTime(nanoseconds: $0.integer(0) ?? 0), UnixTime(nanoseconds: $0.integer(1) ?? 0))
    }
    guard var (last, forgotten) = found else { return nil }
    if last > now {
      // The clock was set back: the delay begins anew, instead of ending when the clock shows that time again.
      (last, forgotten) = (now, now + min(forgotten - last, length * maximum))
      try store(subject, last: last, forgotten: forgotten)
    }
    guard forgotten > now else { return nil }
    let count = min(Int(((forgotten - now).nanoseconds - 1) / length.nanoseconds) + 1, maximum)
    return Failures(count: count, last: last, forgotten: forgotten)
  }

  // MARK: Attempts

  /// Stores an attempt as a failure. Returns the time until the subjects may try; nil if they may now.
  public func begin(_ subjects: [Subject], at now: UnixTime) throws(StoreError) -> MediaTime? {
    try connection.transaction { () throws(StoreError) in
      // Another process may have stored one since the caller has asked.
      if let delay = try delay(for: subjects, at: now) { return delay }
      try fail(subjects, at: now)
      return nil
    }
  }

  /// Counts a failure of each subject. The caller has begun a transaction if there are several.
  public func fail(_ subjects: [Subject], at now: UnixTime) throws(StoreError) {
    for subject in subjects {
      let length = subject.maximumDelay
      let known = try failures(of: subject, at: now)
      let count = min((known?.count ?? 0) + 1, Self.maximumCount(of: subject))
      // A part of the time for the next one to be forgotten may have passed.
      let forgotten = min((known?.forgotten ?? now) + length, now + length * count)
      try store(subject, last: now, forgotten: forgotten)
      if known == nil { try removeExcess(of: subject.kind, at: now) }
    }
  }

  /// Takes back the failure that an attempt was stored as, and forgets all failures of an account. The caller has begun
  /// a transaction if there are several.
  public func succeed(_ subjects: [Subject]) throws(StoreError) {
    for subject in subjects {
      switch subject {
      case .account: try connection.statement("DELETE FROM attempt WHERE subject = ?", subject.key).run()
      case .address, .device:
        // An attacker with an account could otherwise reset the delay of an address by signing in between guesses.
        try connection.statement(
          "UPDATE attempt SET forgotten = forgotten - ? WHERE subject = ?", subject.maximumDelay.nanoseconds,
          subject.key
        ).run()
      case .registration: break
      }
    }
  }

  private func store(_ subject: Subject, last: UnixTime, forgotten: UnixTime) throws(StoreError) {
    try connection.statement(
      "INSERT OR REPLACE INTO attempt (subject, kind, last, forgotten) VALUES (?, ?, ?, ?)", subject.key, subject.kind,
      last.nanoseconds, forgotten.nanoseconds
    ).run()
  }

  /// Removes what is forgotten, and, if that is not enough, the subjects of a kind that have failed least recently, a
  /// tenth at once, so that this is seldom done. The failures of an account are removed only after attempts at 9,000
  /// other ones, whose passwords are all hashed: that takes as long as the account needs to forget them itself.
  private func removeExcess(of kind: Int, at now: UnixTime) throws(StoreError) {
    try connection.statement("DELETE FROM attempt WHERE kind IN (0, 1, 2, 3) AND forgotten <= ?", now.nanoseconds).run()
    guard try connection.integer("SELECT count(*) FROM attempt WHERE kind = ?", kind) > Self.maximumSubjects else {
      return
    }
    try connection.statement(
      "DELETE FROM attempt WHERE subject IN (SELECT subject FROM attempt WHERE kind = ? ORDER BY last LIMIT ?)", kind,
      Self.maximumSubjects / 10
    ).run()
  }
}
