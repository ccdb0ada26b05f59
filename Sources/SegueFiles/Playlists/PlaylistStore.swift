// Thread: any. Its work is done on the thread "playlists", which starts with its first job and blocks in the file
// system. Only `close` waits for it. It owns nothing between jobs: there is no state but the files.

public import SegueSystem
public import SegueWire

/// A store of the user's playlists: `.m3u8` files in one folder, which other programs can read and write too.
public final class PlaylistStore: Sendable {
  private let thread: SerialThread<PlaylistFolder>

  private let folder: PlaylistFolder

  /// Creates the store. `folder` need not exist.
  public init(folder path: FilePath) {
    let folder = PlaylistFolder(path: path)
    self.folder = folder
    thread = SerialThread(name: "playlists") { folder }
  }

  /// Returns the path of the playlist with this name, whether it exists or not; nil if the name is not valid. Any
  /// thread.
  public func file(named name: String) -> FilePath? { PlaylistFolder.isName(name) ? folder.file(name) : nil }

  /// Runs `body`, then `completion` with its result, on the thread "playlists". The changes of `body` are on disk
  /// before `completion` runs.
  public func use<Value: Sendable>(
    _ body: @escaping @Sendable (PlaylistFolder) throws(Failure) -> Value,
    _ completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) {
    thread.post { folder in
      let folder = folder
      completion(Result { () throws(Failure) in try body(folder) })
    }
  }

  /// Waits until all requests are done, and ends the thread.
  public func close() { thread.close() }
}
