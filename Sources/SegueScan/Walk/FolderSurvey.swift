// Thread: "scan".

internal import Glibc
internal import SegueFiles
internal import SegueLibrary
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// The first phase of a walk: visits folders, keeps their watches up to date, and compares them with the index.
final class FolderSurvey {
  /// A folder to visit.
  struct Place {
    let path: FilePath
    let name: [UInt8]
    /// The node of the folder above; -1 for a music folder.
    let parent: FolderTree.Node
    /// Whether everything below the folder is visited too. If not, only new folders in it are.
    let isRecursive: Bool
    /// Whether the index has nothing of the folder.
    let isNew: Bool

    var isRoot: Bool { parent < 0 }
  }

  /// A folder that differs from the index.
  struct ChangedFolder {
    let path: FilePath
    /// The digest of the folder when it was visited.
    let digest: UInt64
    let isNew: Bool
    let isRoot: Bool
    /// Whether the index has something of the folder that is missing on the disk.
    let hasMissingFiles: Bool
    /// The files to read; nil if the folder has to be listed again.
    let files: [FolderDifference.File]?
  }

  /// The number of files to read.
  private(set) var fileCount = 0
  /// Whether the index has to change for another reason than files: a folder became offline or online.
  private(set) var hasChangedAvailability = false
  /// The states of the visited music folders.
  private(set) var states: [FilePath: ScanFolder.State] = [:]
  private(set) var identities: [FilePath: FileIdentity] = [:]

  private let services: ScanContext
  private let converter: CharsetConverter
  /// Whether a watch may belong to another folder than the one at its path.
  private let distrustsWatches: Bool
  /// The music folders without symbolic links, to recognize links that lead back into them.
  private let resolvedRoots: [FilePath]
  /// The digests of all folders in the index; nil if they are read one at a time.
  private let digests: [UInt64: UInt64]?
  /// The hash of the path by which each folder was reached.
  private var visited: [FileIdentity: UInt64] = [:]
  /// The folders to read, in the order in which they were visited.
  private var changed: [ChangedFolder] = []
  private var missing: MissingFiles
  /// The places to visit, the next one last.
  private var pending: [Place]
  /// The number of files that `changed` holds.
  private var keptCount = 0

  /// The survey keeps at most this many files in `changed`. Further folders are listed again when they are read.
  private static let maximumKept = 16_384
  private static let placesPerStep = 32

  init(
    _ places: [Place], roots: [FilePath], missing: MissingFiles, digests: [UInt64: UInt64]?, distrustsWatches: Bool,
    services: ScanContext,
    converter: CharsetConverter
  ) {
    pending = places.reversed()
    self.missing = missing
    self.digests = digests
    self.distrustsWatches = distrustsWatches
    self.services = services
    self.converter = converter
    resolvedRoots = roots.compactMap(\.resolved)
  }

  /// Visits some folders. Returns false if none was left to visit.
  func step() throws(Failure) -> Bool {
    for _ in 0..<Self.placesPerStep {
      guard let place = pending.popLast() else { return false }
      try visit(place)
    }
    return true
  }

  /// Removes and returns the folders to read, in the order in which they were visited, and the files that the index has
  /// and those folders have not.
  func takeResults() -> (changed: [ChangedFolder], missing: MissingFiles) {
    defer { (changed, missing) = ([], MissingFiles()) }
    return (changed, missing)
  }

  private func visit(_ place: Place) throws(Failure) {
    guard let node = watch(place) else { return try skip(place) }
    let listing: ScanListing
    do {
      listing = try ScanListing(place.path, isRoot: place.isRoot)
    } catch {
      return try handleUnreadable(place, node, error)
    }
    if place.isRoot { identities[place.path] = listing.identity }
    let hash = StableHash.hash(place.path.bytes)
    if place.isRecursive {
      guard visited[listing.identity] == nil else { return try skip(place) }
      visited[listing.identity] = hash
    } else if visited[listing.identity] == hash {
      // The folder was visited with one above it, or as one that was moved.
      return
    }
    let isUnchanged = try isUnchanged(place, listing)
    let isEmpty = isEmpty(listing, place.path)
    if isEmpty, !isUnchanged, !place.isNew, try isUnmounted(place.path, isRoot: place.isRoot, listing.identity) {
      return markOffline(place.path, isRoot: place.isRoot)
    }
    markOnline(place, isEmpty: isEmpty)

    let folders = listing.folders.filter { !$0.isLink || !leadsBack(place.path.appending($0.name)) }
    var indexedFolders: Set<[UInt8]>?
    if !isUnchanged {
      indexedFolders = try compare(place, listing, folders)
      services.watcher.removeChildren(of: node, except: Set(folders.map(\.name)))
    }
    for folder in folders where place.isRecursive || services.watcher.node(folder.name, in: node) == nil {
      let isNew = place.isNew || indexedFolders?.contains(folder.name) == false
      pending.append(
        Place(
          path: place.path.appending(folder.name), name: folder.name, parent: node, isRecursive: true, isNew: isNew))
    }
  }

  /// Watches the folder. Returns nil if it is not to be visited.
  private func watch(_ place: Place) -> FolderTree.Node? {
    guard let node = services.watcher.node(place.name, in: place.parent) else {
      return services.watcher.add(place.path, place.name, in: place.parent)
    }
    services.watcher.renew(node, place.path, always: distrustsWatches)
    return node
  }

