// Thread: the loop. Playlists are read and written on the thread of `PlaylistStore`, which responds through the
// mailbox. Only `close` waits for it.

public import SegueFiles
internal import SegueLoop
internal import SegueSystem
public import SegueWire

/// The playlists of the user, which other programs may change, too.
@MainActor
public final class Playlists {
  /// The store, which other threads may ask for the files of playlists.
  let store: PlaylistStore

  private let folder: FilePath
  private let loop: EventLoop
  private let versions: UserListVersions
  /// The watcher of the folder; nil while there is no such folder.
  private var watcher: PathWatcher?
  /// The watcher of the folder's parent while there is no such folder.
  private var parentWatcher: PathWatcher?

  /// `folder`: the folder of the playlists, which need not exist.
  init(folder: FilePath, loop: EventLoop, versions: UserListVersions) {
    store = PlaylistStore(folder: folder)
    self.folder = folder
    self.loop = loop
    self.versions = versions
  }

  /// Begins to follow what other programs change.
  func start() {
    guard !watch() else { return }
    // Other programs may write playlists before Segue does.
    let create: @Sendable (PlaylistFolder) throws(Failure) -> Void = { $0.createIfMissing() }
    store.use(create) { [mailbox = loop.mailbox, weak self] _ in
      mailbox.post { if let self, self.watcher == nil { _ = self.watch() } }
    }
  }

  /// Waits until all changes are on disk.
  func close() { store.close() }

  /// Reads and writes playlists on another thread. `then` is called on the loop.
  public func access<Value: Sendable>(
    _ body: @escaping @Sendable (PlaylistFolder) throws(Failure) -> Value, then: @escaping Completion<Value>
  ) {
    store.use(body) { [mailbox = loop.mailbox, weak self] result in
      mailbox.post {
        // The folder may exist only now.
        self?.watchNewFolder()
        then(result)
      }
    }
  }

  /// Watches a folder that was created while there was none, with what it contains already.
  private func watchNewFolder() {
    if watcher == nil, watch() { versions.handleChange(of: .playlists) }
  }

  /// Watches the folder, or its parent while there is no folder. Returns whether there is one.
  private func watch() -> Bool {
    watchFolder()
    parentWatcher = watcher == nil ? makeParentWatcher() : nil
    // The folder may have been created before the parent was watched.
    if parentWatcher != nil { watchFolder() }
    return watcher != nil
  }

  private func watchFolder() {
    watcher = try? PathWatcher(on: loop, path: folder, for: .files) { [weak self] event in
      guard let self else { return }
      // An event without a name is about the folder, or about more files than could be named.
      if event.name.isEmpty || PlaylistFolder.isFileName(event.name) { self.versions.handleChange(of: .playlists) }
      if event.endsWatch {
        self.watcher = nil
        self.watchNewFolder()
      }
    }
  }

  private func makeParentWatcher() -> PathWatcher? {
    try? PathWatcher(on: loop, path: folder.parent, for: .arrivals) { [weak self, name = folder.lastComponent] event in
      if event.name.isEmpty || event.name == Array(name) { self?.watchNewFolder() }
    }
  }
}
