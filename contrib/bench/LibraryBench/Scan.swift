internal import Glibc
internal import SegueLibrary
internal import SegueSQLite
internal import SegueScan
internal import SegueSystem
internal import SegueWire
internal import Synchronization

/// Scans a folder as the daemon does, and prints as JSON how long it took and what it cost.
struct Scan {
  let store: LibraryStore

  func run(worker: FilePath, folder: FilePath) {
    CurrentProcess.useSingleArena()
    signal(SIGPIPE, SIG_IGN)
    let ended = BlockingPromise<Void>()
    let hasEnded = Atomic(false)
    let begin = Ask.now(CLOCK_MONOTONIC)
    let scanner: LibraryScanner
    do {
      scanner = try LibraryScanner(store: store, worker: worker, folders: [folder]) { status in
        guard !status.isScanning, status.folders.allSatisfy({ $0.state != .unknown }) else { return }
        if !hasEnded.exchange(true, ordering: .relaxed) { ended.fulfill(()) }
      }
    } catch {
      fatalError("\(error)")
    }
    ended.wait()
    let scanned = Ask.now(CLOCK_MONOTONIC) - begin
    let counts = wait { store.read({ reader throws(StoreError) in try reader.counts() }, $0) }
    let own = cpu(RUSAGE_SELF)
    // The workers are gone by now, and counted.
    let workers = cpu(RUSAGE_CHILDREN)
    var more = true
    while more { more = wait { store.write({ writer throws(StoreError) in writer.needsSearchMaintenance }, $0) } }
    let searchable = Ask.now(CLOCK_MONOTONIC) - begin
    let after = cpu(RUSAGE_SELF) - own
    scanner.close()
    store.close()
    print(
      """
      {"tracks": \(counts.tracks), "failed": \(counts.failed), "seconds": \(scanned / 1000), \
      "cpu": \(own), "worker_cpu": \(workers), "settled": \(searchable / 1000), "settling_cpu": \(after)}
      """)
  }

  /// Seconds of processor.
  private func cpu(_ whose: __rusage_who) -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(whose.rawValue), &usage)
    let (user, system) = (usage.ru_utime, usage.ru_stime)
    return Double(user.tv_sec + system.tv_sec) + Double(user.tv_usec + system.tv_usec) / 1e6
  }
}
