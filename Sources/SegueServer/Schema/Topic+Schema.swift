internal import SeguePlayer
internal import SegueWire

extension Topic {
  /// The schema of the data that its events carry; `Server.state(of:)` writes it.
  var schema: Schema {
    switch self {
    case .player: .named("Status")
    case .queue: .named("Queue")
    case .library: .named("LibraryStatus")
    case .output: .named("Output")
    case .settings: .named("SettingList")
    }
  }

  /// When its events are sent.
  fileprivate var summary: String {
    switch self {
    case .player: "After every change of the player but the advance of the position; a seek is such a change."
    case .queue: "After every change of the queue; `list` says what is in it."
    case .library: "After every change of what is in the library, and while a scan goes on."
    case .output: "After every change of where the sound goes, and whether it does."
    case .settings: "After a change of what a setting is, or of where that comes from."
    }
  }
}

/// The notification that tells subscribers of a topic, as the document describes it.
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
        .init("seq", .count, "Grows by one with every event of a connection."),
        .init("data", topic.schema, "The whole new state of the topic."),
      ]))
    json.endObject()
  }
}
