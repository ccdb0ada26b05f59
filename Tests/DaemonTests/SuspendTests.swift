import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Synchronization
import Testing

/// Tests of system sleep with a private system bus and a simulated logind.
@Suite struct SuspendTests {
  fileprivate static let manager = "org.freedesktop.login1.Manager"
  fileprivate static let path = "/org/freedesktop/login1"

  /// A logind that hands out inhibitor locks and knows which are held.
  final class Logind: Sendable {
    let service: BusService
    private let given: Given

    init(_ bus: SessionBus) throws {
      let given = Given()
      self.given = given
      service = try BusService(on: bus.address, name: "org.freedesktop.login1", path: SuspendTests.path) { call in
        call.member == "Inhibit" ? .descriptor(given.make()) : .error
      }
    }

    /// Whether the lock with this index is held.
    func isHeld(_ number: Int) -> Bool { given.isHeld(number) }

    /// Waits until `count` locks were requested.
    func wait(forLocks count: Int) throws { try service.wait(for: count, "Inhibit") }

    func announceSleep(_ isBeginning: Bool) {
      service.emit("PrepareForSleep", of: SuspendTests.manager, at: SuspendTests.path, isBeginning)
    }
  }

  /// The locks are pipes. The bus duplicates the descriptor that is handed over, and this process closes its own.
  final class Given: Sendable {
    private let pipes = Mutex<[(read: Int32, write: Int32)]>([])

    func make() -> Int32 {
      var ends: [Int32] = [-1, -1]
      let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
      socketpair(AF_UNIX, type, 0, &ends)
      pipes.withLock { $0.append((ends[0], ends[1])) }
      return ends[1]
    }

    func isHeld(_ number: Int) -> Bool {
      pipes.withLock { pipes in
        guard pipes.indices.contains(number) else { return false }
        if pipes[number].write >= 0 {
          close(pipes[number].write)
          pipes[number].write = -1
        }
        var byte: UInt8 = 0
        return read(pipes[number].read, &byte, 1) != 0
      }
    }

    deinit {
      pipes.withLock { pipes in
        for pipe in pipes {
          close(pipe.read)
          if pipe.write >= 0 { close(pipe.write) }
        }
      }
    }
  }

  private func bus(_ fixture: DaemonFixture, running: Bool = true) throws -> SessionBus {
    try SessionBus(at: fixture.daemon.directory.appending("system-bus"), running: running)
  }

  private func playing(_ fixture: DaemonFixture) throws {
    try fixture.add([try fixture.track("long", 0..<(60 * Signal.rate))], play: true)
    try fixture.wait { $0.rate == 1 && ($0.position ?? .zero) >= .zero }
  }

  /// Sleep does not wait for a fade.
  @Test(arguments: [0, 1_000]) func playbackPausesIsSavedAndResumesAfterSleep(fade: Int) throws {
    let fixture = try DaemonFixture(.null("test"), configuration: "[Player]\nRestore=resume\nFade=\(fade)\n")
    let bus = try bus(fixture)
    let logind = try Logind(bus)
    try playing(fixture)
    try logind.wait(forLocks: 1)
    let call = try #require(logind.service.calls.first { $0.member == "Inhibit" })
    #expect(call.arguments[0] == .text("sleep") && call.arguments[1] == .text("Segue"))
    #expect(call.arguments[3] == .text("delay"))
    #expect(logind.isHeld(0), "the lock is held before sleep")
    logind.announceSleep(true)
    try waitUntil("the lock is released") { !logind.isHeld(0) }
    let suspended = try fixture.status()
    #expect(suspended.state == .paused && suspended.rate == 0)
    let corked = try fixture.server.pactl("list", "sink-inputs")
    #expect(corked.contains("Corked: yes"), "\(corked)")
    logind.announceSleep(false)
    let resumed = try fixture.wait { $0.state == .playing && $0.rate == 1 }
    #expect((resumed.position ?? .zero) >= (suspended.position ?? .zero))
    #expect(((resumed.position ?? .zero) - (suspended.position ?? .zero)).seconds < 1)
    try logind.wait(forLocks: 2)
    #expect(logind.isHeld(1))
    // After a power failure, the next start restores the track and its position.
    logind.announceSleep(true)
    try waitUntil("the second lock is released") { !logind.isHeld(1) }
    let place = try #require(try fixture.status().position)
    fixture.daemon.kill()
    // The position file in memory is lost with the power.
    fixture.daemon.runtimeFolder.appending("segue/position").withCString { _ = unlink($0) }
    try fixture.daemon.start()
    try fixture.reconnect()
    let again = try fixture.wait { $0.state == .playing && $0.rate == 1 }
    // The saved position is that of the clock at the pause; the confirmation of the server came later.
    #expect(((again.position ?? .zero) - place).seconds > -0.05)
  }

  @Test func commandsDuringSystemSleepApply() throws {
    let fixture = try DaemonFixture(.null("test"))
    let bus = try bus(fixture)
    let logind = try Logind(bus)
    try playing(fixture)
    try logind.wait(forLocks: 1)
    #expect(logind.isHeld(0))
    logind.announceSleep(true)
    try waitUntil("the lock is released") { !logind.isHeld(0) }
    try fixture.call("stop")
    logind.announceSleep(false)
    try logind.wait(forLocks: 2)
    #expect(logind.isHeld(1))
    #expect(try fixture.status().state == .stopped)
    // A paused player stays paused.
    try fixture.call("play")
    try fixture.wait { $0.rate == 1 }
    try fixture.call("pause")
    logind.announceSleep(true)
    try waitUntil("the lock is released") { !logind.isHeld(1) }
    logind.announceSleep(false)
    try logind.wait(forLocks: 3)
    #expect(logind.isHeld(2))
    #expect(try fixture.status().state == .paused)
  }

  @Test func aSystemBusOrLogindThatRestartsIsFound() throws {
    let fixture = try DaemonFixture(.null("test"))
    try playing(fixture)
    let bus = try bus(fixture, running: false)
    try bus.start()
    let pid = try #require(fixture.daemon.pid)
    try waitUntil("the daemon is on the system bus") { try bus.hasConnection(of: pid) }
    let first = try Logind(bus)
    try first.wait(forLocks: 1)
    first.service.close()
    let second = try Logind(bus)
    try second.wait(forLocks: 1)
    #expect(second.isHeld(0))
    second.service.close()
    bus.kill()
    try waitUntil("the lock is released") { !second.isHeld(0) }
    #expect(try fixture.status().state == .playing)
    try bus.start()
    let third = try Logind(bus)
    try third.wait(forLocks: 1)
    third.announceSleep(true)
    try fixture.wait { $0.state == .paused }
    third.announceSleep(false)
    try fixture.wait { $0.state == .playing && $0.rate == 1 }
  }
}
