import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the descriptor limits of the daemon.
@Suite struct DescriptorTests {
  /// Starts a daemon from a shell with descriptor limits set by `ulimit`.
  private func daemon(with ulimit: String) throws -> DaemonProcess {
    let daemon = try DaemonProcess(running: false)
    let script = daemon.directory.appending("segued")
    try AudioFile.write(Array("#!/bin/sh\n\(ulimit)\nexec \(daemon.program) \"$@\"\n".utf8), to: script)
    _ = script.withCString { chmod($0, 0o700) }
    daemon.program = script
    try daemon.start()
    return daemon
  }

  /// Systems start programs with a soft limit that programs may raise.
  @Test func moreClientsConnectThanTheSoftLimitOfDescriptors() throws {
    let daemon = try daemon(with: "ulimit -Sn 64")
    let clients = try (0..<200).map { _ in try daemon.connect() }
    for client in clients { #expect(try client.call("rpc.version")["protocol"]?.int == 1) }
  }

  /// A worker inherits the limit of the daemon and lowers it before it reads anything.
  @Test func workersStartWhenManyClientsAreConnected() throws {
    let daemon = try daemon(with: "ulimit -Sn 64")
    let track = daemon.directory.appending("a.wav")
    try AudioFile.write(AudioFile.wave(Signal.pcm(0..<100)), to: track)
    let client = try daemon.connect()
    let response = try client.call("queue.add", #"{"uris":[\#(quoted(FileURI.encode(track)))]}"#)
    #expect(response["added"]?.count == 1)
    #expect(try client.call("daemon.stats")["sandboxLacks"]?.elements?.isEmpty == true)
  }

  /// The hard limit cannot be raised. A client that connects when no descriptor is left receives an error, and the
  /// others are served. ThreadSanitizer ends a process that has no descriptor for a report, even for one that would be
  /// suppressed.
  @Test(.disabled(if: Sanitizer.isOn, "sanitizers need descriptors"))
  func aClientBeyondTheHardLimitIsDisconnected() throws {
    let daemon = try daemon(with: "ulimit -n 64")
    var clients: [SocketClient] = []
    var error: JSON?
    while error == nil {
      try #require(clients.count < 64)
      let client = try daemon.connect()
      // A rejected client may receive the error and the end of the connection before it sends a request.
      try? client.send(#"{"id":1,"method":"rpc.version"}"#)
      let response = try client.json()
      if response["result"] == nil { error = response } else { clients.append(client) }
    }
    #expect(error?["error"]?["data"]?["kind"]?.string == "too_many_clients")
    for client in clients { #expect(try client.call("rpc.version")["protocol"]?.int == 1) }
  }
}
