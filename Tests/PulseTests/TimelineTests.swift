import SegueOutput
import SegueRing
import SegueSystem
import Testing

@testable import SeguePulse

/// Tests of the clock's arithmetic, without a server.
struct TimelineTests {
  private let start = MonotonicTime(nanoseconds: 1_000_000_000)
  private let rate = SampleRate(1000)

  private func time(_ milliseconds: Int64) -> MonotonicTime {
    start + MediaTime(nanoseconds: milliseconds * 1_000_000)
  }

  private func timing(
    at milliseconds: Int64, read: Int64, latency: Int64, playing: Bool = true, since: Int64?
  ) -> StreamTiming {
    StreamTiming(
      time: time(milliseconds), read: Frames(read), sinkLatency: MediaTime(nanoseconds: latency * 1_000_000),
      isPlaying: playing, sincePlayingChanged: since.map { Frames($0) })
  }

  private func timeline(_ generations: [(UInt32, media: Int64, frames: Int64)]) -> Timeline {
    var timeline = Timeline()
    timeline.rate = rate
    for (generation, media, frames) in generations {
      timeline.begin(Generation(generation), at: Frames(media))
      timeline.extendWritten(by: Frames(frames))
    }
    return timeline
  }

  @Test func thePositionIsUnknownBeforeTheFirstTiming() {
    let timeline = timeline([(1, 0, 500)])
    #expect(timeline.clock.position(at: time(0)) == nil)
    #expect(timeline.clock.latency == nil)
  }

  @Test func soundStartsAfterTheSilenceBeforeIt() throws {
    var timeline = timeline([(1, 70, 500)])
    // The sink has read 20 frames, and has a latency of 100 ms: the first of them plays in 80 ms.
    timeline.update(timing(at: 0, read: 20, latency: 100, since: 20), corked: false, now: time(0))
    #expect(timeline.clock.position(at: time(79)) == nil)
    let position = try #require(timeline.clock.position(at: time(90)))
    #expect(position.frame == Frames(80))
    #expect(position.advancing)
    #expect(timeline.clock.latency == rate.time(of: Frames(500)))
  }

  @Test func thePositionIsTheFramesReadMinusTheSinkLatency() throws {
    var timeline = timeline([(1, 0, 300), (2, 5000, 300)])
    timeline.update(timing(at: 0, read: 350, latency: 100, since: 350), corked: false, now: time(0))
    #expect(try #require(timeline.clock.position(at: time(0))).frame == Frames(250))
    #expect(try #require(timeline.clock.position(at: time(49))).generation == Generation(1))
    let next = try #require(timeline.clock.position(at: time(60)))
    #expect(next.generation == Generation(2))
    #expect(next.frame == Frames(5010))
  }

