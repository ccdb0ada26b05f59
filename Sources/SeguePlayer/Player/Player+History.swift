public import SegueWire

/// Requests that undo and redo changes of the queue.
///
/// What plays continues, unless the undone or redone change has added its entry: then the entry from which that change
/// led away continues at its position, and otherwise the successor plays. An undone or redone change starts no
/// playback.
extension Player {
  /// Undoes the last change of the queue. If requests still add to the queue as part of it, they fail as `cancelled`.
  public func undo(then: @escaping Completion<QueueStepResult>) {
    step(.undo, orFail: Failure(.nothingToUndo, "there is nothing to undo"), then: then)
  }

  /// Redoes the change that was undone last, unless the queue was changed since.
  public func redo(then: @escaping Completion<QueueStepResult>) {
    step(.redo, orFail: Failure(.nothingToRedo, "there is nothing to redo"), then: then)
  }

  private func step(
    _ direction: QueueHistory.Direction, orFail failure: Failure, then: @escaping Completion<QueueStepResult>
  ) {
    queue.whenIdle { [self] in
      let isAdditionUndone = direction == .undo && queue.isAdditionNewest
      queue.step(direction, then: then) { [self] outcome in
        guard let outcome else { return then(.failure(failure)) }
        if isAdditionUndone { addRequests.cancelRunning(because: LocalizableMessage("the addition was undone")) }
        probes.schedule(outcome.inserted)
        notifier.notify(.player)
        if let resumed = outcome.resumed {
          playback.resume(at: resumed)
        } else {
          playback.continueAfter(outcome.removal, orFrom: nil)
        }
      }
    }
  }
}
