public import SegueSystem

/// The folders of a daemon. No other daemon uses them at the same time.
public struct DaemonFolders: Sendable {
  /// The folder of `segue.conf` and of the tokens of catalogues.
  public var configuration: FilePath
  /// The folder of what survives the daemon: the queue and the library.
  public var state: FilePath
  /// The folder of the playlists.
  public var playlists: FilePath
  /// The folder of what can be made again.
  public var cache: FilePath
  /// The folder of the socket, which is in memory if the machine has such a file system.
  public var runtime: FilePath

  /// The folder of covers that are ready to be shown.
  public var art: FilePath { cache.appending("art") }

  /// Creates the folders of the user who runs this process. `runtime`: the folder of the socket.
  public init(ofUserWithSocketIn runtime: FilePath) {
    configuration = Directories.config.appending("segue")
    state = Directories.environment("STATE_DIRECTORY") ?? Directories.state.appending("segue")
    playlists = Directories.data.appending("segue/playlists")
    cache = Directories.cache.appending("segue")
    self.runtime = runtime
  }
}
