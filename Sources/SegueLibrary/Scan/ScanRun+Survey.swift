// On the thread "scan" only.

internal import SegueSystem
internal import SegueWire

/// Finding what changed.
extension ScanRun {
  func survey(_ place: Place) throws(Failure) {
    let isRoot = place.parent < 0
    let node: FolderTree.Node
    if let known = watch.tree.node(place.name, in: place.parent) {
      node = known
      watch.renew(node, place.path, always: doubtsWatches)
    } else {
      guard let new = watch.add(place.path, place.name, in: place.parent) else { return try passOver(place) }
      node = new
    }
    let listing: ScanListing
    do {
      listing = try ScanListing(place.path, isRoot: isRoot)
    } catch {
      return try lose(place, node, error)
    }
    if isRoot { identities[place.path] = listing.identity }
    let hash = FolderDigest.hash(place.path.bytes)
    if place.isDeep {
      guard visited[listing.identity] == nil else { return try passOver(place) }
      visited[listing.identity] = hash
    } else if visited[listing.identity] == hash {
      // It was walked with a folder above it, or as one that was moved: what it has is asked for already.
      return
    }
    let isSeen = place.isFresh ? false : try digest(of: hash) == listing.digest
    let isEmpty = isEmpty(listing, place.path)
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

  /// Through a link or a mount the walk has come by another path. What the index has of this one, which an earlier
  /// walk reached first, it would have twice.
  private func passOver(_ place: Place) throws(Failure) {
    guard let identity = try? FileIdentity(of: place.path), let first = visited[identity],
      first != FolderDigest.hash(place.path.bytes)
    else { return }
    if place.parent < 0 { states[place.path] = .online }
    if !place.isFresh { try loseFolder(place.path, identity) }
  }

  /// Notes what is new, changed and gone. The folders in it that the index has something of.
  private func compare(
    _ place: Place, _ listing: ScanListing, _ folders: [ScanListing.Subfolder]
  ) throws(Failure) -> Set<[UInt8]> {
    let path = place.path
    let goneBefore = gone.folders.count
    let found = try FolderDifference(listing, in: path, isFresh: place.isFresh, port, transcoder)
    for (name, known) in found.gone { gone.add(path.appending(name), known) }
    for name in found.folders.subtracting(folders.map(\.name)) {
      try loseFolder(path.appending(name), listing.identity)
    }
    total += found.asks.count
    let keeps = !found.hasOtherDevice && kept + found.asks.count <= Self.mostKept
    if keeps { kept += found.asks.count }
    changed.append(
      Changed(
        path: path, digest: listing.digest, isFresh: place.isFresh, isRoot: place.parent < 0,
        losesSome: !found.gone.isEmpty || gone.folders.count > goneBefore, asks: keeps ? found.asks : nil))
    return found.folders
  }

  /// A folder that the index knows is not there any more.
  private func loseFolder(_ folder: FilePath, _ above: FileIdentity) throws(Failure) {
    guard !offline.contains(folder) else { return }
    if try isMountGone(folder, isRoot: false, above) { return putOffline(folder, isRoot: false) }
    let files = try port.ask { writer throws(StoreError) in
      try writer.removeFolderDigests(under: folder)
      return try writer.allFiles(under: folder)
    }
    for (path, known) in files { gone.add(path, known) }
    gone.folders.append(folder)
  }

  /// Nothing is in it, or nothing but the folder that mkfs(8) makes for what a check of the file system finds.
  private func isEmpty(_ listing: ScanListing, _ path: FilePath) -> Bool {
    if listing.isEmpty { return true }
    guard listing.files.isEmpty, listing.folders.count == 1, listing.folders[0].name.elementsEqual("lost+found".utf8)
    else { return false }
    // Root's alone, as a rule. An album may be called so.
    return (try? ScanListing(path.appending(listing.folders[0].name), isRoot: false)).map(\.isEmpty) ?? true
  }

  private func forgetChildren(of node: FolderTree.Node, but folders: [ScanListing.Subfolder]) {
    let children = watch.tree.children(of: node)
    guard !children.isEmpty else { return }
    let names = Set(folders.map(\.name))
    for child in children where !names.contains(child.name) { watch.remove(child.node) }
  }

  private func digest(of path: UInt64) throws(Failure) -> UInt64? {
    if let seen { return seen[path] }
    return try port.ask { writer throws(StoreError) in try writer.folderDigest(path) }
  }

  /// Whether a link leads to where the walk comes by itself.
  private func leadsBack(_ link: FilePath) -> Bool {
    guard let target = link.resolved else { return true }
    return realRoots.contains { target == $0 || target.isBelow($0) }
  }
}
