import SegueSystem
import Testing

@testable import SeguePulse

/// Tests of the decisions of playback, without a server.
@Suite struct PlaybackStateTests {
  private typealias Phase = PlaybackState.Phase

  /// Returns a state in this phase. The server has taken PCM up to frame 100.
  private func state(_ phase: Phase, paused: Bool = false, dry: Bool = false) -> PlaybackState {
    var state = PlaybackState()
    state.play(paused: false)
    switch phase {
    case .idle: state.end()
    case .prebuffering: break
    case .playing: _ = state.start(hasMore: true)
    case .rebuffering:
      _ = state.start(hasMore: true)
      runDry(&state)
      _ = state.rebuffer()
    case .ending: _ = state.playToEnd()
    case .changingFormat: _ = state.awaitFormatChange()
    }
    if dry { runDry(&state) }
    if paused { _ = state.pause() }
    return state
  }

  @discardableResult
  private func runDry(_ state: inout PlaybackState) -> PlaybackState.DryReport? {
    state.handleDryReport(at: Frames(100), written: Frames(100))
  }

  private static let phases: [Phase] = [.idle, .prebuffering, .playing, .rebuffering, .ending, .changingFormat]

  @Test(arguments: phases) func thePhaseIsReached(_ phase: PlaybackState.Phase) {
    #expect(state(phase).phase == phase)
    #expect(state(phase, paused: true).phase == phase)
  }

  // MARK: Start

  @Test func aSoundStartsOnceEnoughIsWritten() {
    var state = state(.prebuffering)
    #expect(state.start(hasMore: true) == .uncork)
    #expect(state.phase == .playing)
    #expect(state.start(hasMore: true) == .nothing)
  }

  @Test func aPausedSoundDoesNotStart() {
    var state = state(.prebuffering, paused: true)
    #expect(state.start(hasMore: true) == .nothing)
    #expect(state.phase == .prebuffering)
    #expect(state.resume() == true)
    #expect(state.continuation == .write)
  }

  @Test func aSoundThatIsWrittenCompletelyIsPlayedToItsEnd() {
    var state = state(.prebuffering)
    #expect(state.startWithoutFollower(hasMore: true) == .nothing)
    #expect(state.startWithoutFollower(hasMore: false) == .playToEnd)
    #expect(state.phase == .ending)
  }

  @Test func thePhaseEndsWithAPauseButNothingSounds() {
    var state = state(.prebuffering, paused: true)
    #expect(state.startWithoutFollower(hasMore: false) == .nothing)
    #expect(state.phase == .ending)
    #expect(state.resume() == true)
    #expect(state.continuation == .playToEnd)
  }

  // MARK: Pause

  @Test func onlyTheFirstPauseAndTheFirstResumptionCount() {
    var state = state(.playing)
    #expect(state.pause() == true)
    #expect(state.pause() == false)
    #expect(state.resume() == true)
    #expect(state.resume() == false)
  }

  @Test(
    arguments: [
      (.idle, .nothing), (.prebuffering, .write), (.playing, .uncork), (.rebuffering, .write), (.ending, .playToEnd),
      (.changingFormat, .playToEnd),
    ] as [(PlaybackState.Phase, PlaybackState.Step)])
  func playbackContinuesWhereItWasPaused(_ phase: PlaybackState.Phase, _ step: PlaybackState.Step) {
    var state = state(phase, paused: true)
    #expect(state.resume() == true)
    #expect(state.continuation == step)
  }

  @Test func afterAnUnderrunASoundContinuesInSilence() {
    var state = state(.playing, paused: true, dry: true)
    #expect(state.resume() == true)
    #expect(state.continuation == .awaitSilence)
  }

  @Test func aStopForgetsThePause() {
    var state = state(.playing, paused: true)
    state.end()
    state.stop()
    #expect(state == self.state(.idle))
  }

  // MARK: End

