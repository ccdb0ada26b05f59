/// A change of the queue that can be undone or redone.
public struct QueueStep: Equatable, Sendable, JSONEncodable {
  public var action: Action
  /// The number of tracks that the change has added, removed or moved. For `replace`, the number of tracks in the new queue.
  public var tracks: Int

  public init(_ action: Action, tracks: Int) {
    self.action = action
    self.tracks = tracks
  }

  /// Creates a step from an object of the protocol. Returns nil if the object is none, or has an action that this version
  /// does not know.
  public init?(_ json: JSON) {
    guard let action = json["action"]?.string.flatMap(Action.init) else { return nil }
    self.init(action, tracks: json["tracks"]?.int ?? 0)
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("action", action.rawValue)
    json.member("tracks", tracks)
    json.endObject()
  }
}

/// The changes of the queue that would be undone and redone next; nil if there are none.
public struct QueueSteps: Equatable, Sendable {
  public var undo: QueueStep?
  public var redo: QueueStep?

  public init(undo: QueueStep? = nil, redo: QueueStep? = nil) {
    self.undo = undo
    self.redo = redo
  }

  /// Writes the members of the objects that contain both steps.
  func encodeMembers(into json: inout JSONWriter) {
    json.member("undo", undo)
    json.member("redo", redo)
  }
}

/// The result of `queue.undo` and `queue.redo`.
public struct QueueStepResult: Equatable, JSONEncodable {
  /// The change that was undone or redone.
  public var step: QueueStep
  public var queue: QueueSummary

  public init(step: QueueStep, queue: QueueSummary) {
    self.step = step
    self.queue = queue
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("step", step)
    json.member("queue", queue)
    json.endObject()
  }
}
