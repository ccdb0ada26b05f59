internal import SegueLoop
internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

let daemonMethods = [
  Method(RpcVersionRequest.self) { call in call.responder.send(Versions(program: call.server.version)) },
  Method(RpcDiscoverRequest.self) { call in call.responder.send(call.server.discovery) },
  Method(DaemonStatsRequest.self) { call in
    var counters = Counters()
    call.player.count(into: &counters)
    counters.clients = call.server.clients
    counters.requests = call.server.requests
    counters.wakeups = call.server.loop.iterations
    call.responder.send(counters)
  },
  Method(DaemonShutdownRequest.self) { call in
    call.responder.send(Empty())
    call.server.requestShutdown()
  },
]

/// The result of `rpc.version`.
private struct Versions: JSONEncodable {
  let program: String

  func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("protocol", Version.socketProtocol)
    json.member("version", program)
    json.endObject()
  }
}

/// The result of a method that returns nothing.
struct Empty: JSONEncodable {
  func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.endObject()
  }
}
