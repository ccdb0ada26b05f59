// On the thread "scan" only.

internal import Glibc
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
  private struct Changed {
    let path: FilePath
    /// When it was found.
    let digest: UInt64
    let isFresh: Bool
    let isRoot: Bool
    let losesSome: Bool
  }

  /// It goes through all music folders.
  let isWhole: Bool
  private(set) var phase = Phase.survey
  private(set) var done = 0
  private(set) var total = 0
  private(set) var failed = 0
  /// What the music folders that were walked turned out to be.
  private(set) var states: [FilePath: ScanFolder.State] = [:]
  private(set) var identities: [FilePath: FileIdentity] = [:]

  let watch: FolderWatch
  let port: ScanPort
  private let crew: ScanCrew
  private let sorting: SortRun
  /// What is watched may not be what lies there now.
  private let doubtsWatches: Bool
  /// Where the music folders really lie, to tell what links lead back into them.
  private let realRoots: [FilePath]
  /// Digests of all folders; nil for a run that asks for those it meets.
  private let seen: [UInt64: UInt64]?
  private var visited: Set<FileIdentity> = []
  /// Folders of which nothing can be reached, though the index has something. Kept over runs.
  private(set) var offline: Set<FilePath>

  private var waiting: [Place]
  private var changed: [Changed] = []
  /// What the index has and the folders have not. By the end it may have turned up elsewhere.
  private var gone: [FilePath: FileStamp] = [:]
  private var goneByStamp: [FileStamp: FilePath] = [:]
  private var goneFolders: [FilePath] = []
  private var hasChanged: Bool

  private var batch: [ScannedFile] = []
  /// Folders whose files are all in the index, or on their way to it.
  private var complete: [(path: UInt64, digest: UInt64)] = []
  /// The same, once what is gone is out of the index: were they noted before, the end of the process in between would
  /// leave it there for good.
  private var completeAtEnd: [(path: UInt64, digest: UInt64)] = []
  private var lastFlush = MonotonicTime.now

  /// Files in one transaction, and transactions under way at most.
  private static let batchSize = 256
  private static let mostPending = 4
  private static let mostWaiting = 512
  /// Parts of albums that are made true in one transaction: others want to write, too.
  private static let partsAtOnce = 256
  private static let flushInterval = MediaTime(seconds: 1)

  init(
    _ places: [Place], roots: [FilePath], offline: Set<FilePath>, hasMoves: Bool, isWhole: Bool, doubtsWatches: Bool,
    watch: FolderWatch, port: ScanPort, crew: ScanCrew, sorting: SortRun
  ) throws(Failure) {
    waiting = places.reversed()
    self.isWhole = isWhole
    self.doubtsWatches = doubtsWatches
    self.offline = offline
    self.watch = watch
    self.port = port
    self.crew = crew
    self.sorting = sorting
    realRoots = roots.compactMap(\.resolved)
    let isUnfinished: Bool
    (isUnfinished, seen) = try port.ask { writer throws(StoreError) in
      (try writer.isUnfinished(), isWhole ? try writer.seenFolders() : nil)
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
      // A whole walk finishes what an earlier one left when it was cut off, too.
      let isFinishing = hasChanged || seen != nil
      if isFinishing, try port.ask({ writer throws(StoreError) in try writer.finishScan(most: Self.partsAtOnce) }) {
        return true
      }
      phase = .done
      return false
    case .done: return false
    }
  }

  // MARK: Finding what changed

  private func survey(_ place: Place) throws(Failure) {
    let isRoot = place.parent < 0
    let node: FolderTree.Node
    if let known = watch.tree.node(place.name, in: place.parent) {
      node = known
      watch.renew(node, place.path, always: doubtsWatches)
    } else {
      guard let new = watch.add(place.path, place.name, in: place.parent) else { return }
      node = new
    }
    let listing: ScanListing
    do {
      listing = try ScanListing(place.path, isRoot: isRoot)
    } catch {
      return try lose(place, node, error)
    }
    if isRoot { identities[place.path] = listing.identity }
    if place.isDeep, !visited.insert(listing.identity).inserted { return }

    let hash = ScanDigest.hash(place.path.bytes)
    let isSeen = place.isFresh ? false : try digest(of: hash) == listing.digest
    let isEmpty = listing.files.isEmpty && listing.sheets.isEmpty && listing.folders.isEmpty && !listing.isMarked
    if isEmpty, !isSeen, !place.isFresh, try isMountGone(place.path, isRoot: isRoot, listing.identity) {
      return putOffline(place.path, isRoot: isRoot)
    }
    putOnline(place.path, isRoot: isRoot, isEmpty: isEmpty)

    let folders = listing.folders.filter { !$0.isLink || !leadsBack(place.path.appending($0.name)) }
    var knownFolders: Set<[UInt8]>?
    if !isSeen {
      knownFolders = try compare(place, listing, folders)
      forgetChildren(of: node, but: folders)
    }
    for folder in folders where place.isDeep || watch.tree.node(folder.name, in: node) == nil {
      let isFresh = place.isFresh || knownFolders?.contains(folder.name) == false
      waiting.append(
        Place(
          path: place.path.appending(folder.name), name: folder.name, parent: node, isDeep: true, isFresh: isFresh))
    }
  }

  /// Notes what is new, changed and gone. The folders in it that the index has something of.
  private func compare(
    _ place: Place, _ listing: ScanListing, _ folders: [ScanListing.Subfolder]
  ) throws(Failure) -> Set<[UInt8]> {
    let path = place.path
    let goneBefore = goneFolders.count
    let found = try Difference(listing, in: path, isFresh: place.isFresh, port)
    for (name, known) in found.gone { miss(path.appending(name), known) }
    for name in found.folders.subtracting(folders.map(\.name)) {
      try loseFolder(path.appending(name), listing.identity)
    }
    total += found.asks.count
    changed.append(
      Changed(
        path: path, digest: listing.digest, isFresh: place.isFresh, isRoot: place.parent < 0,
        losesSome: !found.gone.isEmpty || goneFolders.count > goneBefore))
    return found.folders
  }

  private func miss(_ file: FilePath, _ known: KnownFile) {
    gone[file] = known.stamp
    if !known.hasFailed { goneByStamp[known.stamp] = file }
  }

  /// A folder that the index knows is not there any more.
  private func loseFolder(_ folder: FilePath, _ above: FileIdentity) throws(Failure) {
    guard !offline.contains(folder) else { return }
    if try isMountGone(folder, isRoot: false, above) { return putOffline(folder, isRoot: false) }
    let files = try port.ask { writer throws(StoreError) in
      try writer.forgetSeen(under: folder)
      return try writer.allFiles(under: folder)
    }
    for (path, known) in files { miss(path, known) }
    goneFolders.append(folder)
  }

  private func forgetChildren(of node: FolderTree.Node, but folders: [ScanListing.Subfolder]) {
    let children = watch.tree.children(of: node)
    guard !children.isEmpty else { return }
    let names = Set(folders.map(\.name))
    for child in children where !names.contains(child.name) { watch.remove(child.node) }
  }

  private func digest(of path: UInt64) throws(Failure) -> UInt64? {
    if let seen { return seen[path] }
    return try port.ask { writer throws(StoreError) in try writer.seenDigest(path) }
  }

  /// Whether a link leads to where the walk comes by itself.
  private func leadsBack(_ link: FilePath) -> Bool {
    guard let target = link.resolved else { return true }
    return realRoots.contains { target == $0 || target.isBelow($0) }
  }

  // MARK: What cannot be reached

  private func lose(_ place: Place, _ node: FolderTree.Node, _ error: SystemError) throws(Failure) {
    let isRoot = place.parent < 0
    let isGone = error.code == ENOENT || error.code == ENOTDIR
    watch.remove(node)
    if isRoot {
      watch.lookOut(for: place.path)
      let path = place.path
      if try port.ask({ writer throws(StoreError) in try writer.hasFiles(under: path) }) {
        return putOffline(path, isRoot: true)
      }
      states[path] = .empty
    } else if !isGone, !place.isFresh {
      Log.notice("\(place.path): \(error.reason); what is known of it is kept")
      putOffline(place.path, isRoot: false)
    }
  }

  /// An empty place of which the index knows something: a music folder is never wiped; another only if what was there
  /// lay on the same file system.
  private func isMountGone(_ path: FilePath, isRoot: Bool, _ identity: FileIdentity) throws(Failure) -> Bool {
    if isRoot { return try port.ask { writer throws(StoreError) in try writer.hasFiles(under: path) } }
    let device = try port.ask { writer throws(StoreError) in try writer.anyFile(under: path)?.stamp.device }
    return device != nil && device != identity.device
  }

  private func putOffline(_ path: FilePath, isRoot: Bool) {
    if isRoot { states[path] = .offline }
    guard offline.insert(path).inserted else { return }
    Log.notice("\(path): nothing is there; what is known of it is kept until it comes back")
    hasChanged = true
    port.post { writer throws(StoreError) in try writer.setOffline(path, true) }
  }

  private func putOnline(_ path: FilePath, isRoot: Bool, isEmpty: Bool) {
    if isRoot { states[path] = isEmpty ? .empty : .online }
    guard offline.remove(path) != nil else { return }
    Log.notice("\(path) is back")
    hasChanged = true
    port.post { writer throws(StoreError) in try writer.setOffline(path, false) }
  }

  // MARK: Looking into it

  private func gather(_ changed: Changed) throws(Failure) {
    let path = changed.path
    // What is gone by now is found by the walk that its going causes.
    guard let listing = try? ScanListing(path, isRoot: changed.isRoot) else { return }
    let found = try Difference(listing, in: path, isFresh: changed.isFresh, port)
    if found.hasOtherDevice {
      port.post { writer throws(StoreError) in try writer.setDevice(listing.identity.device, ofFilesIn: path) }
    }
    let job = FolderJob(
      path: ScanDigest.hash(path.bytes), digest: listing.digest, losesSome: changed.losesSome,
      isSteady: listing.digest == changed.digest)
    for ask in found.asks {
      let new = path.appending(ask.file.name)
      if let old = goneByStamp[ask.stamp], old != new {
        move(old, to: new)
        continue
      }
      job.remaining += 1
      crew.append(ScanAsk(path: new, stamp: ask.stamp, ranges: ask.ranges, folder: job))
    }
    if job.remaining == 0 { conclude(job) }
  }

  private func conclude(_ job: FolderJob) {
    guard job.isSteady else { return }
    if job.losesSome { completeAtEnd.append((job.path, job.digest)) } else { complete.append((job.path, job.digest)) }
  }

  /// A file that is gone there and found here is the same one.
  private func move(_ old: FilePath, to new: FilePath) {
    goneByStamp[gone[old] ?? FileStamp(device: 0, inode: 0, size: 0, modified: 0)] = nil
    gone[old] = nil
    hasChanged = true
    done += 1
    port.post { writer throws(StoreError) in try writer.rename(old, to: new) }
  }

  private func take(_ ask: ScanAsk, _ answer: ScanAnswer) {
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
      try writer.noteSeen(complete)
    }
  }

  private func finish() {
    flush()
    var files = Array(gone.keys)
    (gone, goneByStamp) = ([:], [:])
    if !files.isEmpty || !goneFolders.isEmpty { hasChanged = true }
    while !files.isEmpty {
      let some = Array(files.suffix(2 * Self.batchSize))
      files.removeLast(some.count)
      port.post { writer throws(StoreError) in try writer.remove(some) }
    }
    for folder in goneFolders { port.post { writer throws(StoreError) in try writer.removeFolder(folder) } }
    if !completeAtEnd.isEmpty {
      port.post { [completeAtEnd] writer throws(StoreError) in try writer.noteSeen(completeAtEnd) }
    }
  }

  /// Keeps what was found so far; the walk goes no further.
  func cutOff() {
    flush()
    port.post { writer throws(StoreError) in try writer.finishScan() }
  }
}