  @Test(arguments: phases) func aGenerationIsWrittenUnlessTheEndIsAwaited(_ phase: PlaybackState.Phase) {
    let state = state(phase)
    let isWriting = [.prebuffering, .playing, .rebuffering].contains(phase)
    #expect(state.isWriting == isWriting)
    #expect(state.continuationAfterEdit(hasMore: true) == (isWriting ? .write : .nothing))
    #expect(state.continuationAfterEdit(hasMore: false) == (isWriting ? .handleEnd : .nothing))
  }

  @Test func theEndOfTheStreamFinishesOrChangesTheFormat() {
    for phase in Self.phases {
      var state = state(phase)
      let step = state.handleEndOfStream()
      switch phase {
      case .ending: #expect(step == .finish && state.phase == .ending)
      case .changingFormat: #expect(step == .changeStream && state.phase == .prebuffering)
      case .idle, .prebuffering, .playing, .rebuffering: #expect(step == .nothing && state.phase == phase)
      }
    }
  }

  @Test func aTrackThatIsEnqueuedAtTheEndIsWritten() {
    var state = state(.ending)
    #expect(state.resumeWriting() == false)
    #expect(state.phase == .playing)
    state = self.state(.ending, dry: true)
    #expect(state.resumeWriting() == true, "the server has run dry: PCM waits for the silence")
    #expect(state.isRunningDry)
    state = self.state(.prebuffering)
    #expect(state.resumeWriting() == false)
    #expect(state.phase == .prebuffering)
  }

  // MARK: Underruns

  @Test func anUnderrunIsNewOnce() {
    var state = state(.playing)
    #expect(runDry(&state) == .underrun(isNew: true))
    #expect(runDry(&state) == .underrun(isNew: false))
    #expect(state.isRunningDry)
    state.handleUncork()
    #expect(!state.isRunningDry)
    #expect(runDry(&state) == .underrun(isNew: true))
    #expect(state.countUnderrun() == 1)
    #expect(state.countUnderrun() == 2)
  }

  @Test func reportsAboutAnEarlierSoundAreIgnored() {
    var state = state(.playing)
    #expect(state.handleDryReport(at: Frames(50), written: Frames(100)) == nil)
    #expect(state.handleDryReport(at: nil, written: Frames(100)) == nil)
    state.confirmPlaying()
    #expect(state.handleDryReport(at: Frames(50), written: Frames(100)) == .underrun(isNew: true))
    state.end()
    #expect(state.handleDryReport(at: Frames(100), written: Frames(100)) == nil)
  }

  @Test func theEndOfASoundIsNoUnderrun() {
    var state = state(.ending)
    #expect(runDry(&state) == .atEnd)
    #expect(!state.isRunningDry)
  }

  @Test func theStreamIsCorkedAfterAnUnderrunUntilThereIsAHeadStart() {
    var state = state(.playing)
    #expect(state.rebuffer() == false, "the server has not run dry")
    runDry(&state)
    #expect(state.rebuffer() == true)
    #expect(state.phase == .rebuffering)
    #expect(state.endRebuffering() == true)
    #expect(state.phase == .playing)
  }

  @Test func aPauseDelaysTheRecovery() {
    var state = state(.playing, paused: true, dry: true)
    #expect(state.rebuffer() == false)
    state = self.state(.rebuffering, paused: true)
    #expect(state.endRebuffering() == false)
    #expect(state.phase == .rebuffering)
  }

  @Test func roomIsAwaitedOnlyDuringARecovery() {
    var state = state(.rebuffering)
    #expect(!state.awaitsRoom)
    #expect(state.setLacksRoom(true) == true)
    #expect(state.setLacksRoom(true) == false)
    #expect(state.awaitsRoom)
    #expect(state.pause() == true)
    #expect(!state.awaitsRoom)
    #expect(state.resume() == true)
    #expect(state.endRebuffering() == true)
    #expect(!state.awaitsRoom)
    runDry(&state)
    #expect(state.rebuffer() == true)
    #expect(!state.awaitsRoom, "each recovery begins without a lack")
  }
}
