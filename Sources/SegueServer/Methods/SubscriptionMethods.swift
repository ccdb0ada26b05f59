internal import SeguePlayer
internal import SegueWire

private let topics = Method.Parameter(
  name: "topics", schema: .array(of: .choice(Topic.allCases.map(\.rawValue))), summary: "Left out: all of them.")

let subscriptionMethods = [
  Method(
    name: "subscribe",
    summary: "Tells of changes from now on, as `event` notifications; the answer holds the whole state as it is now.",
    parameters: [topics], result: (name: "snapshot", schema: .named("Snapshot"))
  ) { call in
    call.session.subscription.add(call.topics)
    call.reply.answer(
      Snapshot(
        sequence: call.session.subscription.sequence, topics: call.session.subscription.topics,
        status: call.player.status, queue: call.player.summary, library: call.library.status,
        settings: call.player.settingList))
  },
  Method(
    name: "unsubscribe", summary: "Tells of them no longer.",
    parameters: [topics], result: (name: "subscription", schema: .named("Subscription"))
  ) { call in
    call.session.subscription.remove(call.topics)
    call.reply.answer(Remaining(topics: call.session.subscription.topics))
  },
]

extension Call {
  fileprivate var topics: Set<Topic> {
    guard self["topics"] != nil else { return Set(Topic.allCases) }
    return Set(strings("topics").compactMap(Topic.init))
  }
}

/// The answer of `subscribe`.
private struct Snapshot: JSONEncodable {
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

/// The answer of `unsubscribe`.
private struct Remaining: JSONEncodable {
  let topics: Set<Topic>

  func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("topics", topics.map(\.rawValue).sorted())
    json.endObject()
  }
}
