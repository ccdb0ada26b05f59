import SegueAccounts
import SegueSystem
import Testing

/// Tests of the delays after failed attempts.
@Suite struct AttemptDelaysTests {
  private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
  private let anna = AttemptDelays.Subject.account("anna@example.com")

  @Test func fromTheFifthFailureOnEachOneDoublesTheDelayUpTo15Minutes() {
    var delays = AttemptDelays()
    var seconds: [Int] = []
    for _ in 0..<16 {
      delays.fail([anna], at: start)
      seconds.append(Int(delays.delay(for: [anna], at: start)?.seconds ?? 0))
    }
    #expect(seconds == [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  }

  @Test func aDelayEndsAndASuccessForgetsTheFailures() {
    var delays = AttemptDelays()
    for _ in 0..<6 { delays.fail([anna], at: start) }
    #expect(delays.delay(for: [anna], at: start + .seconds(1)) == .seconds(1))
    #expect(delays.delay(for: [anna], at: start + .seconds(2)) == nil)
    delays.succeed([anna])
    delays.fail([anna], at: start)
    #expect(delays.delay(for: [anna], at: start) == nil)
  }

  @Test func anAccountAndAnAddressHaveDelaysOfTheirOwn() {
    var delays = AttemptDelays()
    let (one, other) = (AttemptDelays.Subject(client: [192, 0, 2, 1]), AttemptDelays.Subject(client: [192, 0, 2, 2]))
    for _ in 0..<5 { delays.fail([one, anna], at: start) }
    #expect(delays.delay(for: [one], at: start) == .seconds(1))
    #expect(delays.delay(for: [other], at: start) == nil)
    #expect(delays.delay(for: [other, anna], at: start) == .seconds(1))
  }

  @Test func addressesOfOneNetworkOfIPv6AndMappedOnesAreOneSubject() {
    let network: [UInt8] = [0x20, 1, 0xD, 0xB8, 0, 0, 0, 1]
    #expect(
      AttemptDelays.Subject(client: network + [1, 2, 3, 4, 5, 6, 7, 8])
        == AttemptDelays.Subject(client: network + [8, 7, 6, 5, 4, 3, 2, 1]))
    #expect(
      AttemptDelays.Subject(client: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 192, 0, 2, 1])
        == AttemptDelays.Subject(client: [192, 0, 2, 1]))
  }

  @Test func manySubjectsAreForgottenFromTheOldestOn() {
    var delays = AttemptDelays()
    let subjects = (0..<10_001).map { AttemptDelays.Subject.account("\($0)") }
    for (index, subject) in subjects.enumerated() {
      for _ in 0..<5 { delays.fail([subject], at: start + .milliseconds(index)) }
    }
    #expect(delays.delay(for: [subjects[0]], at: start) == nil)
    #expect(delays.delay(for: [subjects[10_000]], at: start + .seconds(10)) != nil)
  }
}
