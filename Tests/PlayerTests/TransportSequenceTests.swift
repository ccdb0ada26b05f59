import SegueRing
import SegueSystem
import SegueWire
import Testing

@testable import SeguePlayer

/// The courses of events the exploration cannot judge: what exactly is done, and in which order.
@Suite struct TransportSequenceTests {
  private let one = EntryID(1)
  private let two = EntryID(2)
  private let three = EntryID(3)
  private let failure = Failure(.unplayable, "broken")

  private func generation(_ number: UInt32) -> Generation { Generation(number) }

  private func item(_ entry: EntryID, _ number: UInt32, _ phase: Transport.Phase = .opening) -> Transport.Item {
    Transport.Item(entry: entry, generation: generation(number), start: .zero, phase: phase)
  }

  /// Plays `one`, with `two` planned behind it and both known to open.
  private func playingTwo() -> Transport {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .zero))
    _ = transport.handle(.opened(generation(1)))
    _ = transport.handle(.successors([two]))
    _ = transport.handle(.opened(generation(2)))
    return transport
  }

  @Test func aTrackIsPlannedBehindTheOtherAsSoonAsThatOneOpens() {
    var transport = Transport()
    #expect(transport.handle(.play(one, from: .zero)) == [.cancelGrace, .open(item(one, 1))])
    #expect(transport.handle(.successors([two])).isEmpty, "nothing is planned behind a file that may not open")
    #expect(transport.handle(.opened(generation(1))) == [.plan])
    #expect(transport.handle(.successors([two])) == [.follow(item(two, 2), after: generation(1))])
    #expect(transport.handle(.audible(generation(2))) == [.passed(one)])
    #expect(transport.plan.map(\.entry) == [two])
  }

  @Test func shortTracksMakeALongPlanAndPassTogether() {
    var transport = playingTwo()
    #expect(transport.handle(.successors([two, three])) == [.follow(item(three, 3), after: generation(2))])
    #expect(transport.handle(.audible(generation(3))) == [.passed(one), .passed(two)])
  }

  @Test func aChangedQueueCutsThePlanWhereItDiffers() {
    var transport = playingTwo()
    #expect(transport.handle(.successors([three])) == [.follow(item(three, 3), after: generation(1))])
    #expect(transport.handle(.successors([])) == [.finish(after: generation(1))])
    #expect(transport.handle(.opened(generation(2))).isEmpty, "the cut one's news is old")
  }

  @Test func theLastTrackIsDrainedAndThenAllIsQuiet() {
    var transport = playingTwo()
    _ = transport.handle(.audible(generation(2)))
    #expect(transport.handle(.finished(generation(2))) == [.startGrace, .playedOut(two, wasPaused: false)])
    #expect(transport.state == .stopped)
    #expect(transport.handle(.graceElapsed(at: nil)) == [.release])
  }

  @Test func finishingCrossedByANewPlanIsNotTheEnd() {
    var transport = playingTwo()
    #expect(transport.handle(.finished(generation(1))).isEmpty)
    #expect(transport.playState == .playing)
  }

  @Test func aTrackThatBreaksOffIsPlayedAsFarAsItGoes() {
    var transport = playingTwo()
    let actions = transport.handle(.failed(generation(1), failure))
    #expect(actions == [.blame(one, failure), .endOfInput(generation(1)), .plan])
    #expect(transport.handle(.successors([two])) == [.follow(item(two, 3), after: generation(1))])
  }

  @Test func aFollowerThatCannotBeOpenedCostsOnlyItself() {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .zero))
    _ = transport.handle(.opened(generation(1)))
    _ = transport.handle(.successors([two]))
    let actions = transport.handle(.failed(generation(2), failure))
    #expect(actions == [.blame(two, failure), .finish(after: generation(1)), .plan])
    #expect(transport.handle(.successors([three])) == [.follow(item(three, 3), after: generation(1))])
  }

  @Test func theFirstTrackThatCannotBeOpenedIsSkipped() {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .zero))
    let actions = transport.handle(.failed(generation(1), failure))
    #expect(actions == [.blame(one, failure), .silence, .startGrace, .skip(one, wasPaused: false)])
  }

  @Test func aDyingWorkerIsHeldAgainstTheTrackItWasAt() {
    var transport = playingTwo()
    _ = transport.handle(.ended(generation(1)))
    #expect(transport.handle(.workerDied(failure)).first == .blame(two, failure))
    var done = playingTwo()
    _ = done.handle(.ended(generation(1)))
    _ = done.handle(.ended(generation(2)))
    #expect(done.handle(.workerDied(failure)).isEmpty, "everything it had to do is in the ring")
  }

  /// The worker went over a track that nobody waits for any more.
  @Test func aRingThatWasSpoiledByATrackLongGoneCostsNoTrack() {
    let gone = generation(999)
    var first = Transport()
    _ = first.handle(.play(one, from: .seconds(3)))
    var paused = first
    let again = Transport.Item(entry: one, generation: generation(2), start: .seconds(3))
    #expect(first.handle(.corrupted(gone, failure, isLate: false)) == [.cancelGrace, .open(again)])
    _ = paused.handle(.pause)
    #expect(paused.handle(.corrupted(gone, failure, isLate: false)) == [.silence, .startGrace])
    #expect(paused.state == .dormant(one, at: .seconds(3)))

    var second = playingTwo()
    _ = second.handle(.ended(generation(1)))
    #expect(second.handle(.corrupted(gone, failure, isLate: false)) == [.finish(after: generation(1)), .plan])
    #expect(second.handle(.successors([two])) == [.follow(item(two, 3), after: generation(1))])
    var done = playingTwo()
    _ = done.handle(.ended(generation(1)))
    _ = done.handle(.ended(generation(2)))
    #expect(
      done.handle(.corrupted(gone, failure, isLate: false)).isEmpty, "everything there is to play was taken before")
    var other = playingTwo()
    #expect(other.handle(.corrupted(gone, failure, isLate: true)).isEmpty, "another worker has its place already")
  }

  /// The track that broke the ring ended its worker too, and another one is at the next.
  @Test func aRingThatIsFoundSpoiledLateCostsNoTrackThatIsDecodedElsewhere() {
    var transport = playingTwo()
    _ = transport.handle(.ended(generation(1)))
    #expect(transport.handle(.workerDied(failure)) == [.blame(two, failure), .endOfInput(generation(2)), .plan])
    _ = transport.handle(.successors([three]))
    #expect(transport.handle(.corrupted(generation(1), failure, isLate: true)) == [.plan])
    #expect(transport.handle(.successors([three])) == [.follow(item(three, 4), after: generation(1))])
    var spoiled = playingTwo()
    _ = spoiled.handle(.ended(generation(1)))
    let actions = spoiled.handle(.corrupted(generation(1), failure, isLate: false))
    #expect(actions == [.blame(two, failure), .plan], "the one that was being decoded broke it")
  }

  @Test func aLongPauseLetsGoAndGoesOnWhereItWas() {
    var transport = playingTwo()
    #expect(transport.handle(.pause) == [.pauseSink, .startGrace])
    let here = MediaTime.seconds(42)
    #expect(transport.handle(.graceElapsed(at: here)) == [.silence, .release])
    #expect(transport.playState == .paused)
    let again = Transport.Item(entry: one, generation: generation(3), start: here)
    #expect(transport.handle(.resume) == [.cancelGrace, .open(again)])
  }

  @Test func aLostServerHoldsThePositionAndComesBackByItself() {
    var transport = playingTwo()
    let here = MediaTime.seconds(42)
    #expect(transport.handle(.lost(generation(1), at: here)) == [.idleWorker])
    #expect(transport.playState == .playing)
    let again = Transport.Item(entry: one, generation: generation(3), start: here)
    #expect(transport.handle(.connected) == [.cancelGrace, .open(again)])
  }

  @Test func aLossBehindTheJointIsOneOfTheNextTrack() {
    var transport = playingTwo()
    let here = MediaTime.seconds(1)
    #expect(transport.handle(.lost(generation(2), at: here)) == [.passed(one), .idleWorker])
    let again = Transport.Item(entry: two, generation: generation(3), start: here)
    #expect(transport.handle(.connected) == [.cancelGrace, .open(again)])
  }

  @Test func aLossBeforeAnythingWasHeardStartsWhereItWasToStart() {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .seconds(30)))
    _ = transport.handle(.lost(generation(77), at: .seconds(5)))
    #expect(transport.state == .lost(one, at: .seconds(30)))
  }

  @Test func aPauseDuringTheLossStaysAPause() {
    var transport = playingTwo()
    _ = transport.handle(.lost())
    _ = transport.handle(.pause)
    #expect(transport.handle(.connected).isEmpty)
    #expect(transport.playState == .paused)
  }

  @Test func aCallPausesAndItsEndResumesUnlessSomebodyPressedAKey() {
    var transport = playingTwo()
    #expect(transport.handle(.corkRequested) == [.pauseSink, .startGrace])
    #expect(transport.handle(.uncorkRequested) == [.cancelGrace, .resumeSink])
    _ = transport.handle(.corkRequested)
    _ = transport.handle(.pause)
    #expect(transport.handle(.uncorkRequested).isEmpty)
    #expect(transport.playState == .paused)
  }

  @Test func aSeekWhilePausedStaysPausedAndHasDroppedTheOldSound() {
    var transport = playingTwo()
    _ = transport.handle(.pause)
    let there = MediaTime.seconds(9)
    #expect(transport.handle(.jump(one, to: there)) == [.silence, .startGrace])
    #expect(transport.state == .dormant(one, at: there))
  }

  @Test func aWorkerThatNeverStartedCostsNoTrack() {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .seconds(7)))
    let again = Transport.Item(entry: one, generation: generation(2), start: .seconds(7))
    #expect(transport.handle(.workerNotStarted) == [.cancelGrace, .open(again)])
    #expect(transport.handle(.noDecoder) == [.silence, .startGrace])
    #expect(transport.state == .dormant(one, at: .seconds(7)), "it waits where it was asked to begin")
  }

  @Test func withoutADecoderWhatIsDecodedIsHeardToItsEnd() {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .zero))
    _ = transport.handle(.opened(generation(1)))
    _ = transport.handle(.ended(generation(1)))
    _ = transport.handle(.successors([two]))
    #expect(transport.handle(.workerNotStarted) == [.finish(after: generation(1)), .plan])
    _ = transport.handle(.successors([two]))
    #expect(transport.handle(.noDecoder) == [.finish(after: generation(1))])
    #expect(transport.handle(.finished(generation(1))) == [.startGrace, .playedOut(one, wasPaused: false)])
  }

  @Test(arguments: [false, true]) func whatIsOverBeforeItIsKnownToOpenIsPlayedOut(_ isPaused: Bool) {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .seconds(7)))
    if isPaused { _ = transport.handle(.pause) }
    #expect(transport.handle(.finished(generation(1))) == [.startGrace, .playedOut(one, wasPaused: isPaused)])
    #expect(transport.state == .stopped)
    #expect(transport.handle(.opened(generation(1))) == [], "nobody waits for it any more")
  }

  // MARK: Fades

  /// `one` is decoded, its end mixed into `two`.
  private func fadedIntoTwo() -> Transport {
    var transport = playingTwo()
    _ = transport.handle(.faded(generation(1), from: .seconds(7), into: generation(2)))
    #expect(transport.handle(.ended(generation(1))).isEmpty)
    return transport
  }

  private func rest(_ entry: EntryID, _ number: UInt32) -> Transport.Item {
    var item = Transport.Item(entry: entry, generation: generation(number), start: .seconds(7))
    item.isRest = true
    return item
  }

  @Test func aFadeThatIsHeardChangesNothing() {
    var transport = fadedIntoTwo()
    #expect(transport.handle(.successors([two, three])) == [.follow(item(three, 3), after: generation(2))])
    #expect(transport.handle(.audible(generation(2))) == [.passed(one)])
  }

  @Test func theRestOfATrackFollowsItWhereWhatItFadesIntoDoesNot() {
    var transport = fadedIntoTwo()
    #expect(transport.handle(.successors([three])) == [.follow(rest(one, 3), after: generation(1))])
    #expect(transport.handle(.successors([three])).isEmpty, "one file is opened at a time")
    #expect(transport.handle(.audible(generation(3))).isEmpty, "it is the same track")
    #expect(transport.handle(.opened(generation(3))) == [.plan])
    #expect(transport.handle(.successors([three])) == [.follow(item(three, 4), after: generation(3))])
    #expect(transport.handle(.audible(generation(4))) == [.passed(one)])
  }

  @Test func soItDoesWhereTheNewsCameLate() {
    var transport = playingTwo()
    #expect(transport.handle(.successors([three])) == [.follow(item(three, 3), after: generation(1))])
    _ = transport.handle(.faded(generation(1), from: .seconds(7), into: generation(2)))
    #expect(transport.handle(.ended(generation(1))) == [.plan])
    #expect(transport.handle(.successors([three])) == [.follow(rest(one, 4), after: generation(1))])
  }

  @Test func andWhereTheFollowerCannotBeOpened() {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .zero))
    _ = transport.handle(.opened(generation(1)))
    _ = transport.handle(.successors([two]))
    _ = transport.handle(.faded(generation(1), from: .seconds(7), into: generation(2)))
    _ = transport.handle(.ended(generation(1)))
    let actions = transport.handle(.failed(generation(2), failure))
    #expect(actions == [.blame(two, failure), .finish(after: generation(1)), .plan])
    #expect(transport.handle(.successors([])) == [.follow(rest(one, 3), after: generation(1))])
    #expect(transport.handle(.finished(generation(3))) == [.startGrace, .playedOut(one, wasPaused: false)])
  }

  @Test func aRestThatCannotBeHadIsNotAskedForAgain() {
    var transport = fadedIntoTwo()
    _ = transport.handle(.successors([]))
    _ = transport.handle(.failed(generation(3), failure))
    #expect(transport.handle(.successors([])).isEmpty)
  }

  /// Else a file that takes its worker over would be decoded again for ever.
  @Test func whoBreaksOffHasSaidNothingOfItsEnd() {
    var transport = Transport()
    _ = transport.handle(.play(one, from: .zero))
    _ = transport.handle(.opened(generation(1)))
    _ = transport.handle(.successors([two]))
    _ = transport.handle(.faded(generation(1), from: .zero, into: generation(2)))
    #expect(
      transport.handle(.failed(generation(1), failure)) == [
        .blame(one, failure), .endOfInput(generation(1)), .plan,
      ])
    #expect(transport.handle(.successors([two])) == [.follow(item(two, 3), after: generation(1))])
  }

  @Test func whatNoHonestWorkerSaysIsNoFade() {
    var transport = playingTwo()
    _ = transport.handle(.faded(generation(1), from: .zero, into: generation(3)))
    _ = transport.handle(.faded(generation(2), from: .zero, into: generation(1)))
    #expect(transport == playingTwo())
  }
}
