internal import SegueFrontend
internal import SegueWire

/// The verbs `undo` and `redo`.
enum HistoryVerbs {
  @Sendable static func undo(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    context.print(try context.call(ClientRequest("queue.undo"))) { sentence("undid", $0) }
  }

  @Sendable static func redo(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    context.print(try context.call(ClientRequest("queue.redo"))) { sentence("redid", $0) }
  }

  /// Returns a sentence such as "undid the removal of 3 tracks; 12 in the queue".
  private static func sentence(_ done: String, _ result: JSON) -> String {
    let left = result["queue"]?["length"]?.int.map { "; \($0) in the queue" } ?? ""
    return "\(done) \(description(of: result["step"].flatMap(QueueStep.init)))\(left)"
  }

  /// Returns a description of a change; nil is a change that only a later version of the daemon knows.
  private static func description(of step: QueueStep?) -> String {
    guard let step else { return "a change of the queue" }
    let tracks = counted(step.tracks, "track")
    return switch step.action {
    case .add: "the addition of \(tracks)"
    case .remove: "the removal of \(tracks)"
    case .move: "the move of \(tracks)"
    case .clear: "the removal of all tracks (\(step.tracks))"
    case .replace: "the replacement of the queue by \(tracks)"
    }
  }
}
