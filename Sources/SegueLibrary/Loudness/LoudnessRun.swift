// The thread "loudness". It waits for the index, for the worker and in the file system.

internal import SegueLink
internal import SegueSystem
internal import SegueWire

/// One measuring of all that lacks a value: an album at a time, its tracks one after another by one worker, which
/// leaves the other processors to whoever listens. An album whose tracks some of them lack a value is measured as a
/// whole.
final class LoudnessRun {
  private let store: LibraryStore
  private let program: FilePath
  private let wake: EventCounter
  private let isClosed: () -> Bool
  private let report: (LoudnessStatus) -> Void
  private var status = LoudnessStatus()
  private var lastReport = MonotonicTime(nanoseconds: 0)
  private var worker: LoudnessWorker?

  private static let reportInterval = MediaTime.milliseconds(250)
  /// More are no album but a heap; and the worker keeps something of each.
  private static let mostTogether = 128

  init(
    _ store: LibraryStore, _ program: FilePath, _ wake: EventCounter, isClosed: @escaping () -> Bool,
    _ report: @escaping (LoudnessStatus) -> Void
  ) {
    self.store = store
    self.program = program
    self.wake = wake
    self.isClosed = isClosed
    self.report = report
  }

  func run() {
    status.isMeasuring = true
    tell(always: true)
    do throws(Failure) {
      try write { writer throws(StoreError) in try writer.pruneLoudness() }
      let groups = try find()
      for group in groups {
        if isClosed() { break }
        try measure(group)
      }
    } catch {
      Log.error("measuring loudness: \(error.message)")
    }
    worker = nil
    status.isMeasuring = false
    tell(always: true)
  }

  /// What lacks a value, counted.
  private func find() throws(Failure) -> [LoudnessGroup] {
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
    tell(always: true)
    return sorted.map(LoudnessGroup.album) + tracks.map(LoudnessGroup.track)
  }

  private func measure(_ group: LoudnessGroup) throws(Failure) {
    var tracks = try read { reader throws(StoreError) in try reader.tracks(of: group) }
    let isAlbum = if case .album = group { tracks.count <= Self.mostTogether } else { false }
    var results: [(track: UnmeasuredTrack, gain: ReplayGain)] = []
    /// Without those of this group that were measured.
    var before = status.done
    var index = 0
    while index < tracks.count {
      let track = tracks[index]
      switch try measure(track, isFirst: !isAlbum || results.isEmpty) {
      case .gain(let gain):
        results.append((track, gain))
        status.done += 1
        index += 1
      case .failed(let failure):
        Log.notice("\(track.path): its loudness is not known: \(failure.message)")
        tracks.remove(at: index)
        status.failed += 1
        status.done += 1
        before += 1
      case .died(let failure):
        Log.warning("\(track.path), while its loudness was measured: \(failure.message)")
        status.failed += 1
        // With the worker went what it knew of the others.
        tracks.remove(at: index)
        if isAlbum {
          results = []
          index = 0
          status.done = before
        }
        status.done += 1
        before += 1
      case .closed: return
      }
      tell()
    }
    let album = isAlbum ? results.last?.gain : nil
    for index in results.indices {
      results[index].gain.albumGain = album?.albumGain
      results[index].gain.albumPeak = album?.albumPeak
    }
    let rows = results
    try write { writer throws(StoreError) in try writer.putLoudness(rows) }
  }

  private func measure(_ track: UnmeasuredTrack, isFirst: Bool) throws(Failure) -> LoudnessWorker.Answer {
    if worker == nil {
      do {
        worker = try LoudnessWorker(program, wake)
      } catch {
        throw Failure(.unavailable, "no decoder can be started: \(error)")
      }
    }
    guard let worker else { return .closed }
    let answer = worker.measure(track, isFirst: isFirst, isClosed: isClosed)
    if case .died = answer { self.worker = nil }
    return answer
  }

  private func tell(always: Bool = false) {
    let now = MonotonicTime.now
    guard always || now - lastReport >= Self.reportInterval else { return }
    lastReport = now
    report(status)
  }

  private func read<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryReader) throws(StoreError) -> Value
  ) throws(Failure) -> Value {
    let answer = BlockingPromise<Result<Value, Failure>>()
    store.read(body) { answer.fulfill($0) }
    return try answer.wait().get()
  }

  private func write(_ body: @escaping @Sendable (LibraryWriter) throws(StoreError) -> Void) throws(Failure) {
    let answer = BlockingPromise<Result<Void, Failure>>()
    store.write(body) { answer.fulfill($0) }
    try answer.wait().get()
  }
}
