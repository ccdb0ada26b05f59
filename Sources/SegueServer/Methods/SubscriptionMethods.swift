internal import SeguePlayer
internal import SegueWire

let subscriptionMethods = [
  Method(SubscribeRequest.self) { call in
    call.session.subscribe(to: Set(call.request.topics ?? Topic.allCases))
    call.player.synchronize()
    let versions = call.player.listVersions
    call.responder.send(
      Snapshot(
        seq: call.session.subscription.sequence, topics: call.session.topicNames, status: call.player.status,
        queue: call.player.summary, output: call.player.status.output, library: call.player.libraryStatus.status,
        settings: call.player.settingList, favorites: versions.favorites,
        playlists: versions.playlists, ratings: versions.ratings,
        history: versions.history))
  },
  Method(UnsubscribeRequest.self) { call in
    call.session.unsubscribe(from: Set(call.request.topics ?? Topic.allCases))
    call.responder.send(TopicList(topics: call.session.topicNames))
  },
]

extension Session {
  /// The names of the topics of the subscription, in alphabetical order.
  fileprivate var topicNames: [String] { subscription.topics.map(\.rawValue).sorted() }
}
