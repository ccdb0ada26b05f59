import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of a daemon that systemd-socket-activate starts. Its sockets are blocking, unlike those of the daemon.
@Suite struct SocketActivationTests {
  @Test func socketActivationServesTheFirstAndLaterClients() throws {
    // Only its folders and environment are used.
    let daemon = try DaemonProcess(running: false)
    let socket = daemon.directory.appending("activated")
    let environment = daemon.environment.merging(Sanitizer.environment) { $1 }.map { "--setenv=\($0.key)=\($0.value)" }
    let activation = try ChildProcess(
      ["systemd-socket-activate", "--listen=\(socket)"] + environment + [daemon.program.description],
      environment: daemon.environment)
    defer { activation.end(SIGKILL) }
    let first = try #require(waitForValue { try? SocketClient(to: socket) })
    // No other connection wakes the daemon.
    #expect(try first.call("status")["state"]?.string == "stopped")
    let second = try SocketClient(to: socket)
    #expect(try second.call("status")["state"]?.string == "stopped")
    #expect(try first.call("rpc.version")["protocol"]?.int == 1)
  }
}
