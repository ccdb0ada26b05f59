internal import SeguePlayer
internal import SegueWire

extension Topic {
  /// The schema of the data of the topic's events, which `Server` encodes.
  var schema: Schema {
    switch self {
    case .player: .named("Status")
    case .queue: .named("Queue")
    case .library: .named("LibraryStatus")
    case .output: .named("Output")
    case .settings: .named("SettingList")
    }
  }

  /// A description of the changes that cause an event.
  fileprivate var summary: String {
    switch self {
    case .player: "Sent after every change of the player, including seeks, but not while the position advances."
    case .queue: "Sent after every change of the queue; `list` returns its entries."
    case .library: "Sent after every change of the library, and during a scan."
    case .output: "Sent after every change of the output device or its state."
    case .settings: "Sent after a change of the value or the source of a setting."
    }
  }
}

/// A description of the notification for a topic in the OpenRPC document.
struct NotificationSchema: JSONEncodable {
  let topic: Topic

  func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("name", "event")
    json.member("topic", topic.rawValue)
    json.member("summary", topic.summary)
    json.member(
      "params",
      Schema.object([
        .init("topic", .choice([topic.rawValue])),
        .init("seq", .count, "Incremented by one with every event of the connection."),
        .init("data", topic.schema, "The whole new state of the topic."),
      ]))
    json.endObject()
  }
}
