internal import SegueLoop
internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

let daemonMethods = [
  Method(
    name: "rpc.version", summary: "The protocol's number, and the program's.",
    result: (
      name: "version",
      schema: .object([.init("protocol", .integer(1...1)), .init("version", .string)])
    )
  ) { call in
    call.reply.answer(Versions(program: call.server.version))
  },
  Method(
    name: "rpc.discover", summary: "This document.",
    result: (name: "OpenRPC Schema", schema: .object([.init("openrpc", .string)]))
  ) { call in
    call.reply.answer(call.server.discovery)
  },
  Method(
    name: "daemon.stats", summary: "Counts since the daemon started.",
    result: (name: "counters", schema: .named("Counters"))
  ) { call in
    var counters = Counters()
    call.player.count(into: &counters)
    counters.clients = call.server.clients
    counters.requests = call.server.requests
    counters.wakeups = call.server.loop.iterations
    call.reply.answer(counters)
  },
  Method(
    name: "daemon.shutdown", summary: "Answers, then ends the daemon in order; its state is kept.",
    result: (name: "nothing", schema: .object([]))
  ) { call in
    call.reply.answer(Empty())
    call.server.requestShutdown()
  },
]

/// The answer of `rpc.version`.
private struct Versions: JSONEncodable {
  let program: String

  func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("protocol", Version.socketProtocol)
    json.member("version", program)
    json.endObject()
  }
}

/// The answer of what has nothing to say.
struct Empty: JSONEncodable {
  func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.endObject()
  }
}
