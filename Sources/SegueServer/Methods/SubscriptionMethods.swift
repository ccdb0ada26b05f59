internal import SeguePlayer
internal import SegueWire

let subscriptionMethods = [
  Method(SubscribeRequest.self) { call in
    call.session.subscribe(to: Set(call.request.topics ?? Topic.allCases))
    call.player.synchronize()
    call.responder.send(
      Snapshot(
        sequence: call.session.subscription.sequence, topics: call.session.subscription.topics,
        status: call.player.status, queue: call.player.summary, library: call.library.status,
        settings: call.player.settingList))
  },
  Method(UnsubscribeRequest.self) { call in
    call.session.unsubscribe(from: Set(call.request.topics ?? Topic.allCases))
    call.responder.send(RemainingTopics(topics: call.session.subscription.topics))
  },
]

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
