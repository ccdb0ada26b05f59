// Thread: the loop. The loudness is measured on the thread of `LoudnessScanner`, which reports through the mailbox.
// Only `close` waits for it.

internal import SegueLibrary
internal import SegueLoop
internal import SegueScan
internal import SegueSystem

/// The measurement of the loudness of tracks whose files do not state it.
@MainActor
public final class LoudnessMeasurement {
  private let store: LibraryStore
  private let worker: FilePath
  private let status: LibraryStatusPublisher
  private let mailbox: Mailbox
  private var scanner: LoudnessScanner?
  /// The progress; nil while nothing is measured.
  private var progress: LoudnessStatus?
  /// The requests whose scans have not ended yet.
  private var requests = Requests()

  private struct Requests {
    /// Cancelling begins a new generation, so that the ends of earlier scans start no measurement.
    var generation = 0
    var count = 0
  }

  /// `worker`: the program that reads files.
  init(_ store: LibraryStore, worker: FilePath, status: LibraryStatusPublisher, mailbox: Mailbox) {
    self.store = store
    self.worker = worker
    self.status = status
    self.mailbox = mailbox
  }

  /// Requests a measurement after a scan. Returns a function that is to be called on any thread when the scan has
  /// ended.
  func request() -> @Sendable () -> Void {
    requests.count += 1
    publish()
    return { [mailbox, weak self, generation = requests.generation] in
      mailbox.post { self?.start(generation) }
    }
  }

  /// Ends the measurement, and drops the requests for others. What was measured is kept.
  public func cancel() {
    requests = Requests(generation: requests.generation + 1)
    scanner?.cancel()
    publish()
  }

  /// Ends the measurement. What was measured of an unfinished album is lost.
  func close() { scanner?.close() }

  /// Measures the loudness of all tracks whose files do not have it, unless the request was cancelled.
  private func start(_ generation: Int) {
    guard generation == requests.generation else { return }
    requests.count -= 1
    do {
      if scanner == nil {
        scanner = try LoudnessScanner(store: store, worker: worker) { [mailbox, weak self] progress in
          mailbox.post { self?.handle(progress) }
        }
      }
      progress = progress ?? LoudnessStatus()
      scanner?.measure()
    } catch {
      Log.error("cannot measure the loudness: \(error)")
    }
    publish()
  }

  /// Handles the progress, or the end if `progress` is nil: another measurement may have been requested since.
  private func handle(_ progress: LoudnessStatus?) {
    self.progress = progress ?? (scanner?.isActive == true ? LoudnessStatus() : nil)
    publish()
  }

  private func publish() { status.loudness = progress ?? (requests.count > 0 ? LoudnessStatus() : nil) }
}