  /// Skips a folder that this walk has reached by another path, through a link or a mount. An earlier walk may have
  /// reached it by this path first: its tracks would then be in the index twice.
  private func skip(_ place: Place) throws(Failure) {
    guard let identity = try? FileIdentity(of: place.path), let first = visited[identity],
      first != StableHash.hash(place.path.bytes)
    else { return }
    if place.isRoot { states[place.path] = .online }
    if !place.isNew { try handleMissingFolder(place.path, identity) }
  }

  /// Returns whether a folder has not changed since all its files were stored in the index: its digest is the one that
  /// was stored then. The files of such a folder are not compared with the index.
  private func isUnchanged(_ place: Place, _ listing: ScanListing) throws(Failure) -> Bool {
    guard !place.isNew else { return false }
    let path = StableHash.hash(place.path.bytes)
    if let digests { return digests[path] == listing.digest }
    let stored = try services.index.perform { writer throws(StoreError) in try writer.folderDigests.digest(ofPath: path)
    }
    return stored == listing.digest
  }

  /// Whether a link leads to a folder that the walk reaches without it.
  private func leadsBack(_ link: FilePath) -> Bool {
    guard let target = link.resolved else { return true }
    return resolvedRoots.contains { target == $0 || target.isBelow($0) }
  }

  // MARK: Comparing

  /// Collects new, changed and missing files. Returns the names of the folders in this one that the index knows.
  private func compare(
    _ place: Place, _ listing: ScanListing, _ folders: [ScanListing.Subfolder]
  ) throws(Failure) -> Set<[UInt8]> {
    let path = place.path
    let missingFolders = missing.folders.count
    let difference = try FolderDifference(listing, in: path, isNew: place.isNew, services.index, converter)
    for (name, file) in difference.missing { missing.add(path.appending(name), file) }
    for name in difference.indexedFolders.subtracting(folders.map(\.name)) {
      try handleMissingFolder(path.appending(name), listing.identity)
    }
    fileCount += difference.files.count
    let keepsFiles = !difference.hasOtherDevice && keptCount + difference.files.count <= Self.maximumKept
    if keepsFiles { keptCount += difference.files.count }
    changed.append(
      ChangedFolder(
        path: path, digest: listing.digest, isNew: place.isNew, isRoot: place.isRoot,
        hasMissingFiles: !difference.missing.isEmpty || missing.folders.count > missingFolders,
        files: keepsFiles ? difference.files : nil))
    return difference.indexedFolders
  }

  /// Collects the files of a folder that the index knows and that is missing. `parent` is the folder above it.
  private func handleMissingFolder(_ folder: FilePath, _ parent: FileIdentity) throws(Failure) {
    guard !services.offline.contains(folder) else { return }
    if try isUnmounted(folder, isRoot: false, parent) { return markOffline(folder, isRoot: false) }
    let files = try services.index.perform { writer throws(StoreError) in
      try writer.removeFolderDigests(under: folder)
      return try writer.allFiles(under: folder)
    }
    missing.add(folder: folder, files)
  }

  // MARK: Availability

  private func handleUnreadable(
    _ place: Place, _ node: FolderTree.Node, _ error: SystemError
  ) throws(Failure) {
    services.watcher.remove(node)
    if place.isRoot {
      let path = place.path
      services.watcher.watchNearestAncestor(of: path, wasMissing: error.code == ENOENT || error.code == ENOTDIR)
      if try services.index.perform({ writer throws(StoreError) in try writer.hasFiles(under: path) }) {
        return markOffline(path, isRoot: true)
      }
      states[path] = .empty
    } else if error.code != ENOENT, error.code != ENOTDIR, !place.isNew {
      Log.notice("\(place.path): not readable (\(error.reason))")
      markOffline(place.path, isRoot: false)
    }
  }

  /// Whether an empty folder that the index knows is the mount point of a file system that is not mounted. For a music
  /// folder, this is assumed whenever the index has tracks of it; for any other folder, only if its tracks were on
  /// another file system than the folder is on now.
  private func isUnmounted(_ path: FilePath, isRoot: Bool, _ identity: FileIdentity) throws(Failure) -> Bool {
    if isRoot { return try services.index.perform { writer throws(StoreError) in try writer.hasFiles(under: path) } }
    let device = try services.index.perform { writer throws(StoreError) in try writer.anyFile(under: path)?.stamp.device
    }
    return device != nil && device != identity.device
  }

  private func markOffline(_ path: FilePath, isRoot: Bool) {
    if isRoot { states[path] = .offline }
    if services.offline.markOffline(path) { hasChangedAvailability = true }
  }

  private func markOnline(_ place: Place, isEmpty: Bool) {
    if place.isRoot { states[place.path] = isEmpty ? .empty : .online }
    if services.offline.markOnline(place.path) { hasChangedAvailability = true }
  }

  /// Whether a folder holds nothing, or nothing but the folder that mkfs(8) creates for recovered files.
  private func isEmpty(_ listing: ScanListing, _ path: FilePath) -> Bool {
    if listing.isEmpty { return true }
    guard listing.files.isEmpty, listing.folders.count == 1, listing.folders[0].name.elementsEqual("lost+found".utf8)
    else { return false }
    // Usually only root can read `lost+found`. But an album may have that name.
    return (try? ScanListing(path.appending(listing.folders[0].name), isRoot: false)).map(\.isEmpty) ?? true
  }
}
