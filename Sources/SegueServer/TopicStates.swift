// Thread: the loop.

internal import SeguePlayer
internal import SegueWire

/// The encoded states of the topics, and the topics that changed since the subscribers were notified.
@MainActor
final class TopicStates {
  private var states: [Topic: [UInt8]] = [:]
  private var changed: [Topic] = []

  var hasChanges: Bool { !changed.isEmpty }

  func markChanged(_ topic: Topic) {
    states[topic] = nil
    if !changed.contains(topic) { changed.append(topic) }
  }

  /// Returns the changed topics and regards them as unchanged from now on.
  func takeChanges() -> [Topic] {
    defer { changed = [] }
    return changed
  }

  /// Returns the whole state of `topic`, as its events carry it. It is encoded once after each change.
  func state(of topic: Topic, in player: Player) -> [UInt8] {
    if let known = states[topic] { return known }
    var json = JSONWriter()
    switch topic {
    case .player: player.status.encode(into: &json)
    case .queue: player.summary.encode(into: &json)
    case .output: player.status.output.encode(into: &json)
    case .library: player.library.status.encode(into: &json)
    case .settings: player.settingList.encode(into: &json)
    }
    states[topic] = json.bytes
    return json.bytes
  }
}
