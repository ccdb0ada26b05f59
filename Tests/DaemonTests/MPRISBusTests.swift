import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests with a session bus that starts late, exits, restarts, hangs or is missing.
@Suite struct MPRISBusTests {
  /// Returns the log lines of the daemon about the bus.
  private func busMessages(_ daemon: DaemonProcess) -> [Substring] {
    daemon.errors.split(separator: "\n").filter { $0.contains("bus") || $0.contains("D-Bus") || $0.contains("MPRIS") }
  }

  @Test func aMissingSessionBusIsNoError() throws {
    let daemon = try DaemonProcess(running: false)
    daemon.environment["XDG_RUNTIME_DIR"] = nil
    daemon.environment["SEGUE_SOCKET"] = daemon.socket.description
    try daemon.start()
    #expect(try daemon.connect().call("status")["state"]?.string == "stopped")
    daemon.kill()
    // No bus can be reached at these addresses.
    for address in [
      "unix:path=\(daemon.directory)/nowhere/bus", "tcp:host=localhost,port=1", "autolaunch:", "nonsense",
    ] {
      daemon.environment["DBUS_SESSION_BUS_ADDRESS"] = address
      try daemon.start()
      #expect(try daemon.connect().call("status")["state"]?.string == "stopped")
      #expect(daemon.stop() == 0)
    }
    #expect(busMessages(daemon).isEmpty, "\(daemon.errors)")
  }

  @Test func aSessionBusThatStartsLateAndRestartsIsFound() throws {
    let fixture = try DaemonFixture(.null("test"))
    try fixture.add([try fixture.track("long", 0..<(60 * Signal.rate))], play: true)
    try fixture.wait { $0.rate == 1 }
    let desktop = try DesktopSession(fixture.daemon)
    #expect(try desktop.playerctl("status") == "Playing")
    // A crash leaves the socket, and a clean exit removes it.
    for signal in [SIGKILL, SIGTERM] {
      desktop.bus.kill(signal)
      try fixture.call("pause")
      try desktop.bus.start()
      try desktop.waitForName()
      #expect(try desktop.playerctl("status") == "Paused")
      try fixture.call("play")
      try desktop.wait(until: "Playing", "status")
    }
    #expect(try fixture.status().output.underruns == 0)
    #expect(busMessages(fixture.daemon).isEmpty, "\(fixture.daemon.errors)")
  }

  /// The address is escaped, and the folder is created late.
  @Test func theSessionBusOfTheEnvironmentIsUsed() throws {
    let daemon = try DaemonProcess(running: false)
    let folder = daemon.directory.appending("a folder")
    let socket = folder.appending("b;us")
    daemon.environment["DBUS_SESSION_BUS_ADDRESS"] =
      "tcp:host=localhost,port=1;unix:path=\(daemon.directory)/a%20folder/b%3bus,guid=00112233445566778899aabbccddeeff"
    try daemon.start()
    folder.withCString { _ = mkdir($0, 0o700) }
    let bus = try SessionBus(at: socket)
    try waitUntil("the daemon is on the bus", every: .milliseconds(20)) {
      try bus.run(["busctl", "--user", "--acquired", "list"]).text.contains(DesktopSession.name)
    }
  }

  /// As with systemd, the socket is bound first and listens later, without a notification.
  @Test func aSessionBusThatListensLateIsFound() throws {
    let daemon = try DaemonProcess()
    let pid = try #require(daemon.pid)
    let bus = try SessionBus(at: daemon.runtimeFolder.appending("bus"), running: false)
    try bus.startInheriting { try Processes.waitForRest(of: pid) }
    try waitUntil("the daemon is on the bus", every: .milliseconds(20)) {
      try bus.run(["busctl", "--user", "--acquired", "list"]).text.contains(DesktopSession.name)
    }
  }

  @Test func aTakenBusNameIsNotReplaced() throws {
    let first = try DesktopSession(try DaemonProcess())
    let address = first.bus.address
    let second = try DaemonProcess(environment: ["DBUS_SESSION_BUS_ADDRESS": address])
    let instance = "\(DesktopSession.name).instance\(try #require(second.pid))"
    try first.waitForName(instance)
    #expect(try first.names().filter { $0.hasPrefix(DesktopSession.name) }.sorted() == [DesktopSession.name, instance])
    // The bus announces the other name before the daemon does.
    try waitUntil("the log says that the name is taken", every: .milliseconds(20)) { !busMessages(second).isEmpty }
    #expect(busMessages(second).count == 1)
    #expect(busMessages(first.daemon).isEmpty)
    #expect(second.stop() == 0)
    #expect(try !first.names().contains(instance))
  }

