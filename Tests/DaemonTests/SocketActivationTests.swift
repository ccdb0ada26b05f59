import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// A daemon that the first client starts, by systemd's own program: its sockets are others than ours, blocking ones.
@Suite struct SocketActivationTests {
  @Test func theFirstClientStartsItAndEveryClientIsServed() throws {
    // For its folders and its environment.
    let daemon = try DaemonProcess(running: false)
    let socket = daemon.directory.appending("activated")
    let environment = daemon.environment.merging(Sanitizer.environment) { $1 }.map { "--setenv=\($0.key)=\($0.value)" }
    let activation = try ChildProcess(
      ["systemd-socket-activate", "--listen=\(socket)"] + environment + [daemon.program.description],
      environment: daemon.environment)
    defer { activation.end(SIGKILL) }
    let first = try #require(look { try? SocketClient(to: socket) })
    // With no other one coming.
    #expect(try first.call("status")["state"]?.string == "stopped")
    let second = try SocketClient(to: socket)
    #expect(try second.call("status")["state"]?.string == "stopped")
    #expect(try first.call("rpc.version")["protocol"]?.int == 1)
  }
}
