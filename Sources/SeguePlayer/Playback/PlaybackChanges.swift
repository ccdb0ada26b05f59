// Thread: the loop.

internal import SegueSystem
internal import SegueWire

/// The changes of playback: it finds what differs from the state that was saved and announced last, saves and announces
/// it. Nothing else does, so that no change can be forgotten.
@MainActor
final class PlaybackChanges {
  private let persistence: StatePersistence
  private let notifier: ChangeNotifier
  private var settled = State()
  /// Whether the queue itself has changed when another entry became current, which is being saved.
  private var isQueueChanged = false
  /// The requests that are completed when the playhead survives a crash.
  private var waiting: [StatePersistence.Completion] = []

  /// The state that is saved and announced.
  struct State: Equatable {
    /// The current entry of the queue.
    var current: EntryID?
    var transport = Transport()
    var stream: StreamStatus.State?
    /// The position at which a stopped player would start.
    var start: MediaTime?
    var speed = PlaybackSpeed.normal

    /// Whether the playhead must be saved, given the state that was saved last. While the position advances, it is
    /// saved at intervals.
    fileprivate func hasOtherPlayhead(than saved: State) -> Bool {
      current != saved.current || transport.requestedState != saved.transport.requestedState
        || transport.isAdvancing != saved.transport.isAdvancing
    }

    /// Whether the position may have changed by something else than its advance.
    fileprivate func hasOtherPosition(than saved: State) -> Bool {
      transport.jumps != saved.transport.jumps
        || (transport.isAdvancing && transport.plan.first?.generation != saved.transport.plan.first?.generation)
    }
  }

  init(persistence: StatePersistence, notifier: ChangeNotifier) {
    self.persistence = persistence
    self.notifier = notifier
  }

  /// Calls `then` when the playhead after the next call of `settle` survives a crash.
  func whenSaved(_ then: @escaping StatePersistence.Completion) { waiting.append(then) }

  /// Records a change of the queue that is being saved: the playhead must follow it to the disk.
  func recordChange(_ change: QueueChange) {
    if case .none = change { return }
    isQueueChanged = true
  }

  /// Saves and announces how `state` differs from the state that was passed last. `hasOrderChange`: whether the order
  /// under shuffle has changed, which is saved with the playhead.
  func settle(_ state: State, hasOrderChange: Bool) {
    let saved = settled
    settled = state
    persistence.setAdvancing(state.transport.isAdvancing)
    if state != saved { notifier.notify(.player) }
    let completions = waiting
    waiting = []
    let then: StatePersistence.Completion = { for then in completions { then() } }
    if isQueueChanged {
      isQueueChanged = false
      persistence.savePlayhead(then: then)
    } else if hasOrderChange || state.hasOtherPlayhead(than: saved) {
      persistence.confirmPlayhead(then: then)
    } else {
      if state.hasOtherPosition(than: saved) { persistence.savePosition() }
      then()
    }
  }
}
