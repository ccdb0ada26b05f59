import SegueRing
import SegueSystem
import SegueWire
import SegueWorkerProtocol
import Testing

@testable import SeguePlayer

/// Tests of sequences of events: the exact actions, in their order, which the exploration does not check.
@Suite struct TransportSequenceTests {
  private let one = EntryID(1)
  private let two = EntryID(2)
  private let three = EntryID(3)
  private let failure = Failure(.unplayable, "broken")

  private func generation(_ number: UInt32) -> Generation { Generation(number) }

  private func item(_ entry: EntryID, _ number: UInt32, from start: MediaTime = .zero) -> Transport.Item {
    Transport.Item(track: Transport.Track(entry), generation: generation(number), start: start)
  }

  /// Returns an item of a track whose file was opened before.
  private func itemAgain(_ entry: EntryID, _ number: UInt32, from start: MediaTime) -> Transport.Item {
    Transport.Item(track: .opened(entry), generation: generation(number), start: start)
  }

  /// Returns a transport that plays `one`, with `two` planned after it and both open.
  private func playingTwo() -> Transport {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .zero))
    _ = transport.handle(.opened(generation(1)))
    _ = transport.handle(.followed(by: [two]))
    _ = transport.handle(.opened(generation(2)))
    return transport
  }

  @Test func aTrackIsPlannedOnceTheOneBeforeItIsOpen() {
    var transport = Transport()
    #expect(transport.handle(.play(one, from: .zero)) == [.engine(.cancelGrace), .engine(.open(item(one, 1)))])
    #expect(transport.handle(.followed(by: [two])).isEmpty, "nothing is planned after a file that may not open")
    let actions = transport.handle(.opened(generation(1)))
    #expect(actions == [.queue(.opened(transport.plan[0])), .queue(.plan)])
    #expect(transport.plan[0].info == .recording)
    #expect(transport.handle(.followed(by: [two])) == [.engine(.follow(item(two, 2), after: generation(1)))])
    #expect(transport.handle(.audible(generation(2))) == [.queue(.trackEnded(one))])
    #expect(transport.plan.map(\.entry) == [two])
  }

  @Test func severalShortTracksArePlannedAndEndTogether() {
    var transport = playingTwo()
    #expect(transport.handle(.followed(by: [two, three])) == [.engine(.follow(item(three, 3), after: generation(2)))])
    #expect(transport.handle(.audible(generation(3))) == [.queue(.trackEnded(one)), .queue(.trackEnded(two))])
  }

  @Test func aChangedQueueCutsThePlanWhereItDiffers() {
    var transport = playingTwo()
    #expect(transport.handle(.followed(by: [three])) == [.engine(.follow(item(three, 3), after: generation(1)))])
    #expect(transport.handle(.followed(by: [])) == [.engine(.finish(after: generation(1)))])
    #expect(transport.handle(.opened(generation(2))).isEmpty, "an event of a track that was cut off is stale")
  }

  @Test func theLastTrackIsDrainedBeforePlaybackStops() {
    var transport = playingTwo()
    _ = transport.handle(.audible(generation(2)))
    #expect(
      transport.handle(.finished(generation(2))) == [.engine(.startGrace), .queue(.planEnded(two, pause: nil))])
    #expect(transport.state == .stopped)
    #expect(transport.handle(.graceElapsed(at: nil)) == [.engine(.release)])
  }

  @Test func aFinishedTrackThatIsNotTheLastDoesNotStopPlayback() {
    var transport = playingTwo()
    #expect(transport.handle(.finished(generation(1))).isEmpty)
    #expect(transport.playState == .playing)
  }

  @Test func aTruncatedTrackIsPlayedAsFarAsItGoes() {
    var transport = playingTwo()
    let actions = transport.handle(.failed(generation(1), failure))
    #expect(
      actions == [
        .queue(.markUnplayable(one, failure)), .engine(.endOfInput(generation(1))),
        .engine(.finish(after: generation(1))), .queue(.plan),
      ])
    #expect(transport.handle(.followed(by: [two])) == [.engine(.follow(item(two, 3), after: generation(1)))])
  }

  @Test func aNextTrackThatCannotBeOpenedIsTheOnlyOneRemoved() {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .zero))
    _ = transport.handle(.opened(generation(1)))
    _ = transport.handle(.followed(by: [two]))
    let actions = transport.handle(.failed(generation(2), failure))
    #expect(actions == [.queue(.markUnplayable(two, failure)), .engine(.finish(after: generation(1))), .queue(.plan)])
    #expect(transport.handle(.followed(by: [three])) == [.engine(.follow(item(three, 3), after: generation(1)))])
  }

  @Test func aFirstTrackThatCannotBeOpenedIsSkipped() {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .zero))
    let actions = transport.handle(.failed(generation(1), failure))
    #expect(
      actions == [
        .queue(.markUnplayable(one, failure)), .engine(.silence), .engine(.startGrace),
        .queue(.skip(one, pause: nil)),
      ])
  }

  @Test func aCrashIsAttributedToTheTrackThatTheWorkerWasDecoding() {
    var transport = playingTwo()
    _ = transport.handle(.ended(generation(1)))
    #expect(transport.handle(.workerDied(failure)).first == .queue(.markUnplayable(two, failure)))
    var done = playingTwo()
    _ = done.handle(.ended(generation(1)))
    _ = done.handle(.ended(generation(2)))
    #expect(done.handle(.workerDied(failure)).isEmpty, "all tracks are in the ring")
  }

  /// The worker wrote over a track that is not wanted any more.
  @Test func aRingThatAStaleTrackHasCorruptedMakesNoTrackUnplayable() {
    let gone = generation(999)
    var first = Transport()
    _ = first.handle(.play(one, from: .seconds(3)))
    var paused = first
    let again = item(one, 2, from: .seconds(3))
    #expect(first.handle(.corrupted(gone, failure, isLate: false)) == [.engine(.cancelGrace), .engine(.open(again))])
    _ = paused.handle(.pause(.user))
    #expect(paused.handle(.corrupted(gone, failure, isLate: false)) == [.engine(.silence), .engine(.startGrace)])
    #expect(paused.state == .dormant(Transport.Track(one), at: .seconds(3), pause: .user))

    var second = playingTwo()
    _ = second.handle(.ended(generation(1)))
    #expect(
      second.handle(.corrupted(gone, failure, isLate: false)) == [
        .engine(.finish(after: generation(1))), .queue(.plan),
      ])
    #expect(second.handle(.followed(by: [two])) == [.engine(.follow(item(two, 3), after: generation(1)))])
    var done = playingTwo()
    _ = done.handle(.ended(generation(1)))
    _ = done.handle(.ended(generation(2)))
    #expect(
      done.handle(.corrupted(gone, failure, isLate: false)).isEmpty, "all tracks were read from the ring before")
    var other = playingTwo()
    #expect(other.handle(.corrupted(gone, failure, isLate: true)).isEmpty, "the worker has been replaced already")
  }

  /// The track that corrupted the ring ended its worker, too, and another worker decodes the next track.
  @Test func aCorruptionThatIsDetectedLateMakesNoTrackOfAnotherWorkerUnplayable() {
    var transport = playingTwo()
    _ = transport.handle(.ended(generation(1)))
    #expect(
      transport.handle(.workerDied(failure)) == [
        .queue(.markUnplayable(two, failure)), .engine(.endOfInput(generation(2))), .queue(.plan),
      ])
    _ = transport.handle(.followed(by: [three]))
    #expect(
      transport.handle(.corrupted(generation(1), failure, isLate: true)) == [
        .engine(.finish(after: generation(1))), .queue(.plan),
      ])
    #expect(transport.handle(.followed(by: [three])) == [.engine(.follow(item(three, 4), after: generation(1)))])
    var spoiled = playingTwo()
    _ = spoiled.handle(.ended(generation(1)))
    let actions = spoiled.handle(.corrupted(generation(1), failure, isLate: false))
    #expect(
      actions == [.queue(.markUnplayable(two, failure)), .engine(.finish(after: generation(1))), .queue(.plan)],
      "the track that was being decoded corrupted the ring")
  }

  @Test func aLongPauseReleasesTheStreamAndKeepsThePosition() {
    var transport = playingTwo()
    #expect(transport.handle(.pause(.user)) == [.engine(.pauseSink), .engine(.startGrace)])
    let here = MediaTime.seconds(42)
    #expect(transport.handle(.graceElapsed(at: here)) == [.engine(.silence), .engine(.release)])
    #expect(transport.playState == .paused)
    let again = itemAgain(one, 3, from: here)
    #expect(transport.handle(.resume(.user)) == [.engine(.cancelGrace), .engine(.open(again))])
  }

  @Test func playbackResumesAtItsPositionOnceALostServerIsBack() {
    var transport = playingTwo()
    let here = MediaTime.seconds(42)
    #expect(transport.handle(.lost(generation(1), at: here)) == [.engine(.haltWorker)])
    #expect(transport.playState == .playing)
    let again = itemAgain(one, 3, from: here)
    #expect(transport.handle(.connected) == [.engine(.cancelGrace), .engine(.open(again))])
  }

  @Test func aLossAfterATrackBoundaryConcernsTheNextTrack() {
    var transport = playingTwo()
    let here = MediaTime.seconds(1)
    #expect(transport.handle(.lost(generation(2), at: here)) == [.queue(.trackEnded(one)), .engine(.haltWorker)])
    let again = itemAgain(two, 3, from: here)
    #expect(transport.handle(.connected) == [.engine(.cancelGrace), .engine(.open(again))])
  }

  @Test func aLossBeforeAnythingWasAudibleKeepsTheStartPosition() {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .seconds(30)))
    _ = transport.handle(.lost(generation(77), at: .seconds(5)))
    #expect(transport.state == .lost(Transport.Track(one), at: .seconds(30)))
  }

  @Test func aPauseWithoutAServerRemainsAPause() {
    var transport = playingTwo()
    _ = transport.handle(.lost())
    _ = transport.handle(.pause(.user))
    #expect(transport.handle(.connected).isEmpty)
    #expect(transport.playState == .paused)
  }

  @Test func aPhoneCallPausesPlaybackUntilItsEndUnlessTheUserPauses() {
    var transport = playingTwo()
    #expect(transport.handle(.pause(.server)) == [.engine(.pauseSink), .engine(.startGrace)])
    #expect(transport.handle(.resume(.server)) == [.engine(.cancelGrace), .engine(.resumeSink)])
    _ = transport.handle(.pause(.server))
    _ = transport.handle(.pause(.user))
    #expect(transport.handle(.resume(.server)).isEmpty)
    #expect(transport.playState == .paused)
  }

  @Test func thePauseForTheSleepOfTheMachineEndsWithItUnlessTheUserPauses() {
    var transport = playingTwo()
    #expect(transport.handle(.pause(.sleep)) == [.engine(.pauseSink), .engine(.startGrace)])
    #expect(transport.requestedState == .playing)
    #expect(transport.handle(.resume(.server)).isEmpty, "the end of a call does not wake the machine")
    #expect(transport.handle(.resume(.sleep)) == [.engine(.cancelGrace), .engine(.resumeSink)])
    _ = transport.handle(.pause(.sleep))
    #expect(transport.handle(.pause(.user)).isEmpty)
    #expect(transport.handle(.resume(.sleep)).isEmpty)
    #expect(transport.requestedState == .paused)
  }

  @Test func theSleepOfTheMachineOutlastsTheServer() {
    var transport = playingTwo()
    _ = transport.handle(.pause(.sleep))
    let here = MediaTime.seconds(42)
    #expect(transport.handle(.lost(generation(1), at: here)) == [.engine(.silence)])
    #expect(transport.handle(.connected).isEmpty)
    #expect(
      transport.handle(.resume(.sleep)) == [.engine(.cancelGrace), .engine(.open(itemAgain(one, 3, from: here)))])
  }

  @Test func thePauseOfACallEndsWithTheServer() {
    var transport = playingTwo()
    _ = transport.handle(.pause(.server))
    #expect(transport.handle(.lost(generation(1), at: .seconds(42))) == [.engine(.haltWorker)])
    #expect(transport.playState == .playing)
  }

  @Test func whatFollowsATrackThatWasPausedIsPausedForTheSameReason() {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .zero))
    _ = transport.handle(.pause(.server))
    #expect(transport.handle(.failed(generation(1), failure)).last == .queue(.skip(one, pause: .server)))
    transport = playingTwo()
    _ = transport.handle(.pause(.sleep))
    #expect(transport.handle(.finished(generation(2))).last == .queue(.planEnded(two, pause: .sleep)))
  }

  @Test(arguments: [Transport.PauseReason.user, .server, .sleep])
  func aRestartOfDecodingKeepsThePause(_ reason: Transport.PauseReason) {
    var transport = playingTwo()
    _ = transport.handle(.pause(reason))
    let there = MediaTime.seconds(9)
    #expect(
      transport.handle(.restart(.opened(one), at: there)) == [.engine(.silence), .engine(.startGrace)])
    #expect(transport.state == .dormant(.opened(one), at: there, pause: reason))
    #expect(
      transport.handle(.resume(reason)) == [.engine(.cancelGrace), .engine(.open(itemAgain(one, 3, from: there)))])
  }

  @Test func aTrackKeepsItsChaptersWhileNothingOfItIsDecoded() {
    var transport = playingTwo()
    _ = transport.handle(.pause(.user))
    _ = transport.handle(.graceElapsed(at: .seconds(3)))
    #expect(transport.track == .opened(one) && transport.plan.isEmpty)
    transport.updateTracks { $0.uri = "file:///moved" }
    _ = transport.handle(.resume(.user))
    #expect(transport.plan.map(\.track.uri) == ["file:///moved"])
  }

  @Test func aSeekWhilePausedRemainsPausedAndFlushesTheSink() {
    var transport = playingTwo()
    _ = transport.handle(.pause(.user))
    let there = MediaTime.seconds(9)
    #expect(transport.handle(.jump(one, to: there)) == [.engine(.silence), .engine(.startGrace)])
    #expect(transport.state == .dormant(Transport.Track(one), at: there, pause: .user))
  }

  @Test func aWorkerThatFailsToStartMakesNoTrackUnplayable() {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .seconds(7)))
    let again = item(one, 2, from: .seconds(7))
    #expect(transport.handle(.workerNotStarted) == [.engine(.cancelGrace), .engine(.open(again))])
    #expect(transport.handle(.noDecoder) == [.engine(.silence), .engine(.startGrace)])
    #expect(
      transport.state == .dormant(Transport.Track(one), at: .seconds(7), pause: .user),
      "playback waits at the requested position")
  }

  @Test func withoutADecoderTheDecodedTracksArePlayedToTheirEnd() {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .zero))
    _ = transport.handle(.opened(generation(1)))
    _ = transport.handle(.ended(generation(1)))
    _ = transport.handle(.followed(by: [two]))
    #expect(transport.handle(.workerNotStarted) == [.engine(.finish(after: generation(1))), .queue(.plan)])
    _ = transport.handle(.followed(by: [two]))
    #expect(transport.handle(.noDecoder) == [.engine(.finish(after: generation(1)))])
    #expect(
      transport.handle(.finished(generation(1))) == [.engine(.startGrace), .queue(.planEnded(one, pause: nil))])
  }

  @Test(arguments: [false, true]) func aTrackThatFinishesBeforeItIsKnownToOpenIsPlayedOut(_ isPaused: Bool) {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .seconds(7)))
    if isPaused { _ = transport.handle(.pause(.user)) }
    #expect(
      transport.handle(.finished(generation(1))) == [
        .engine(.startGrace), .queue(.planEnded(one, pause: isPaused ? .user : nil)),
      ])
    #expect(transport.state == .stopped)
    #expect(transport.handle(.opened(generation(1))) == [], "the event is stale")
  }

  // MARK: Streams that are opened again

  /// Returns the item that is opened by an action.
  private func opened(by actions: [Transport.Action]) -> Transport.Item? {
    for case .engine(let action) in actions {
      switch action {
      case .open(let item), .follow(let item, _): return item
      default: continue
      }
    }
    return nil
  }

  @Test func aLiveStreamThatHasPlayedIsOpenedAgainAfterACrash() throws {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .zero))
    _ = transport.handle(.opened(generation(1), .live))
    _ = transport.handle(.followed(by: [two]))
    let actions = transport.handle(.workerDied(failure, audible: generation(1), at: .seconds(9)))
    let item = try #require(opened(by: actions))
    #expect(actions == [.engine(.endOfInput(generation(1))), .engine(.follow(item, after: generation(1)))])
    #expect(item.entry == one && item.start == .zero && item.delay == .milliseconds(200))
    #expect(transport.handle(.audible(item.generation)).isEmpty, "the track is still the same")
    #expect(transport.plan.map(\.generation) == [item.generation])
  }

  @Test func aLiveStreamIsGivenUpAfterAttemptsWithoutASecondOfAudio() throws {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .zero))
    _ = transport.handle(.opened(generation(1), .live))
    var actions = transport.handle(.workerDied(failure, audible: generation(1), at: .seconds(1)))
    var delays: [MediaTime] = []
    while let item = opened(by: actions), delays.count < 10 {
      delays.append(item.delay)
      actions = transport.handle(.workerDied(failure, audible: generation(1), at: .seconds(1)))
    }
    #expect(delays == [200, 400, 800, 1600].map(MediaTime.milliseconds))
    #expect(actions.first == .queue(.markUnplayable(one, failure)))
  }

  @Test func aFileOnAServerContinuesWhereItWasCutOff() throws {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .zero))
    _ = transport.handle(.opened(generation(1), .seekable))
    let item = try #require(opened(by: transport.handle(.cutOff(generation(1), failure, at: .seconds(7)))))
    #expect(item.entry == one && item.start == .seconds(7) && item.isContinuation)
    let again = try #require(opened(by: transport.handle(.cutOff(item.generation, failure, at: .seconds(7)))))
    #expect(again.start == .seconds(7) && again.delay == .milliseconds(400))
    #expect(transport.plan.count == 2)
  }

  @Test func aFileThatCrashesItsDecoderIsNotOpenedAgain() {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .zero))
    _ = transport.handle(.opened(generation(1), .seekable))
    let actions = transport.handle(.workerDied(failure, audible: generation(1), at: .seconds(9)))
    #expect(actions.first == .queue(.markUnplayable(one, failure)))
  }

  @Test func aFileWhoseWorkerIsLostContinuesWhereItWas() throws {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .seconds(5)))
    let opening = try #require(opened(by: transport.handle(.workerLost(failure))))
    #expect(opening.entry == one && opening.start == .seconds(5))
    _ = transport.handle(.opened(opening.generation, .seekable))
    let lost = Transport.Event.workerLost(failure, audible: opening.generation, at: .seconds(9))
    #expect(try #require(opened(by: transport.handle(lost))).start == .seconds(9))
    _ = transport.handle(.pause(.user))
    _ = transport.handle(.workerLost(failure))
    #expect(transport.state == .dormant(.opened(one), at: .seconds(9), pause: .user))
  }

  @Test func aStreamThatIsNotOpenYetIsOpenedAgainIfTheFetchProcessEnds() throws {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .seconds(5)))
    let actions = transport.handle(.cutOff(generation(1), failure, at: .seconds(5)))
    let item = try #require(opened(by: actions))
    #expect(actions == [.engine(.open(item))])
    #expect(item.start == .seconds(5) && item.delay == .milliseconds(400))
  }

  // MARK: Fades

  /// Returns a transport in which `one` is decoded, and its end is mixed into `two`.
  private func fadedIntoTwo() -> Transport {
    var transport = playingTwo()
    _ = transport.handle(.faded(generation(1), from: .seconds(7), into: generation(2)))
    #expect(transport.handle(.ended(generation(1))).isEmpty)
    return transport
  }

  private func rest(_ entry: EntryID, _ number: UInt32) -> Transport.Item {
    var item = itemAgain(entry, number, from: .seconds(7))
    item.isContinuation = true
    return item
  }

  @Test func aFadeIntoTheNextTrackDoesNotChangeThePlan() {
    var transport = fadedIntoTwo()
    #expect(transport.handle(.followed(by: [two, three])) == [.engine(.follow(item(three, 3), after: generation(2)))])
    #expect(transport.handle(.audible(generation(2))) == [.queue(.trackEnded(one))])
  }

  @Test func theRestOfATrackFollowsItIfTheTrackItFadesIntoDoesNot() {
    var transport = fadedIntoTwo()
    #expect(transport.handle(.followed(by: [three])) == [.engine(.follow(rest(one, 3), after: generation(1)))])
    #expect(transport.handle(.followed(by: [three])).isEmpty, "one file is opened at a time")
    #expect(transport.handle(.audible(generation(3))).isEmpty, "the track is still the same")
    #expect(transport.handle(.opened(generation(3))).last == .queue(.plan))
    #expect(transport.handle(.followed(by: [three])) == [.engine(.follow(item(three, 4), after: generation(3)))])
    #expect(transport.handle(.audible(generation(4))) == [.queue(.trackEnded(one))])
  }

  @Test func theRestOfATrackFollowsItIfTheFadeIsReportedLate() {
    var transport = playingTwo()
    #expect(transport.handle(.followed(by: [three])) == [.engine(.follow(item(three, 3), after: generation(1)))])
    _ = transport.handle(.faded(generation(1), from: .seconds(7), into: generation(2)))
    #expect(transport.handle(.ended(generation(1))) == [.queue(.plan)])
    #expect(transport.handle(.followed(by: [three])) == [.engine(.follow(rest(one, 4), after: generation(1)))])
  }

  @Test func theRestOfATrackFollowsItIfTheTrackItFadesIntoCannotBeOpened() {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .zero))
    _ = transport.handle(.opened(generation(1)))
    _ = transport.handle(.followed(by: [two]))
    _ = transport.handle(.faded(generation(1), from: .seconds(7), into: generation(2)))
    _ = transport.handle(.ended(generation(1)))
    let actions = transport.handle(.failed(generation(2), failure))
    #expect(actions == [.queue(.markUnplayable(two, failure)), .engine(.finish(after: generation(1))), .queue(.plan)])
    #expect(transport.handle(.followed(by: [])) == [.engine(.follow(rest(one, 3), after: generation(1)))])
    #expect(
      transport.handle(.finished(generation(3))) == [.engine(.startGrace), .queue(.planEnded(one, pause: nil))])
  }

  @Test func theRestOfATrackThatCannotBeOpenedIsNotRetried() {
    var transport = fadedIntoTwo()
    _ = transport.handle(.followed(by: []))
    _ = transport.handle(.failed(generation(3), failure))
    #expect(transport.handle(.followed(by: [])).isEmpty)
  }

  /// Otherwise a malicious file would be decoded again for ever.
  @Test func theFadeOfATruncatedTrackIsIgnored() {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .zero))
    _ = transport.handle(.opened(generation(1)))
    _ = transport.handle(.followed(by: [two]))
    _ = transport.handle(.faded(generation(1), from: .zero, into: generation(2)))
    #expect(
      transport.handle(.failed(generation(1), failure)) == [
        .queue(.markUnplayable(one, failure)), .engine(.endOfInput(generation(1))),
        .engine(.finish(after: generation(1))), .queue(.plan),
      ])
    #expect(transport.handle(.followed(by: [two])) == [.engine(.follow(item(two, 3), after: generation(1)))])
  }

  @Test func anInvalidFadeIsIgnored() {
    var transport = playingTwo()
    _ = transport.handle(.faded(generation(1), from: .zero, into: generation(3)))
    _ = transport.handle(.faded(generation(2), from: .zero, into: generation(1)))
    #expect(transport == playingTwo())
  }
}
