// Thread: "loudness". It waits for the index, for the worker and in the file system.

internal import SegueLibrary
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A run that measures all tracks without a known loudness. One worker measures one track after another, which leaves
/// the other processors to the user. If a track of an album has no album gain, the whole album is measured.
final class LoudnessRun {
  private let store: LibraryStore
  private let program: FilePath
  private let wake: EventCounter
  private let isClosed: () -> Bool
  private let onStatus: (LoudnessStatus) -> Void
  private var status = LoudnessStatus()
  private var lastReport = MonotonicTime(nanoseconds: 0)
  /// The time at which the first measurement began.
  private var start = MonotonicTime.now
  private var worker: LoudnessWorker?
  private var supervisor = WorkerSupervisor(maximumKills: 1)

  private static let reportInterval = MediaTime.milliseconds(250)
  /// The time after which the speed of the measurement is known well enough for an estimate.
  private static let estimateDelay = MediaTime.seconds(3)
  /// The number of tracks for which an album gain is measured. Larger groups are unlikely to be albums, and the worker
  /// keeps the measurement of each track in memory.
  private static let maximumAlbumTracks = 128

  init(
    _ store: LibraryStore, _ program: FilePath, _ wake: EventCounter, isClosed: @escaping () -> Bool,
    _ onStatus: @escaping (LoudnessStatus) -> Void
  ) {
    self.store = store
    self.program = program
    self.wake = wake
    self.isClosed = isClosed
    self.onStatus = onStatus
  }

  /// Runs to the end.
  func run() {
    report(always: true)
    do throws(Failure) {
      try write { writer throws(StoreError) in try writer.pruneLoudness() }
      let groups = try findGroups()
      start = .now
      for group in groups {
        if isClosed() { break }
        try measure(group)
      }
    } catch {
      Log.error("measuring loudness: \(error.message)")
    }
    worker = nil
  }

  /// Returns the groups to measure, and counts their tracks.
  private func findGroups() throws(Failure) -> [LoudnessGroup] {
    var (albums, tracks): (Set<Int64>, [Int64]) = ([], [])
    var last: Int64? = 0
    while let after = last, !isClosed() {
      let (known, listed) = (albums, tracks)
      (albums, tracks, last) = try read { reader throws(StoreError) in
        var (albums, tracks) = (known, listed)
        let last = try reader.findUnmeasured(after: after, &albums, &tracks)
        return (albums, tracks, last)
      }
    }
    let sorted = albums.sorted()
    status.total = tracks.count
    for album in sorted {
      status.total += try read { reader throws(StoreError) in try reader.tracks(of: .album(album)).count }
    }
    report(always: true)
    return sorted.map(LoudnessGroup.album) + tracks.map(LoudnessGroup.track)
  }

  private func measure(_ group: LoudnessGroup) throws(Failure) {
    var tracks = try read { reader throws(StoreError) in try reader.tracks(of: group) }
    let isAlbum = if case .album = group { tracks.count <= Self.maximumAlbumTracks } else { false }
    var results: [(track: UnmeasuredTrack, gain: ReplayGain)] = []
    /// The progress without the measured tracks of this group.
    var doneBefore = status.done
    var index = 0
    while index < tracks.count {
      let track = tracks[index]
      switch try measure(track, isFirst: !isAlbum || results.isEmpty) {
      case .gain(let gain):
        results.append((track, gain))
        status.done += 1
        index += 1
      case .failed(let failure):
        Log.notice("\(track.path): the loudness cannot be measured: \(failure.message)")
        tracks.remove(at: index)
        status.failed += 1
        status.done += 1
        doneBefore += 1
      case .workerEnded(let end, let failure):
        worker = nil
        let outcome = supervisor.workerEnded(end, pending: [Measurement()])
        guard outcome.culprit != nil else { break }
        Log.warning("\(track.path): measuring the loudness failed: \(failure.message)")
        status.failed += 1
        // The worker's measurements of the other tracks are lost.
        tracks.remove(at: index)
        if isAlbum {
          results = []
          index = 0
          status.done = doneBefore
        }
        status.done += 1
        doneBefore += 1
      case .closed: return
      }
      report()
    }
    let album = isAlbum ? results.last?.gain : nil
    for index in results.indices {
      results[index].gain.albumGain = album?.albumGain
      results[index].gain.albumPeak = album?.albumPeak
    }
    let rows = results
    try write { writer throws(StoreError) in try writer.putLoudness(rows) }
  }

  private func measure(_ track: UnmeasuredTrack, isFirst: Bool) throws(Failure) -> LoudnessWorker.Outcome {
    if worker == nil {
      do {
        worker = try LoudnessWorker(program, wake)
      } catch {
        throw Failure(.unavailable, "cannot start a worker: \(error)")
      }
    }
    guard let worker else { return .closed }
    return worker.measure(track, isFirst: isFirst, isClosed: isClosed)
  }

  private func report(always: Bool = false) {
    let now = MonotonicTime.now
    guard always || now - lastReport >= Self.reportInterval else { return }
    lastReport = now
    let elapsed = now - start
    if status.done > 0, elapsed >= Self.estimateDelay {
      let left = Double(max(0, status.total - status.done)) / Double(status.done)
      status.remaining = MediaTime(seconds: (elapsed.seconds * left).rounded())
    }
    onStatus(status)
  }

  private func read<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryReader) throws(StoreError) -> Value
  ) throws(Failure) -> Value {
    let promise = BlockingPromise<Result<Value, Failure>>()
    store.read(body) { promise.fulfill($0) }
    return try promise.wait().get()
  }

  private func write(_ body: @escaping @Sendable (LibraryWriter) throws(StoreError) -> Void) throws(Failure) {
    let promise = BlockingPromise<Result<Void, Failure>>()
    store.write(body) { promise.fulfill($0) }
    try promise.wait().get()
  }
}

/// The measurement of one track, the only job that the worker has at a time. Each kill of the worker is attributed to
/// it, so there are no retries.
private struct Measurement: SupervisedJob {
  var kills = 0
}
