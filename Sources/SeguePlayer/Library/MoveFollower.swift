// Thread: the loop. The URIs are compared on a thread of the library, and the playlists on their own.

internal import SegueFiles
internal import SegueLibrary
internal import SegueLoop
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// Lets the queue, its history and the playlists follow files that have moved. The index remembers the moves until all
/// of them have, even if the daemon ends meanwhile.
@MainActor
final class MoveFollower {
  private let index: LibraryIndex
  private let playlists: Playlists
  private let scan: LibraryScan
  private let queue: QueueController
  private let probes: ProbeScheduler
  private var state = FollowState.idle
  /// Called when all files that the running scan finds have been followed, or after `maximumWait`.
  private var waiting: (@MainActor () -> Void)?
  private var waitTimer: Timer?
  /// The number of scans that had ended before the one that was waited for in vain. Nothing waits for that one again.
  private var endedScansAtTimeout: Int?

  private enum FollowState {
    case idle, running
    /// More files may have moved since the moves were read.
    case outdated
  }

  private struct Step: Sendable {
    let moves: FileMoves
    let last: Int64
    /// The new URIs of entries of the queue and its history.
    let uris: [EntryID: String]
  }

  /// The number of moves that are followed at once.
  nonisolated private static let batchSize = 10_000

  /// The time for which missing files may delay playback during one scan, from the first of them on.
  private static let maximumWait = MediaTime.seconds(5)

  init(
    loop: EventLoop, index: LibraryIndex, playlists: Playlists, scan: LibraryScan, queue: QueueController,
    probes: ProbeScheduler
  ) throws(SystemError) {
    self.index = index
    self.playlists = playlists
    self.scan = scan
    self.queue = queue
    self.probes = probes
    waitTimer = try Timer(on: loop) { [weak self] in
      self?.endedScansAtTimeout = scan.isRunning ? scan.endedScans : nil
      self?.endWait()
    }
  }

  /// Calls `then` when the queue has followed the files that have moved, as far as a running scan finds them: at once
  /// if no scan is running, or if it has been waited for before, and after `maximumWait` at the latest. Replaces an
  /// earlier call.
  func whenFollowed(then: @escaping @MainActor () -> Void) {
    waiting = then
    guard isFollowing, scan.endedScans != endedScansAtTimeout else { return endWait() }
    if waitTimer?.isArmed == false { waitTimer?.arm(after: Self.maximumWait) }
  }

  /// Whether files may be found that have moved.
  private var isFollowing: Bool {
    if case .idle = state { return scan.isRunning }
    return true
  }

  private func endWait() {
    waitTimer?.disarm()
    let then = waiting
    waiting = nil
    then?()
  }

  /// Follows the moves that the index has recorded.
  func follow() {
    guard case .idle = state else {
      state = .outdated
      return
    }
    state = .running
    // The entries of a long queue are not searched unless there are moves.
    index.lookUp(
      { reader throws(StoreError) in try reader.moves(limit: 1).moves.isEmpty },
      then: { [weak self] result in
        if case .success(false) = result { self?.read() } else { self?.finish() }
      })
  }

  private func read() {
    let (ids, store) = queue.entriesWithHistory
    index.read(
      { reader throws(StoreError) in
        let (moves, last) = try reader.moves(limit: Self.batchSize)
        var uris: [EntryID: String] = [:]
        for id in ids { uris[EntryID(id)] = moves.uri(of: store[id].uri) }
        return .success(Step(moves: moves, last: last, uris: uris))
      },
      then: { [weak self] result in
        switch result {
        case .success(let step) where !step.moves.isEmpty: self?.follow(step)
        case .success, .failure: self?.finish()
        }
      })
  }

  private func follow(_ step: Step) {
    let (moves, last) = (step.moves, step.last)
    queue.relocate(
      step.uris, then: { [weak self] in self?.followPlaylists(moves, upTo: last) },
      finish: { [probes] in probes.schedule($0) })
  }

  private func followPlaylists(_ moves: FileMoves, upTo last: Int64) {
    playlists.access(
      { folder throws(Failure) in try folder.follow(moves) },
      then: { [weak self] result in
        if case .failure(let failure) = result {
          Log.warning("playlists keep the paths of moved files: \(failure.message)")
        }
        self?.index.write({ writer throws(StoreError) in try writer.removeMoves(upTo: last) }) { result in
          if case .success = result { self?.read() } else { self?.finish() }
        }
      })
  }

  private func finish() {
    let isOutdated = if case .outdated = state { true } else { false }
    state = .idle
    if isOutdated { follow() } else if !isFollowing { endWait() }
  }
}
