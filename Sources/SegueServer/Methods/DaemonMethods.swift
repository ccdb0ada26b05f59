internal import SegueLoop
internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

let daemonMethods = [
  Method(
    name: "rpc.version", summary: "Returns the version of the protocol and of the program.",
    result: (
      name: "version",
      schema: .object([.init("protocol", .integer(1...1)), .init("version", .string)])
    )
  ) { call in
    call.responder.send(Versions(program: call.server.version))
  },
  Method(
    name: "rpc.discover", summary: "Returns this document.",
    result: (name: "OpenRPC Schema", schema: .object([.init("openrpc", .string)]))
  ) { call in
    call.responder.send(call.server.discovery)
  },
  Method(
    name: "daemon.stats", summary: "Returns counters since the start of the daemon.",
    result: (name: "counters", schema: .named("Counters"))
  ) { call in
    var counters = Counters()
    call.player.count(into: &counters)
    counters.clients = call.server.clients
    counters.requests = call.server.requests
    counters.wakeups = call.server.loop.iterations
    call.responder.send(counters)
  },
  Method(
    name: "daemon.shutdown", summary: "Responds, then shuts the daemon down; its state is kept.",
    result: (name: "nothing", schema: .object([]))
  ) { call in
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
