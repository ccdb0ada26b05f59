internal import SegueClientKit
internal import SegueRPC
internal import SegueWire

/// The verbs `undo` and `redo`.
enum HistoryVerbs {
  static let undo = Verb(
    "undo", .queue, "", 0...0, tr("undo the last change of the queue"),
    details: tr(
      """
      Undoes every change of the queue by a command, one change after another, up
      to 20; also after a restart of the daemon. The current track continues if it
      stays in the queue.

        segue clear
        segue undo                     the queue is as before
      """), run: undo)

  static let redo = Verb(
    "redo", .queue, "", 0...0, tr("redo the change that was undone last"),
    details: tr(
      """
      After another change of the queue, changes that were undone before cannot be
      redone any more.

        segue redo
      """), run: redo)

  @Sendable static func undo(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let result = try context.call(QueueUndoRequest())
    context.print(result) { QueueChangeLine.text(undone($0.step), left: $0.queue.length) }
    if context.style.isTerminal, !context.printsJSON { printContinuation(after: result.value.step, context) }
  }

  /// Prints how playback goes on if entries have returned and it does not go on by itself.
  private static func printContinuation(after step: QueueStep?, _ context: VerbContext) {
    switch step?.action {
    case .clear, .replace, .remove: break
    case .add, .move, nil: return
    }
    // The step is done, whether the state is known or not.
    guard let status = (try? context.call(StatusRequest()))?.value, status.length > 0 else { return }
    switch status.state {
    case .playing: break
    case .paused: context.console.printLine(tr("playback is paused;   segue play   resumes it"))
    case .stopped: context.console.printLine(tr("playback is stopped;   segue play   starts it"))
    }
  }

  @Sendable static func redo(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    context.print(try context.call(QueueRedoRequest())) {
      QueueChangeLine.text(redone($0.step), left: $0.queue.length)
    }
  }

  /// Returns the message about an undone change; nil is a change that only a later version of the daemon knows.
  private static func undone(_ step: QueueStep?) -> String {
    guard let step else { return tr("undid a change of the queue") }
    let count = step.tracks
    return switch step.action {
    case .add: trn("undid the addition of %1$d track", "undid the addition of %1$d tracks", count)
    case .remove: trn("undid the removal of %1$d track", "undid the removal of %1$d tracks", count)
    case .move: trn("undid the move of %1$d track", "undid the move of %1$d tracks", count)
    case .clear: tr("undid the removal of all tracks (%1$d)", count)
    case .replace:
      trn(
        "undid the replacement of the queue by %1$d track", "undid the replacement of the queue by %1$d tracks", count)
    }
  }

  /// Returns the message about a redone change; nil is a change that only a later version of the daemon knows.
  private static func redone(_ step: QueueStep?) -> String {
    guard let step else { return tr("redid a change of the queue") }
    let count = step.tracks
    return switch step.action {
    case .add: trn("redid the addition of %1$d track", "redid the addition of %1$d tracks", count)
    case .remove: trn("redid the removal of %1$d track", "redid the removal of %1$d tracks", count)
    case .move: trn("redid the move of %1$d track", "redid the move of %1$d tracks", count)
    case .clear: tr("redid the removal of all tracks (%1$d)", count)
    case .replace:
      trn(
        "redid the replacement of the queue by %1$d track", "redid the replacement of the queue by %1$d tracks", count)
    }
  }
}
