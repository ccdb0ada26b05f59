import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests with many requests, many clients, and clients that do not read.
@Suite struct ProtocolFlowTests {
  let daemon: DaemonProcess

  init() throws { daemon = try DaemonProcess() }

  @Test(
    .enabled(
      if: CurrentProcess.raiseDescriptorLimit() >= 1_100, "the hard limit of descriptors (ulimit -Hn) is below 1,100"))
  func theClientBeyondTheLimitIsRejectedUntilAnotherLeaves() throws {
    var clients: [SocketClient] = []
    for _ in 0..<1_024 { clients.append(try daemon.connect()) }
    for client in clients { try client.send(#"{"id":1,"method":"rpc.version"}"#) }
    for client in clients { #expect(try client.json()["result"] != nil) }
    let surplus = try daemon.connect()
    let error = try surplus.json()
    #expect(error["error"]?["code"]?.int == 8)
    #expect(error["error"]?["data"]?["kind"]?.string == "too_many_clients")
    #expect(try surplus.line() == nil)

    let left = clients.removeLast()
    left.finish()
    #expect(try left.line() == nil)
    #expect(try daemon.connect().call("daemon.stats")["clients"]?.int == 1_024)
  }
}
