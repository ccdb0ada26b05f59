// Thread: "scan". `SortKeyUpdater` blocks on the index and on its worker, usually for a few milliseconds.

internal import Glibc
internal import SegueFiles
internal import SegueLibrary
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// The second phase of a walk: has changed files read by workers, stores the results in the index, and finally removes
/// missing files from it.
final class ScanReading {
  /// The number of files that have been read, successfully or not, or were found to be moved.
  private(set) var done = 0
  private(set) var failed = 0
  /// Whether the index has changed.
  private(set) var hasChanged = false

  private let index: ScanIndexAccess
  private let workers: ScanWorkerPool
  private let converter: CharsetConverter
  /// The folders to read, the next one last.
  private var pending: [FolderSurvey.ChangedFolder]
  private var missing: MissingFiles
  private var batch: [ScannedFile] = []
  /// The digests of folders whose files are all in the index or in `batch`.
  private var digests: [(path: UInt64, digest: UInt64)] = []
  /// The digests of folders with missing files. They are stored after those files have left the index: if the process
  /// ended in between, the files would otherwise stay there for ever.
  private var finalDigests: [(path: UInt64, digest: UInt64)] = []
  private var lastFlush = MonotonicTime.now

  /// The number of files in one transaction.
  private static let batchSize = 1024
  /// The number of transactions under way at which no more files are given to workers.
  private static let maximumPendingWrites = 2
  private static let maximumQueuedRequests = 512
  private static let flushInterval = MediaTime.seconds(1)
  /// The number of files that one transaction removes: a file takes longer to remove than to add, and other threads
  /// wait for the index too.
  private static let removalBatchSize = 512

  init(
    _ survey: (changed: [FolderSurvey.ChangedFolder], missing: MissingFiles), _ services: ScanContext,
    _ converter: CharsetConverter
  ) {
    pending = survey.changed.reversed()
    missing = survey.missing
    index = services.index
    workers = services.workers
    self.converter = converter
  }

  /// Gives files to the workers. Returns true when all of them have been read and stored.
  func step() throws(Failure) -> Bool {
    while workers.queuedCount < Self.maximumQueuedRequests, let next = pending.popLast() { try enqueue(next) }
    if index.pendingCount < Self.maximumPendingWrites { workers.assign() }
    for (request, outcome) in workers.takeOutcomes() { handle(outcome, of: request) }
    if batch.count >= Self.batchSize || MonotonicTime.now - lastFlush > Self.flushInterval { flush() }
    guard workers.failure == nil, pending.isEmpty, workers.isIdle else { return false }
    finish()
    return true
  }

  private func enqueue(_ folder: FolderSurvey.ChangedFolder) throws(Failure) {
    let path = folder.path
    let progress = FolderProgress(
      path: StableHash.hash(path.bytes), digest: folder.digest, hasMissingFiles: folder.hasMissingFiles)
    let kept = folder.files
    guard let files = kept == nil ? try relist(folder, progress) : kept else { return }
    for file in files {
      let new = path.appending(file.name)
      if let old = missing.path(of: file.stamp), old != new {
        missing.remove(old)
        done += 1
        move(old, to: new)
        continue
      }
      progress.remaining += 1
      workers.enqueue(
        ScanRequest(path: new, stamp: file.stamp, indexed: file.indexed, cueTracks: file.cueTracks, folder: progress))
    }
    if progress.remaining == 0 { conclude(progress) }
  }

  /// Returns the files to read in a folder as it is now; nil if it is missing. In that case the change causes another
  /// walk.
  private func relist(
    _ folder: FolderSurvey.ChangedFolder, _ progress: FolderProgress
  ) throws(Failure) -> [FolderDifference.File]? {
    let path = folder.path
    guard let listing = try? ScanListing(path, isRoot: folder.isRoot) else { return nil }
    let difference = try FolderDifference(listing, in: path, isNew: folder.isNew, index, converter)
    if difference.hasOtherDevice {
      index.post { writer throws(StoreError) in try writer.setDevice(listing.identity.device, ofFilesIn: path) }
    }
    progress.isStable = listing.digest == folder.digest
    return difference.files
  }

  /// Renames a file in the index that was found under another path.
  private func move(_ old: FilePath, to new: FilePath) {
    hasChanged = true
    index.post { writer throws(StoreError) in try writer.rename(old, to: new) }
  }

  /// Removes a file with these facts from the missing ones, and returns its path there.
  private func takeFormerPath(of request: ScanRequest, _ facts: FileFacts) -> FilePath? {
    if request.indexed == nil, let old = missing.takeOutdatedFile(request.stamp) { return old }
    guard let digest = facts.audioDigest, request.indexed?.hasOtherAudio(than: digest) ?? true else { return nil }
    // The file may have been copied or tagged anew, too.
    return missing.takeFile(withAudio: digest, movedTo: request.path, request.stamp)
  }

