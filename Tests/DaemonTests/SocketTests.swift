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

  @Test func aFolderToWhichEveryUserMayWriteIsRefused() throws {
    let daemon = try DaemonProcess(running: false)
    let folder = daemon.socket.parent
    try Folder.create(folder)
    folder.withCString { _ = chmod($0, 0o777) }
    let (code, errors) = try daemon.runToEnd([])
    #expect(code == 1)
    #expect(errors.contains("other users may write to the folder \(folder) of the socket; `chmod go-w \(folder)`"))
    // Nobody else can replace the socket in a folder with the sticky bit, such as /tmp.
    folder.withCString { _ = chmod($0, 0o1777) }
    try daemon.start()
    try daemon.connect().call("status")
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a folder to another group"))
  func aFolderToWhichAnotherGroupMayWriteIsRefused() throws {
    let daemon = try DaemonProcess(running: false)
    let (folder, state) = (daemon.socket.parent, daemon.directory.appending("home/.local/state/segue"))
    for folder in [folder, state] {
      try Folder.create(folder)
      folder.withCString {
        _ = chown($0, geteuid(), 100)
        _ = chmod($0, 0o770)
      }
    }
    let (code, errors) = try daemon.runToEnd([])
    #expect(code == 1)
    #expect(errors.contains("other users may write to the folder \(folder) of the socket; `chmod go-w \(folder)`"))
    // The group of the user is harmless.
    folder.withCString { _ = chown($0, geteuid(), getegid()) }
    try daemon.start()
    #expect(daemon.errors.contains("other users may change the files in \(state); `chmod go-w \(state)`"))
  }

  @Test(.enabled(if: geteuid() == 0, "only root can act as another user"))
  func aLinkOfAnotherUserInPlaceOfTheFolderIsRefused() throws {
    let daemon = try DaemonProcess(running: false)
    let own = daemon.directory.appending("own")
    try Folder.create(own)
    let folder = daemon.socket.parent
    _ = own.withCString { own in folder.withCString { symlink(own, $0) } }
    folder.withCString { _ = lchown($0, 54_321, 54_321) }
    let (code, errors) = try daemon.runToEnd([])
    #expect(code == 1)
    #expect(errors.contains("the folder \(folder) of the socket belongs to another user"))
  }

  @Test func aStateFolderToWhichEveryUserMayWriteIsNamedInTheLog() throws {
    let daemon = try DaemonProcess(running: false)
    let folder = daemon.directory.appending("home/.local/state/segue")
    try Folder.create(folder)
    folder.withCString { _ = chmod($0, 0o777) }
    try daemon.start()
    #expect(daemon.errors.contains("other users may change the files in \(folder); `chmod go-w \(folder)`"))
  }

  @Test func filesOfTheDaemonAreForTheUserOnlyWhateverTheUmask() throws {
    let daemon = try DaemonProcess(running: false)
    let program = daemon.program
    let script = daemon.directory.appending("segued")
    try SmallFile.write(Array("#!/bin/sh\numask 0\nexec \(program) \"$@\"\n".utf8), to: script)
    script.withCString { _ = chmod($0, 0o700) }
    daemon.program = script
    try daemon.start()
    let client = try daemon.connect()
    try AudioFile.write(AudioFile.wave(Signal.pcm(0..<4_410)), to: daemon.directory.appending("a.wav"))
    try client.call("queue.add", #"{"uris":["\#(FileURI.encode(daemon.directory.appending("a.wav")))"]}"#)
    try client.call("playlists.save", #"{"name":"private"}"#)
    let find = ["find", "\(daemon.directory)/home", "\(daemon.runtimeFolder)", "-perm", "/077"]
    let found = try ChildProcess.run(find, environment: ["PATH": "/usr/bin:/bin"]).text
    #expect(found.isEmpty, "other users may access \(found)")
  }

  /// Additions are refused before an allocation fails, which would end the daemon.
  @Test(.disabled(if: Sanitizer.isOn, "sanitizers reserve address space that counts for the limit"))
  func aLimitOfMemoryDoesNotEndTheDaemon() throws {
    let daemon = try DaemonProcess()
    let client = try daemon.connect()
    // The threads that the daemon starts when it starts need memory, too.
    try client.call("queue.add", #"{"uris":["http://127.0.0.1:9/first"]}"#)
    try waitUntil("the library is scanned") { try client.call("library.status")["scanning"]?.bool == false }
    let pid = try #require(daemon.pid)
    let used = try String(decoding: SmallFile.read(FilePath("/proc/\(pid)/status"), upTo: 1 << 16), as: UTF8.self)
      .split(separator: "\n").first { $0.hasPrefix("VmData:") }?.split(separator: " ").dropFirst().first.flatMap {
        Int($0)
      }
    let limit = try (#require(used) + 24 << 10) << 10
    #expect(
      try ChildProcess(["prlimit", "--pid", "\(pid)", "--data=\(limit)"], environment: ["PATH": "/usr/bin"]).end(0) == 0
    )
    let uris = (0..<20_000).map { "\"http://127.0.0.1:9/\($0)\"" }.joined(separator: ",")
    for method in ["queue.add", "queue.replace"] {
      #expect(try client.errorResponse(to: method, #"{"uris":[\#(uris)]}"#).kind == "too_large")
    }
    try client.call("queue.add", #"{"uris":["http://127.0.0.1:9/one"]}"#)
    #expect(try client.call("list")["total"]?.int == 2)
  }

  /// A clock of 64-bit nanoseconds ends in April 2262. The time passes its end, and the year 9999.
  @Test(
    .disabled(if: Sanitizer.isOn, "the program that finds the names for a report gets the clock, too, and fails"),
    arguments: [236 * 31_556_952, 7_970 * 31_556_952])
  func aClockFarInTheFutureDoesNotEndTheDaemon(seconds: Int) throws {
    let daemon = try DaemonProcess(
      environment: [
        "LD_PRELOAD": WorkerProcess.product("libFaultInjection.so").description, "LATER_CLOCK": "\(seconds)",
      ])
    let client = try daemon.connect()
    try AudioFile.write(AudioFile.wave(Signal.pcm(0..<4_410)), to: daemon.directory.appending("a.wav"))
    try client.call("queue.add", #"{"uris":["\#(FileURI.encode(daemon.directory.appending("a.wav")))"]}"#)
    try client.call("play")
    try client.call("favorites.add", #"{"uris":["\#(FileURI.encode(daemon.directory.appending("a.wav")))"]}"#)
    try client.call("playlists.save", #"{"name":"later"}"#)
    for request in ["status", "playlists.list", "favorites.list", "history.list", "daemon.stats"] {
      try client.call(request)
    }
    try client.call("sleep", #"{"seconds":60}"#)
    try client.call("library.search", #"{"query":"added:1d"}"#)
    #expect(daemon.stop() == 0)
    try daemon.start()
    #expect(try daemon.connect().call("list")["total"]?.int == 1)
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
