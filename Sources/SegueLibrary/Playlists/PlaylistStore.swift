// Any thread may call this. Its work is done on the thread "playlists", which starts with its first job, blocks in the
// file system, and is waited for by nobody but `close`. It owns nothing between jobs: the files are what there is.

public import SegueSystem
public import SegueWire

/// The user's playlists: `.m3u8` files in one folder, so that other programs read and write them too.
public final class PlaylistStore: Sendable {
  private let thread: SerialThread<PlaylistFolder>

  private let folder: PlaylistFolder

  /// Touches nothing yet. `folder` is made when the first playlist is saved.
  public init(folder path: FilePath) {
    let folder = PlaylistFolder(path: path)
    self.folder = folder
    thread = SerialThread(name: "playlists") { folder }
  }

  /// Where a playlist lies, or would; nil if none can have that name. Any thread.
  public func file(named name: String) -> FilePath? { PlaylistFolder.isName(name) ? folder.file(name) : nil }

  /// `body` and `answer` run on the thread "playlists", one after another. What `body` changed has been written by
  /// then.
  public func use<Value: Sendable>(
    _ body: @escaping @Sendable (PlaylistFolder) throws(Failure) -> Value,
    _ answer: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) {
    thread.post { folder in
      let folder = folder
      answer(Result { () throws(Failure) in try body(folder) })
    }
  }

  /// Waits until all that was asked for is done.
  public func close() { thread.close() }
}
