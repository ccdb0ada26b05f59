import SegueSystem
import SegueTestKit
import Testing

@testable import SegueScan

@Suite struct FolderWatcherTests {
  private let folder: TemporaryFolder
  private let watcher = FolderWatcher(maximumWatches: 100)

  init() throws { folder = try TemporaryFolder() }

  /// No event reports a folder that was created after it was found missing, and before the folder above it was watched.
  @Test func aFolderThatIsCreatedBeforeItsWatchIsAChange() throws {
    let root = folder.path.appending("music")
    watcher.watchNearestAncestor(of: root, wasMissing: true)
    #expect(watcher.changeTimes == nil && !watcher.takeChanges().affectsRoots)
    try folder.makeFolder("music")
    watcher.watchNearestAncestor(of: root, wasMissing: true)
    #expect(watcher.changeTimes != nil && watcher.takeChanges().affectsRoots)
  }

  /// Otherwise the folder would be visited endlessly.
  @Test func aFolderThatCannotBeReadIsNoChange() throws {
    try folder.makeFolder("music")
    watcher.watchNearestAncestor(of: folder.path.appending("music"), wasMissing: false)
    #expect(watcher.changeTimes == nil && !watcher.takeChanges().affectsRoots)
  }
}
