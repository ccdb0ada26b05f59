import Glibc
import SegueFiles
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueScan

@Suite(.timeLimit(.minutes(1))) struct ScanWorkerPoolTests {
  private let scratch = Scratch()

  /// The loop of the scan sleeps until a worker's descriptor is readable, so there must be one while requests wait.
  @Test func noRequestWaitsWithoutAWorkerThatWakesTheScan() throws {
    let path = scratch.write("a.wav", "RIFF")
    let pool = ScanWorkerPool(program: WorkerProcess.product("sandbox-probe"), limits: ScanLimits())
    pool.enqueue(request(path))
    pool.prepare(for: 1)
    // The first program has ended before the file is sent to it.
    for descriptor in pool.descriptors { waitForEnd(descriptor) }
    while pool.failure == nil {
      pool.assign()
      try #require(pool.failure != nil || !pool.descriptors.isEmpty, "nothing would wake the scan")
      for descriptor in pool.descriptors { waitForEnd(descriptor) }
      pool.handleEvents()
    }
    #expect(pool.isIdle)
    #expect(pool.takeOutcomes().isEmpty, "no file is the cause")
  }

  /// The results of a worker arrive together with the ends of so many others that the scan gives up.
  @Test func noOutcomeFollowsAfterGivingUp() async throws {
    // The program first is one that never becomes ready, then a worker.
    let program = scratch["program"]
    let idle = scratch.write("idle", "#!/bin/sh\n: > \(scratch["started"])/$$\nexec sleep 600\n")
    scratch.makeFolder(scratch["started"])
    _ = idle.withCString { chmod($0, 0o700) }
    scratch.link("program", to: "\(idle)")
    var limits = ScanLimits()
    limits.workers = 4
    let pool = ScanWorkerPool(program: program, limits: limits)
    pool.prepare(for: 3 * 16)
    var idlePids: [Int32] = []
    try await eventually("the programs have started") {
      idlePids = scratch.names(scratch["started"]).compactMap { Int32($0) }
      return idlePids.count == 3
    }
    _ = program.withCString { unlink($0) }
    scratch.link("program", to: "\(WorkerProcess.product("segue-worker"))")
    pool.prepare(for: 4 * 16)
    let worker = try #require(pool.descriptors.last)
    // The first event is that the worker is ready, the next ones are results.
    waitForEvent(worker)
    pool.handleEvents()
    try #require(pool.descriptors.count == 4)
    for index in 0..<32 { pool.enqueue(request(scratch.write(scratch["\(index).wav"], ScanFixture.wave()))) }
    pool.assign()
    waitForEvent(worker)
    let others = pool.descriptors.dropLast()
    for pid in idlePids { kill(pid, SIGKILL) }
    for descriptor in others { waitForEnd(descriptor) }
    pool.handleEvents()
    #expect(pool.failure != nil)
    #expect(pool.takeOutcomes().isEmpty)
    #expect(pool.isIdle && pool.descriptors.isEmpty)
  }

  private func request(_ path: FilePath) -> ScanRequest {
    ScanRequest(
      path: path, stamp: FileStamp(device: 1, inode: 1, size: 4, modified: 1), indexed: nil, cueTracks: [],
      folder: FolderProgress(path: 0, digest: 0, hasMissingFiles: false))
  }

  /// Waits until the peer of a socket is closed.
  private func waitForEnd(_ descriptor: Int32) { wait(descriptor, 0) }

  /// Waits until a socket has a packet, or its peer is closed.
  private func waitForEvent(_ descriptor: Int32) { wait(descriptor, Int16(POLLIN)) }

  private func wait(_ descriptor: Int32, _ events: Int16) {
    var end = pollfd(fd: descriptor, events: events, revents: 0)
    while poll(&end, 1, -1) < 0, errno == EINTR {}
  }
}
