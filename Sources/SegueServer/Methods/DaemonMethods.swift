internal import SegueLoop
internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

let daemonMethods = [
  Method(RPCVersionRequest.self) { call in
    call.responder.send(Versions(protocol: Version.socketProtocol, version: call.server.version))
  },
  Method(RPCDiscoverRequest.self) { call in call.responder.send(call.server.discovery) },
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
