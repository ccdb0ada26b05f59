import Glibc
import SegueFiles
import SegueSystem
import SegueTestKit
import Testing

@testable import SegueScan

@Suite(.timeLimit(.minutes(1))) struct ScanWorkerPoolTests {
  private let scratch = Scratch()

  /// The loop of the scan sleeps until a worker's descriptor is readable, so there must be one while requests wait.
  @Test func noRequestWaitsWithoutAWorkerThatWakesTheScan() throws {
    let path = scratch.write("a.wav", "RIFF")
    let pool = ScanWorkerPool(program: WorkerProcess.product("sandbox-probe"), limits: ScanLimits())
    var reason: String?
    pool.onGiveUp = { reason = $0 }
    var outcomes = 0
    pool.onOutcome = { _, _ in outcomes += 1 }
    pool.enqueue(
      ScanRequest(
        path: path, stamp: FileStamp(device: 1, inode: 1, size: 4, modified: 1), cueTracks: [],
        folder: FolderProgress(path: 0, digest: 0, hasMissingFiles: false)))
    pool.prepare(for: 1)
    // The first program has ended before the file is sent to it.
    for descriptor in pool.descriptors { waitForEnd(descriptor) }
    while reason == nil {
      pool.assign()
      try #require(reason != nil || !pool.descriptors.isEmpty, "nothing would wake the scan")
      for descriptor in pool.descriptors { waitForEnd(descriptor) }
      pool.handleEvents()
    }
    #expect(pool.isIdle)
    #expect(outcomes == 0, "no file is the cause")
  }

  /// Waits until the peer of a socket is closed.
  private func waitForEnd(_ descriptor: Int32) {
    var end = pollfd(fd: descriptor, events: 0, revents: 0)
    while poll(&end, 1, -1) < 0, errno == EINTR {}
  }
}
