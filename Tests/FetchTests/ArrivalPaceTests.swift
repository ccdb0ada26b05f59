import SegueSystem
import Testing

@testable import SegueFetch

@Suite struct ArrivalPaceTests {
  /// Returns the pause after ten seconds of a station of 16,000 bytes a second that sends `burst` bytes at once.
  private func pause(afterBurst burst: Int) -> MediaTime? {
    var pace = ArrivalPace()
    let start = MonotonicTime.now
    pace.received(burst, at: start)
    for tenth in 1...100 { pace.received(1_600, at: start + MediaTime.milliseconds(tenth * 100)) }
    return pace.pause(at: start + .seconds(10))
  }

  @Test func stationThatSendsNothingAtOnce_isReadWheneverItSends() { #expect(pause(afterBurst: 1_600) == nil) }

  @Test func pauses_areAThirdOfTheAudioThatIsAhead() throws {
    let found = try #require(pause(afterBurst: 24_000))
    #expect(abs(found.seconds - 0.5) < 0.02)
  }

  @Test func pauses_areAtMostASecond() { #expect(pause(afterBurst: 1_000_000) == .seconds(1)) }

  /// The audio that the station sent at once has been played when it continues in real time.
  @Test func stationThatWasInterrupted_isReadWheneverItSends() {
    var pace = ArrivalPace()
    let start = MonotonicTime.now
    pace.received(48_000, at: start)
    for tenth in 1...100 { pace.received(1_600, at: start + MediaTime.milliseconds(tenth * 100)) }
    #expect(pace.pause(at: start + .seconds(10)) != nil)
    for tenth in 190...290 { pace.received(1_600, at: start + MediaTime.milliseconds(tenth * 100)) }
    #expect(pace.pause(at: start + .seconds(29)) == nil)
  }

  /// A server that waits for the worker does not show its own pace.
  @Test func theTimeOfTheServer_beginsAfterTheWorkerHadNoRoom() {
    var pace = ArrivalPace()
    let start = MonotonicTime.now
    #expect(pace.timeOfServer == .zero)
    for second in 0...5 { pace.received(100, at: start + .seconds(second)) }
    #expect(pace.timeOfServer == .seconds(5))
    pace.wasBlocked()
    #expect(pace.timeOfServer == .zero)
    for second in 20...23 { pace.received(100, at: start + .seconds(second)) }
    #expect(pace.timeOfServer == .seconds(3))
  }

  @Test func station_isReadWheneverItSendsUntilItsRateIsKnown() {
    var pace = ArrivalPace()
    let start = MonotonicTime.now
    pace.received(100_000, at: start)
    pace.received(16_000, at: start + .seconds(3))
    #expect(pace.pause(at: start + .seconds(3)) == nil)
  }
}