  @Test func thePositionAdvancesAtTheSpeedOfTheGeneration() throws {
    var timeline = timeline([(1, 0, 300)])
    timeline.begin(Generation(2), at: Frames(5000), speed: try #require(PlaybackSpeed(factor: 2.5)))
    timeline.extendWritten(by: Frames(300))
    timeline.update(timing(at: 0, read: 350, latency: 100, since: 350), corked: false, now: time(0))
    let first = try #require(timeline.clock.position(at: time(49)))
    #expect(first.frame == Frames(299) && first.speed == .normal)
    let second = try #require(timeline.clock.position(at: time(60)))
    #expect(second.generation == Generation(2) && second.speed.factor == 2.5)
    #expect(second.frame == Frames(5025))
  }

  @Test func thePositionNeverPassesTheEndOfWhatWasWritten() throws {
    var timeline = timeline([(1, 0, 100)])
    timeline.update(timing(at: 0, read: 100, latency: 50, since: 100), corked: false, now: time(0))
    let end = try #require(timeline.clock.position(at: time(4000)))
    #expect(end.frame == Frames(100))
    #expect(!end.advancing)
  }

  @Test func anUnderrunStopsTheClockUntilTheServerPlaysAgain() throws {
    var timeline = timeline([(1, 0, 100)])
    timeline.update(timing(at: 0, read: 100, latency: 50, since: 100), corked: false, now: time(0))
    timeline.stall(at: Frames(100))
    timeline.extendWritten(by: Frames(200))
    #expect(try #require(timeline.clock.position(at: time(500))).frame == Frames(100))
    // Half a second of silence was played in between; the sink has read 10 frames of the rest.
    timeline.update(timing(at: 600, read: 110, latency: 50, since: 10), corked: false, now: time(600))
    #expect(try #require(timeline.clock.position(at: time(639))).advancing == false)
    #expect(try #require(timeline.clock.position(at: time(650))).frame == Frames(110))
  }

  /// Frames that were written after the underrun have not been played yet.
  @Test func thePositionStandsWhereTheServerRanDry() throws {
    var timeline = timeline([(1, 0, 100)])
    timeline.update(timing(at: 0, read: 100, latency: 50, since: 100), corked: false, now: time(0))
    timeline.extendWritten(by: Frames(200))
    timeline.stall(at: Frames(100))
    #expect(try #require(timeline.clock.position(at: time(500))).frame == Frames(100))
    timeline.update(timing(at: 600, read: 100, latency: 50, playing: false, since: 450), corked: false, now: time(600))
    #expect(try #require(timeline.clock.position(at: time(900))).frame == Frames(100))
  }

  @Test func aCorkedStreamStandsAtTheLastFrameThatTheSinkKept() throws {
    var timeline = timeline([(1, 0, 1000)])
    timeline.update(timing(at: 0, read: 350, latency: 100, since: 350), corked: false, now: time(0))
    timeline.freeze(at: time(100))
    timeline.update(timing(at: 101, read: 351, latency: 0, playing: false, since: nil), corked: true, now: time(101))
    let position = try #require(timeline.clock.position(at: time(900)))
    #expect(position.frame == Frames(351))
    #expect(!position.advancing)
  }

  @Test func aSmallStepBackIsHiddenAndALargeOneIsShown() throws {
    var timeline = timeline([(1, 0, 5000)])
    timeline.update(timing(at: 0, read: 1000, latency: 0, since: 1000), corked: false, now: time(0))
    timeline.update(timing(at: 100, read: 1090, latency: 0, since: 1090), corked: false, now: time(100))
    #expect(try #require(timeline.clock.position(at: time(100))).frame == Frames(1100))
    #expect(try #require(timeline.clock.position(at: time(110))).frame == Frames(1100))
    #expect(try #require(timeline.clock.position(at: time(120))).frame == Frames(1110))
    timeline.update(timing(at: 130, read: 500, latency: 0, since: 500), corked: false, now: time(130))
    #expect(try #require(timeline.clock.position(at: time(130))).frame == Frames(500))
  }

  @Test func startsAreAnnouncedOnceAndAgainWhenTheyMove() {
    var timeline = timeline([(1, 0, 300), (2, 0, 300)])
    timeline.update(timing(at: 0, read: 0, latency: 0, since: 0), corked: false, now: time(0))
    #expect(timeline.announcements(at: time(0)).map(\.at) == [time(0), time(300)])
    timeline.update(timing(at: 100, read: 90, latency: 0, since: 90), corked: false, now: time(100))
    #expect(timeline.announcements(at: time(100)).isEmpty)
    timeline.update(timing(at: 150, read: 100, latency: 0, since: 100), corked: false, now: time(150))
    #expect(timeline.announcements(at: time(150)).map(\.at) == [time(350)])
  }

  @Test func discardedGenerationsAreRemoved() throws {
    var timeline = timeline([(1, 0, 300), (2, 0, 300)])
    timeline.update(timing(at: 0, read: 0, latency: 0, since: 0), corked: false, now: time(0))
    _ = timeline.announcements(at: time(0))
    timeline.rewind(to: Frames(300))
    #expect(timeline.written == Frames(300))
    timeline.begin(Generation(3), at: Frames(9))
    timeline.extendWritten(by: Frames(50))
    #expect(try #require(timeline.clock.position(at: time(310))).generation == Generation(3))
    #expect(timeline.announcements(at: time(0)).map(\.at) == [time(300)])
  }
}