  /// Signals for a bus that does not read are not queued. The present state is sent when it reads again.
  @Test func aHangingSessionBusDoesNotDelayClients() throws {
    let fixture = try DaemonFixture(.null("test"))
    let desktop = try DesktopSession(fixture.daemon)
    try fixture.add([try fixture.track("long", 0..<(60 * Signal.rate))], play: true)
    try fixture.wait { $0.rate == 1 }
    let signals = try desktop.monitorSignals()
    let pid = try #require(fixture.daemon.pid)
    desktop.bus.freeze()
    // Each request is a change that is announced.
    func change(_ count: Int) throws {
      for number in 1...count { try fixture.client.call("volume", #"{"level":\#(number % 100)}"#) }
    }
    try change(3_000)
    let before = Processes.privateDirty(of: pid)
    try change(5_000)
    let grown = Processes.privateDirty(of: pid) - before
    #expect(Sanitizer.isOn || grown < 256 << 10, "\(grown) bytes")
    try fixture.client.call("volume", #"{"level":77}"#)
    #expect(try fixture.status().output.underruns == 0)
    desktop.bus.thaw()
    let changes = try signals.signals { $0.changes?["Volume"]?["data"]?.double == 0.77 }
    #expect(changes.count < 1_000, "\(changes.count)")
    #expect(try desktop.playerctl("volume") == "0.770000")
  }

  /// Other clients are served, playback continues, and no output is queued for a peer that does not read.
  @Test func aFloodOfBusCallsDoesNotDelayClients() throws {
    let fixture = try DaemonFixture(.null("test"))
    let desktop = try DesktopSession(fixture.daemon)
    try fixture.add([try fixture.track("long", 0..<(60 * Signal.rate))], play: true)
    try fixture.wait { $0.rate == 1 }
    let pid = try #require(fixture.daemon.pid)
    let flood = try RawBusClient(at: desktop.bus.socket)
    try flood.callAll(of: DesktopSession.name, times: 500)
    let before = Processes.privateDirty(of: pid)
    try flood.callAll(of: DesktopSession.name, times: 5_000)
    for _ in 0..<200 { #expect(try fixture.status().state == .playing) }
    #expect(try desktop.playerctl("status") == "Playing")
    let grown = Processes.privateDirty(of: pid) - before
    #expect(Sanitizer.isOn || grown < 1 << 20, "\(grown) bytes")
    #expect(try fixture.status().output.underruns == 0)
    withExtendedLifetime(flood) {}
  }

  /// Each message is rejected. Oversized messages are not copied.
  @Test func malformedBusMessagesAreRejected() throws {
    let fixture = try DaemonFixture(.null("test"))
    let desktop = try DesktopSession(fixture.daemon)
    let ids = try fixture.add([try fixture.track("long", 0..<(60 * Signal.rate))], play: true)
    try fixture.wait { $0.rate == 1 }
    let peer = try RawBusClient(at: desktop.bus.socket)
    let properties = "org.freedesktop.DBus.Properties"
    let long = String(repeating: "a", count: 4 << 20)

    var open = RawBusClient.Body("s")
    open.add("file:///" + long)
    var add = RawBusClient.Body("sob")
    add.add("http://" + long)
    add.add("/")
    add.add(UInt32(1))
    let path = Array("/org/segue/Track/1".utf8) + [0, 0]
    var paths = RawBusClient.Body("ao")
    // The padding after the last element is not part of the array.
    paths.add(UInt32(100_000 * (4 + path.count) - 1))
    for _ in 0..<100_000 { paths.bytes += [18, 0, 0, 0] + path }
    paths.bytes.removeLast()
    // An array and a variant in place of a number.
    var withArray = RawBusClient.Body("ssv")
    var withVariant = RawBusClient.Body("ssv")
    for text in [DesktopSession.player, "Volume"] {
      withArray.add(text)
      withVariant.add(text)
    }
    withArray.add(type: "ad")
    withArray.add(UInt32(0))
    withArray.pad(to: 8)
    for type in ["v", "v", "d"] { withVariant.add(type: type) }
    withVariant.add(UInt64(0))
    var unsigned = RawBusClient.Body("t")
    unsigned.add(UInt64.max)
    let calls = [
      (DesktopSession.player, "OpenUri", open), (DesktopSession.trackList, "AddTrack", add),
      (DesktopSession.trackList, "GetTracksMetadata", paths), (properties, "Set", withArray),
      (properties, "Set", withVariant),
      (DesktopSession.player, "Seek", unsigned), (DesktopSession.player, "Next", unsigned),
    ]
    for (interface, member, body) in calls {
      try peer.call(DesktopSession.name, DesktopSession.path, interface, member, body)
    }
    try peer.readErrors("org.freedesktop.DBus.Error.InvalidArgs", count: calls.count)
    let status = try fixture.status()
    #expect(status.state == .playing && status.output.underruns == 0)
    #expect(status.volume == 100)
    #expect(try fixture.ids() == ids)
    #expect(try desktop.playerctl("status") == "Playing")
  }
}
