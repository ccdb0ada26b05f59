import SegueAccounts
import SegueSQLite
import SegueSystem
import Testing

/// Tests of the delays after failed attempts.
@Suite struct AttemptDelaysTests {
  private let start = UnixTime(nanoseconds: 1_800_000_000_000_000_000)
  private let anna = AttemptDelays.Subject.account("anna@example.com")
  private let home = Self.address([192, 0, 2, 1])
  private let delays: AttemptDelays

  init() throws {
    let connection = try SQLiteConnection(path: FilePath(":memory:"), busyTimeout: .zero)
    try connection.execute(AttemptDelays.schema)
    delays = AttemptDelays(connection)
  }

  /// Returns the subject for the address of a client in bytes.
  private static func address(_ bytes: [UInt8]) -> AttemptDelays.Subject {
    AttemptDelays.Subject(ClientAddress(bytes: bytes))
  }

  /// Returns the delays in seconds after each of some failures at the same time.
  private func delays(after count: Int, of subject: AttemptDelays.Subject) throws -> [Int] {
    try (0..<count).map { _ in
      try delays.fail([subject], at: start)
      return Int(try delays.delay(for: [subject], at: start)?.seconds ?? 0)
    }
  }

  @Test func fromTheFifthFailureOnEachOneDoublesTheDelayUpTo15Minutes() throws {
    #expect(
      try delays(after: 16, of: home) == [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  }

  @Test func theDelayOfAnAccountIsAtMostAMinute() throws {
    #expect(try delays(after: 16, of: anna) == [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60])
  }

  @Test func aDelayEndsAndASuccessForgetsTheFailures() throws {
    for _ in 0..<6 { try delays.fail([anna], at: start) }
    #expect(try delays.delay(for: [anna], at: start + .seconds(1)) == .seconds(1))
    #expect(try delays.delay(for: [anna], at: start + .seconds(2)) == nil)
    try delays.succeed([anna])
    try delays.fail([anna], at: start)
    #expect(try delays.delay(for: [anna], at: start) == nil)
  }

  @Test func aSuccessTakesBackOneFailureOfAnAddressOnly() throws {
    for _ in 0..<6 { try delays.fail([home], at: start) }
    try delays.succeed([home])
    #expect(try delays.delay(for: [home], at: start) == .seconds(1))
    try delays.succeed([.registration([192, 0, 2, 1])])
    try delays.fail([home], at: start)
    #expect(try delays.delay(for: [home], at: start) == .seconds(2))
  }

  @Test func aFailureIsForgottenForEveryMaximumDelay() throws {
    for _ in 0..<6 { try delays.fail([home, anna], at: start) }
    let minute = start + .seconds(60)
    try delays.fail([anna], at: minute)
    #expect(try delays.delay(for: [anna], at: minute) == .seconds(2), "the sixth one")
    let hour = start + .seconds(4 * 900 + 450)
    for _ in 0..<3 { try delays.fail([home], at: hour) }
    #expect(try delays.delay(for: [home], at: hour) == .seconds(1), "the fifth one")
    #expect(try delays.delay(for: [home], at: hour + .seconds(450)) == nil)
    try delays.fail([home], at: hour + .seconds(450))
    #expect(try delays.delay(for: [home], at: hour + .seconds(450)) == .seconds(1), "again the fifth one")
  }

  @Test func anAttemptThatIsRefusedDoesNotCount() throws {
    for _ in 0..<5 { #expect(try delays.begin([home, anna], at: start) == nil) }
    for _ in 0..<5 { #expect(try delays.begin([home, anna], at: start) == .seconds(1)) }
    #expect(try delays.begin([home, anna], at: start + .seconds(1)) == nil)
    #expect(try delays.delay(for: [home, anna], at: start + .seconds(1)) == .seconds(2))
  }

  /// Returns the number of attempts that somebody can make in a time who makes each as soon as it is permitted.
  private func attempts(in time: MediaTime, for subjects: [AttemptDelays.Subject]) throws -> Int {
    var (now, count) = (start, 0)
    while now < start + time {
      if let delay = try delays.begin(subjects, at: now) { now = now + delay } else { count += 1 }
    }
    return count
  }

  @Test func inADayThereAreAsManyAttemptsAsTheCommentSays() throws {
    #expect((1_440...1_440 + 11).contains(try attempts(in: .seconds(86_400), for: [anna])))
    #expect((96...96 + 15).contains(try attempts(in: .seconds(86_400), for: [home])))
  }

  @Test func aClockThatIsSetBackBeginsTheDelayAnew() throws {
    for _ in 0..<7 { try delays.fail([home], at: start + .seconds(1_000_000)) }
    #expect(try delays.delay(for: [home], at: start) == .seconds(4))
    #expect(try delays.delay(for: [home], at: start + .seconds(4)) == nil)
  }

  @Test func anAccountAndAnAddressHaveDelaysOfTheirOwn() throws {
    let (one, other) = (Self.address([192, 0, 2, 1]), Self.address([192, 0, 2, 2]))
    for _ in 0..<5 { try delays.fail([one, anna], at: start) }
    #expect(try delays.delay(for: [one], at: start) == .seconds(1))
    #expect(try delays.delay(for: [other], at: start) == nil)
    #expect(try delays.delay(for: [other, anna], at: start) == .seconds(1))
  }

  @Test func addressesOfOneNetworkOfIPv6AndMappedOnesAreOneSubject() {
    let network: [UInt8] = [0x20, 1, 0xD, 0xB8, 0, 0, 0, 1]
    #expect(
      Self.address(network + [1, 2, 3, 4, 5, 6, 7, 8])
        == Self.address(network + [8, 7, 6, 5, 4, 3, 2, 1]))
    #expect(
      Self.address([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 192, 0, 2, 1])
        == Self.address([192, 0, 2, 1]))
  }

  @Test func manySubjectsAreForgottenFromTheOldestOn() throws {
    let subjects = (0..<10_001).map { AttemptDelays.Subject.account("\($0)") }
    for (index, subject) in subjects.enumerated() {
      for _ in 0..<5 { try delays.fail([subject], at: start + .milliseconds(index)) }
    }
    #expect(try delays.delay(for: [subjects[0]], at: start) == nil)
    #expect(try delays.delay(for: [subjects[10_000]], at: start + .seconds(10)) != nil)
  }

  @Test func manyAddressesForgetNoAccount() throws {
    for _ in 0..<5 { try delays.fail([anna], at: start) }
    for number in 0..<10_001 {
      try delays.fail([.address([UInt8(number >> 8), UInt8(number & 0xFF)])], at: start + .microseconds(number))
    }
    #expect(try delays.delay(for: [anna], at: start) == .seconds(1))
  }
}
