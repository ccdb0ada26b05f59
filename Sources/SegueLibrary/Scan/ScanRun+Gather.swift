// On the thread "scan" only.

internal import Glibc
internal import SegueSystem
internal import SegueWire

/// Looking into what changed, and handing on what was found.
extension ScanRun {
  func gather(_ changed: Changed) throws(Failure) {
    let path = changed.path
    let job = FolderProgress(path: FolderDigest.hash(path.bytes), digest: changed.digest, losesSome: changed.losesSome)
    let kept = changed.asks
    guard let asks = kept == nil ? try look(again: changed, job) : kept else { return }
    for ask in asks {
      let new = path.appending(ask.file.name)
      if let old = gone.file(ask.stamp), old != new {
        move(old, to: new)
        continue
      }
      job.remaining += 1
      crew.append(ScanRequest(path: new, stamp: ask.stamp, ranges: ask.ranges, folder: job))
    }
    if job.remaining == 0 { conclude(job) }
  }

  /// What of a folder is to be looked into, as it is by now; nil if it is gone, which is found by the walk that its
  /// going causes.
  private func look(again changed: Changed, _ job: FolderProgress) throws(Failure) -> [FolderDifference.Ask]? {
    let path = changed.path
    guard let listing = try? ScanListing(path, isRoot: changed.isRoot) else { return nil }
    let found = try FolderDifference(listing, in: path, isFresh: changed.isFresh, port, transcoder)
    if found.hasOtherDevice {
      port.post { writer throws(StoreError) in try writer.setDevice(listing.identity.device, ofFilesIn: path) }
    }
    job.isSteady = listing.digest == changed.digest
    return found.asks
  }

  private func conclude(_ job: FolderProgress) {
    guard job.isSteady else { return }
    if job.losesSome { completeAtEnd.append((job.path, job.digest)) } else { complete.append((job.path, job.digest)) }
  }

  /// A file that is gone there and found here is the same one.
  private func move(_ old: FilePath, to new: FilePath) {
    gone.remove(old)
    hasChanged = true
    done += 1
    port.post { writer throws(StoreError) in try writer.rename(old, to: new) }
  }

  func take(_ ask: ScanRequest, _ answer: ScanOutcome) {
    done += 1
    hasChanged = true
    let job = ask.folder
    switch answer {
    case .facts(let facts):
      batch.append(ScannedFile(path: ask.path, stamp: ask.stamp, result: .success(facts), ranges: ask.ranges))
    case .failed(let failure):
      failed += 1
      batch.append(ScannedFile(path: ask.path, stamp: ask.stamp, result: .failure(failure)))
    case .closed(let error):
      job.isSteady = false
      // Gone since the walk saw it: the next one takes it out.
      guard error.code != ENOENT else { break }
      failed += 1
      let failure = Failure(error, ask.path)
      let never = FileStamp(device: ask.stamp.device, inode: 0, size: -1, modified: 0)
      batch.append(ScannedFile(path: ask.path, stamp: never, result: .failure(failure)))
    }
    job.remaining -= 1
    if job.remaining == 0 { conclude(job) }
    if batch.count >= Self.batchSize { flush() }
  }

  /// Hands on what was looked into.
  func flush() {
    lastFlush = .now
    guard !batch.isEmpty || !complete.isEmpty else { return }
    let (batch, complete) = (batch, complete)
    (self.batch, self.complete) = ([], [])
    if !batch.isEmpty { port.found(batch) }
    port.post { writer throws(StoreError) in
      if !batch.isEmpty { try writer.put(batch) }
      try writer.storeFolderDigests(complete)
    }
  }

  /// Others want to write, too; a file takes longer to remove than to add.
  private static let removedAtOnce = 512

  func finish() {
    flush()
    if !gone.isEmpty { hasChanged = true }
    var files = gone.takeFiles()
    while !files.isEmpty {
      let some = Array(files.suffix(Self.removedAtOnce))
      files.removeLast(some.count)
      port.post { writer throws(StoreError) in try writer.remove(some) }
    }
    for folder in gone.folders { port.post { writer throws(StoreError) in try writer.removeFolder(folder) } }
    if !completeAtEnd.isEmpty {
      port.post { [completeAtEnd] writer throws(StoreError) in try writer.storeFolderDigests(completeAtEnd) }
    }
  }
}
