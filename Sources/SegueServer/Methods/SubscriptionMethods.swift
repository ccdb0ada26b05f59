internal import SeguePlayer
internal import SegueWire

private let topics = Method.Parameter(
  name: "topics", schema: .array(of: .choice(of: Topic.self)), summary: "Default: all topics.")

let subscriptionMethods = [
  Method(
    name: "subscribe",
    summary:
      "Subscribes to topics: every later change is sent as an `event` notification. Returns the whole current state.",
    parameters: [topics], result: (name: "snapshot", schema: .named("Snapshot"))
  ) { call in
    call.session.subscribe(to: call.topics)
    call.player.synchronize()
    call.responder.send(
      Snapshot(
        sequence: call.session.subscription.sequence, topics: call.session.subscription.topics,
        status: call.player.status, queue: call.player.summary, library: call.library.status,
        settings: call.player.settingList))
  },
  Method(
    name: "unsubscribe", summary: "Unsubscribes from topics.",
    parameters: [topics], result: (name: "subscription", schema: .named("Subscription"))
  ) { call in
    call.session.unsubscribe(from: call.topics)
    call.responder.send(RemainingTopics(topics: call.session.subscription.topics))
  },
]

extension Call {
  fileprivate var topics: Set<Topic> {
    guard self["topics"] != nil else { return Set(Topic.allCases) }
    return Set(strings("topics").compactMap(Topic.init))
  }
}

/// The result of `subscribe`.
struct Snapshot: JSONEncodable {
  let sequence: UInt64
  let topics: Set<Topic>
  let status: Status
  let queue: QueueSummary
  let library: LibraryStatus
  let settings: SettingList

  func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("seq", sequence)
    json.member("topics", topics.map(\.rawValue).sorted())
    json.member("status", status)
    json.member("queue", queue)
    json.member("output", status.output)
    json.member("library", library)
    json.member("settings", settings)
    json.endObject()
  }
}

/// The result of `unsubscribe`.
struct RemainingTopics: JSONEncodable {
  let topics: Set<Topic>

  func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("topics", topics.map(\.rawValue).sorted())
    json.endObject()
  }
}
