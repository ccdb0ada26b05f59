// On the thread "scan" only.

internal import SegueSystem
internal import SegueWire

/// One walk: all that changed since the last one is found (`survey`), then looked into (`gather`), then what is gone is
/// taken out. Done in steps, so that in between events are heard and workers served.
final class ScanRun {
  /// A folder to be looked at.
  struct Place {
    let path: FilePath
    let name: [UInt8]
    /// -1 for a music folder.
    let parent: FolderTree.Node
    /// With all below it; else only what is new below it.
    let isDeep: Bool
    /// The index has nothing of it.
    let isFresh: Bool
  }

  enum Phase {
    case survey, gather, sort, finish, done
  }

  /// A folder that is not as the index has it.
  struct Changed {
    let path: FilePath
    /// When it was found.
    let digest: UInt64
    let isFresh: Bool
    let isRoot: Bool
    let losesSome: Bool
    /// What is to be looked into; nil if the folder is to be listed again.
    let asks: [FolderDifference.Ask]?
  }

  /// It goes through all music folders.
  let isWhole: Bool
  private(set) var phase = Phase.survey
  var done = 0
  var total = 0
  var failed = 0

  let watch: FolderWatcher
  let port: ScanIndexAccess
  let crew: ScanWorkerPool
  let transcoder: CharsetConverter
  private let sorting: SortKeyUpdater
  /// The index is not as it was before, or was not put in order since it was.
  var hasChanged: Bool

  // Finding what changed.

  /// What is watched may not be what lies there now.
  let doubtsWatches: Bool
  /// Where the music folders really lie, to tell what links lead back into them.
  let realRoots: [FilePath]
  /// Digests of all folders; nil for a run that asks for those it meets.
  let seen: [UInt64: UInt64]?
  /// By which path each folder was reached, as a hash.
  var visited: [FileIdentity: UInt64] = [:]
  var waiting: [Place]
  var changed: [Changed] = []
  var gone = MissingFiles()
  /// Files that this walk has kept in `changed`.
  var kept = 0

  // What cannot be reached.

  /// What the music folders that were walked turned out to be.
  var states: [FilePath: ScanFolder.State] = [:]
  var identities: [FilePath: FileIdentity] = [:]
  /// Folders of which nothing can be reached, though the index has something. Kept over runs.
  var offline: Set<FilePath>

  // Looking into it.

  var batch: [ScannedFile] = []
  /// Folders whose files are all in the index, or on their way to it.
  var complete: [(path: UInt64, digest: UInt64)] = []
  /// The same, once what is gone is out of the index: were they noted before, the end of the process in between would
  /// leave it there for good.
  var completeAtEnd: [(path: UInt64, digest: UInt64)] = []
  var lastFlush = MonotonicTime.now

  /// Files in one transaction, and transactions under way at most.
  static let batchSize = 1024
  private static let mostPending = 2
  private static let mostWaiting = 512
  /// Files of which the walk keeps what it saw, until they are looked into; of more it looks at the folders again.
  static let mostKept = 16_384
  /// Parts of albums that are made true in one transaction: others want to write, too.
  private static let partsAtOnce = 256
  private static let flushInterval = MediaTime.seconds(1)

  init(
    _ places: [Place], roots: [FilePath], offline: Set<FilePath>, hasMoves: Bool, isWhole: Bool, doubtsWatches: Bool,
    watch: FolderWatcher, port: ScanIndexAccess, crew: ScanWorkerPool, sorting: SortKeyUpdater
  ) throws(Failure) {
    waiting = places.reversed()
    self.isWhole = isWhole
    self.doubtsWatches = doubtsWatches
    self.offline = offline
    self.watch = watch
    self.port = port
    self.crew = crew
    self.sorting = sorting
    transcoder = CharsetConverter(program: crew.program, niceness: ScanWorker.niceness)
    realRoots = roots.compactMap(\.resolved)
    let isUnfinished: Bool
    (isUnfinished, seen) = try port.ask { writer throws(StoreError) in
      (try writer.hasUnfinishedScan(), isWhole ? try writer.folderDigests() : nil)
    }
    hasChanged = hasMoves || isUnfinished
    crew.onAnswer = { [unowned self] ask, answer in take(ask, answer) }
  }

  /// Does some of it. True if it can go on at once, false if it waits for a worker or the index.
  func step() throws(Failure) -> Bool {
    switch phase {
    case .survey:
      for _ in 0..<32 {
        guard let place = waiting.popLast() else {
          phase = .gather
          changed.reverse()
          return true
        }
        try survey(place)
      }
      crew.prepare(for: total)
      return true
    case .gather:
      while crew.waitingCount < Self.mostWaiting, let next = changed.popLast() {
        try gather(next)
      }
      if port.pendingCount < Self.mostPending { crew.feed() }
      if batch.count >= Self.batchSize || MonotonicTime.now - lastFlush > Self.flushInterval { flush() }
      guard changed.isEmpty, crew.isIdle else { return false }
      finish()
      phase = .sort
      return true
    case .sort:
      // Its last answer wakes us.
      guard port.pendingCount == 0 else { return false }
      if hasChanged || sorting.isUnsure, try sorting.step(port) {
        hasChanged = true
      } else {
        phase = .finish
      }
      return true
    case .finish:
      if hasChanged, try port.ask({ writer throws(StoreError) in try writer.finishScan(limit: Self.partsAtOnce) }) {
        return true
      }
      phase = .done
      return false
    case .done: return false
    }
  }

  /// Keeps what was found so far; the walk goes no further.
  func cutOff() {
    flush()
    port.post { writer throws(StoreError) in try writer.finishScan() }
  }
}