  private func handle(_ outcome: ScanOutcome, of request: ScanRequest) {
    done += 1
    hasChanged = true
    switch outcome {
    case .facts(let facts):
      if let old = takeFormerPath(of: request, facts) { move(old, to: request.path) }
      batch.append(
        ScannedFile(
          path: request.path, stamp: request.stamp, result: .success(facts), cueTracks: request.cueTracks(facts)))
    case .failed(let failure):
      failed += 1
      batch.append(ScannedFile(path: request.path, stamp: request.stamp, result: .failure(failure)))
    case .notOpened(let error):
      request.folder.isStable = false
      // A file that was removed since the survey is removed from the index by the next walk.
      guard error.code != ENOENT else { break }
      failed += 1
      let failure = Failure(error, request.path)
      // No file has this stamp, so that the next walk tries to read the file again.
      let impossible = FileStamp(device: request.stamp.device, inode: 0, size: -1, modified: 0)
      batch.append(ScannedFile(path: request.path, stamp: impossible, result: .failure(failure)))
    }
    request.folder.remaining -= 1
    if request.folder.remaining == 0 { conclude(request.folder) }
    if batch.count >= Self.batchSize { flush() }
  }

  /// Handles a folder of which every file has been read.
  private func conclude(_ folder: FolderProgress) {
    guard folder.isStable else { return }
    if folder.hasMissingFiles {
      finalDigests.append((folder.path, folder.digest))
    } else {
      digests.append((folder.path, folder.digest))
    }
  }

  /// Stores the results so far.
  func flush() {
    lastFlush = .now
    guard !batch.isEmpty || !digests.isEmpty else { return }
    let (batch, digests) = (batch, digests)
    (self.batch, self.digests) = ([], [])
    if !batch.isEmpty { index.onFilesRead(batch) }
    index.post { writer throws(StoreError) in
      if !batch.isEmpty { try writer.put(batch) }
      try writer.folderDigests.put(digests)
    }
  }

  private func finish() {
    flush()
    if !missing.isEmpty { hasChanged = true }
    var files = missing.takeFiles()
    while !files.isEmpty {
      let some = Array(files.suffix(Self.removalBatchSize))
      files.removeLast(some.count)
      index.post { writer throws(StoreError) in try writer.remove(some) }
    }
    for folder in missing.folders { index.post { writer throws(StoreError) in try writer.removeFolder(folder) } }
    if !finalDigests.isEmpty {
      index.post { [finalDigests] writer throws(StoreError) in try writer.folderDigests.put(finalDigests) }
    }
  }
}

/// An updater of sort keys: it has a worker make the keys that the facts of files do not contain (those of genres and
/// of the tracks of cue sheets), and new keys for all texts after their order has changed, because the user's locale or
/// ICU's rules have.
final class SortKeyUpdater {
  private let program: FilePath
  private let workers: ScanWorkerPool
  private var worker: SortKeyWorker?
  /// The name of the order that the keys in the index follow; nil before a worker has been asked.
  private var collation: String?

  /// `workers`: the pool whose idle workers are used.
  init(program: FilePath, workers: ScanWorkerPool) {
    self.program = program
    self.workers = workers
  }

  /// Whether the current order has not been compared with that of the index yet.
  var isCollationUnknown: Bool { collation == nil }

  func dismissWorker() { worker = nil }

  /// Updates some keys. Returns true if there are more. If no worker can be started, the keys stay as they are until
  /// the next walk.
  func step(_ index: ScanIndexAccess) throws(Failure) -> Bool {
    if try index.perform({ writer throws(StoreError) in writer.isEmpty }) { return false }
    var texts: [PendingSortKey] = []
    if collation != nil {
      texts = try index.perform { writer throws(StoreError) in
        try writer.pendingSortKeys(limit: WorkerRequest.maximumCollationTexts)
      }
      if texts.isEmpty {
        dismissWorker()
        return false
      }
    }
    // A user, or the kernel for want of memory, may have killed the worker. The texts need not be the cause.
    guard let result = keys(of: texts) ?? keys(of: texts) else {
      Log.warning("scanning: sort keys cannot be made")
      return false
    }
    if result.collation != collation {
      collation = result.collation
      if try index.perform({ writer throws(StoreError) in try writer.setCollation(result.collation) }) {
        Log.notice("the sort order of names has changed (\(result.collation)): all names are sorted again")
      }
    } else {
      index.post { [texts] writer throws(StoreError) in try writer.setSortKeys(result.keys, of: texts) }
    }
    return true
  }

  private func keys(of texts: [PendingSortKey]) -> SortKeyWorker.Result? {
    if worker == nil {
      let process = try? workers.releaseIdle() ?? BlockingWorker(program, niceness: ScanWorker.niceness)
      worker = process.map(SortKeyWorker.init)
    }
    let result = worker?.keys(of: texts.map(\.text))
    if result == nil { dismissWorker() }
    return result
  }
}

/// A `segue-worker` process that makes sort keys. Releasing it ends the process.
private final class SortKeyWorker {
  typealias Result = (keys: [[UInt8]], collation: String)

  private let process: BlockingWorker

  /// The time limit for a request. It includes the start of the worker, which may take long on a slow disk.
  private static let timeout = MediaTime.seconds(5)

  init(_ process: BlockingWorker) { self.process = process }

  /// Returns a key for each of `texts`, at most `WorkerRequest.maximumCollationTexts`, and the name of their order; nil
  /// on failure.
  func keys(of texts: [CollationInput]) -> Result? {
    process.request(.collate(texts), timeout: Self.timeout) { response in
      guard case .collated(let keys, let collation) = response, keys.count == texts.count else { return nil }
      return (keys, collation)
    }
  }
}
