internal import SegueLoop
internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

/// The methods for the daemon itself: subscriptions, settings, versions, counters and the end.
let daemonMethods = [
  Method(SubscribeRequest.self) { call throws(Failure) in
    let topics = try call.topics()
    call.player.synchronize()
    call.session.subscribe(to: topics)
    let versions = call.player.listVersions
    call.responder.send(
      Snapshot(
        seq: call.session.subscription.sequence, topics: call.session.topicNames, status: call.player.status,
        queue: call.player.summary, output: call.player.status.output, library: call.player.libraryStatus.status,
        settings: call.session.rights >= Topic.settings.rights ? call.player.settingList : SettingList(settings: []),
        favorites: versions.favorites,
        playlists: versions.playlists, ratings: versions.ratings,
        history: versions.history))
  },
  Method(UnsubscribeRequest.self) { call in
    call.session.unsubscribe(from: Set(call.request.topics ?? Topic.allCases))
    call.responder.send(TopicList(topics: call.session.topicNames))
  },
  Method(SettingsListRequest.self) { call in call.responder.send(call.player.settingList) },
  Method(SettingsGetRequest.self) { call throws(Failure) in
    call.responder.send(try call.player.setting(call.request.name))
  },
  Method(SettingsSetRequest.self) { call in
    call.player.set(call.request.name, to: call.request.value?.text ?? "", then: call.responder.send)
  },
  Method(SettingsResetRequest.self) { call in call.player.reset(call.request.name, then: call.responder.send) },
  Method(RPCVersionRequest.self) { call in
    call.responder.send(Versions(protocol: Version.socketProtocol, version: call.server.version))
  },
  Method(RPCDiscoverRequest.self) { call in call.responder.send(call.server.discovery) },
  Method(RPCRestrictRequest.self) { call throws(Failure) in
    try call.session.restrict(to: call.request.role)
    call.responder.send(Restriction(role: call.request.role))
  },
  Method(DaemonStatsRequest.self) { call in
    var counters = Counters()
    call.player.count(into: &counters)
    counters.clients = call.server.clients
    counters.requests = call.server.requests
    counters.wakeups = call.server.loop.iterations
    call.responder.send(counters)
  },
  Method(DaemonShutdownRequest.self) { call in
    call.responder.send(Nothing())
    call.server.requestShutdown()
  },
]

extension Call<SubscribeRequest> {
  /// Returns the topics of the request: by default, the standard ones that the client may subscribe to.
  fileprivate func topics() throws(Failure) -> Set<Topic> {
    guard let topics = request.topics else { return Set(Topic.standard.filter { session.rights >= $0.rights }) }
    for topic in topics { try session.rights.require(topic.rights, for: "the topic `\(topic.rawValue)`") }
    return Set(topics)
  }
}

extension Session {
  /// The names of the topics of the subscription, in alphabetical order.
  fileprivate var topicNames: [String] { subscription.topics.map(\.rawValue).sorted() }
}

extension SettingInput {
  /// The value in the syntax of `segue.conf`.
  fileprivate var text: String {
    switch self {
    case .flag(let flag): SettingValue.flag(flag).text
    case .whole(let number): SettingValue.whole(number).text
    case .number(let number): SettingValue.number(number).text
    case .text(let text): text
    }
  }
}
