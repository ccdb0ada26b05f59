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

  /// `folder`: the folder of the playlists, which need not exist.
  init(folder: FilePath, loop: EventLoop, versions: UserListVersions) {
    store = PlaylistStore(folder: folder)
    self.folder = folder
    self.loop = loop
    self.versions = versions
  }

  /// Begins to follow what other programs change.
  func start() {
    watch()
    // Other programs may write playlists before Segue does.
    if watcher == nil {
      access({ folder throws(Failure) in folder.createIfMissing() }, then: { _ in })
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
        self?.watch()
        then(result)
      }
    }
  }

  /// Watches the folder if it exists and is not watched yet.
  private func watch() {
    guard watcher == nil else { return }
    watcher = try? PathWatcher(on: loop, path: folder, for: .files) { [weak self] event in
      guard let self else { return }
      if event.endsWatch { self.watcher = nil }
      // An event without a name is about the folder, or about more files than could be named.
      guard event.name.isEmpty || PlaylistFolder.isFileName(event.name) else { return }
      self.versions.handlePlaylistChange()
    }
  }
}
