import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the socket path, the arguments, and the start and end of the daemon.
@Suite struct SocketTests {
  @Test func onlyTheOwnerCanConnect() throws {
    let daemon = try DaemonProcess()
    #expect(mode(of: daemon.socket) == 0o600)
    #expect(mode(of: daemon.socket.parent) == 0o700)
    #expect(daemon.stop() == 0)
    #expect(mode(of: daemon.socket) == nil, "a clean exit removes the socket")
  }

  @Test(arguments: ["SIGTERM", "SIGINT"])
  func signalsShutTheDaemonDownCleanly(name: String) throws {
    let daemon = try DaemonProcess()
    let client = try daemon.connect()
    try client.call("status")
    #expect(daemon.stop(name == "SIGTERM" ? SIGTERM : SIGINT) == 0)
    #expect(try client.line() == nil)
    #expect(try daemon.notification { $0.contains("STOPPING=1") }.isEmpty == false)
  }

  @Test func aClientCanShutTheDaemonDown() throws {
    let daemon = try DaemonProcess()
    let client = try daemon.connect()
    try client.call("daemon.shutdown")
    #expect(try client.line() == nil)
    #expect(daemon.waitForEnd() == 0)
  }

  @Test func sighupReloadsTheConfiguration() throws {
    let daemon = try DaemonProcess()
    daemon.signal(SIGHUP)
    let reloading = try daemon.notification { $0.contains("RELOADING=1") }
    #expect(reloading.contains("MONOTONIC_USEC="))
    _ = try daemon.notification { $0.contains("READY=1") }
    try daemon.connect().call("status")
  }

  @Test func aSecondDaemonOnTheSocketExits() throws {
    let daemon = try DaemonProcess()
    let (code, errors) = try daemon.runToEnd([])
    #expect(code == 1)
    #expect(errors.contains("\(daemon.socket)"))
    #expect(errors.contains("already"))
    try daemon.connect().call("status")
  }

  @Test func aSecondDaemonOnTheStateFolderExits() throws {
    let daemon = try DaemonProcess()
    try daemon.connect().call("repeat", #"{"mode":"one"}"#)
    let (code, errors) = try daemon.runToEnd(["--socket", "\(daemon.directory)/other/socket"])
    #expect(code == 1)
    #expect(errors.contains("XDG_STATE_HOME"))
    try daemon.connect().call("status")
  }

  @Test func aSocketLeftByACrashIsReplaced() throws {
    let daemon = try DaemonProcess()
    daemon.kill()
    #expect(mode(of: daemon.socket) != nil)
    try daemon.start()
    try daemon.connect().call("status")
  }

  enum Removal: CaseIterable { case socket, folder, renamed }

  @Test(arguments: Removal.allCases) func aRemovedSocketIsRecreated(_ removal: Removal) throws {
    let daemon = try DaemonProcess()
    let before = try daemon.connect()
    for _ in 0..<3 {
      switch removal {
      case .socket: daemon.socket.withCString { _ = unlink($0) }
      case .folder:
        // It may be recreated before `rm` has finished.
        let folder = daemon.socket.parent.description
        _ = try ChildProcess(["rm", "-rf", folder], environment: ["PATH": "/usr/bin:/bin"]).end(0)
      case .renamed: daemon.socket.withCString { #expect(rename($0, "\(daemon.socket).old") == 0) }
      }
      // Existing connections stay. The daemon notices the removal with this response or soon after it.
      try before.call("status")
      let client = waitForValue { try? daemon.connect() }
      try #require(client, "\(removal): no client can connect; \(daemon.errors)").call("status")
      #expect(mode(of: daemon.socket) == 0o600)
    }
    #expect(daemon.errors.contains("was removed; recreated it"))
    let (code, errors) = try daemon.runToEnd([])
    #expect(code == 1)
    #expect(errors.contains("already"))
    #expect(daemon.stop() == 0)
    #expect(mode(of: daemon.socket) == nil)
  }

  @Test func aSocketOfAnotherUserIsNotReplaced() throws {
    let daemon = try DaemonProcess(running: false)
    let path = daemon.directory.appending("other")
    let foreign = try UnixSocket.listen(at: path)
    let (code, errors) = try daemon.runToEnd(["--socket", path.description])
    #expect(code == 1)
    #expect(errors.contains("already"))
    // It still exists and accepts connections.
    _ = try UnixSocket.connect(to: path)
    _ = try UnixSocket.accept(from: foreign.raw)
  }

  @Test func aFileAtTheSocketPathIsNotReplaced() throws {
    let daemon = try DaemonProcess(running: false)
    let path = daemon.directory.appending("file")
    let file = path.withCString { open($0, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644) }
    close(try #require(file >= 0 ? file : nil))
    let (code, errors) = try daemon.runToEnd(["--socket", path.description])
    #expect(code == 1)
    #expect(errors.contains("not a socket"))
    #expect(mode(of: path) != nil)
  }

  @Test func aSocketPathThatIsTooLongIsReported() throws {
    let daemon = try DaemonProcess(running: false)
    let path = "\(daemon.directory)/" + String(repeating: "x", count: 120)
    let (code, errors) = try daemon.runToEnd(["--socket", path])
    #expect(code == 1)
    #expect(errors.contains("107"))
    #expect(errors.contains("\(path.utf8.count)"))
  }

  @Test func aSocketFolderThatCannotBeMadeIsReported() throws {
    let daemon = try DaemonProcess(running: false)
    // A file in place of a folder is an error for root as well.
    let (code, errors) = try daemon.runToEnd(["--socket", "/dev/null/segue/socket"])
    #expect(code == 1)
    #expect(errors.contains("/dev/null"))
  }

  @Test(arguments: [["--nonsense"], ["--socket"], ["--socket="]])
  func invalidDaemonArgumentsAreReported(arguments: [String]) throws {
    let daemon = try DaemonProcess(running: false)
    let (code, errors) = try daemon.runToEnd(arguments)
    #expect(code == 2)
    #expect(errors.contains(arguments[0].split(separator: "=")[0]))
  }

  @Test func anInheritedSocketIsServedAndNotRemoved() throws {
    let daemon = try DaemonProcess(running: false)
    let path = daemon.directory.appending("inherited")
    let listener = try UnixSocket.listen(at: path)
    // A client connected before the daemon started, as the first `segue play` does.
    let early = try SocketClient(to: path)
    try daemon.start(listener: listener.raw)
    #expect(try early.call("rpc.version")["protocol"]?.int == 1)
    #expect(daemon.stop() == 0)
    #expect(mode(of: path) != nil, "the socket belongs to the service manager")
  }

  @Test func anInheritedDescriptorThatIsNotASocketIsReported() throws {
    let daemon = try DaemonProcess(running: false)
    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let (code, errors) = try daemon.runToEnd([], listener: file)
    #expect(code == 1)
    #expect(errors.contains("inherited"))
  }

  @Test func theServiceManagerReceivesTheCurrentTrack() throws {
    let daemon = try DaemonProcess()
    #expect(try daemon.notification { $0.contains("STATUS=") }.contains("stopped"))
  }
}
