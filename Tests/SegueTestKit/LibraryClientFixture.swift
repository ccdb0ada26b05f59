internal import Glibc
public import SegueSystem
public import SegueWire

/// A daemon with music to scan, and two clients. The module of a test gives this a shorter name for its kind of daemon.
public final class LibraryClientFixture<Daemon: TestedDaemon> {
  public let daemon: Daemon
  public private(set) var client: SocketClient
  public private(set) var watcher: SocketClient
  public let music: FilePath

  /// A track: its path in the music folder without `.flac`, and its tags.
  public typealias Song = (path: String, tags: [(String, String)])

  /// The tracks of most tests: two albums of one artist, another album, and a track without an album.
  public static var songs: [Song] {
    [
      song("Кино/Группа крови/1", "Группа крови", "Кино", "Группа крови", "1988", "Rock", "1"),
      song("Кино/Группа крови/2", "Закрой за мной дверь", "Кино", "Группа крови", "1988", "Rock", "2"),
      song("Кино/Звезда/1", "Звезда по имени Солнце", "Кино", "Звезда по имени Солнце", "1989", "Rock", "1"),
      song("Björk/Debut/01", "Human Behaviour", "Björk", "Debut", "1993", "Electronic", "1"),
      song("Björk/Debut/10", "Violently Happy", "Björk", "Debut", "1993", "Electronic", "10"),
      ("loose", [("TITLE", "Loose"), ("ARTIST", "Nobody in Particular")]),
    ]
  }

  private static func song(
    _ path: String, _ title: String, _ artist: String, _ album: String, _ date: String, _ genre: String,
    _ number: String
  ) -> Song {
    (
      path,
      [
        ("TITLE", title), ("ARTIST", artist), ("ALBUM", album), ("DATE", date), ("GENRE", genre),
        ("TRACKNUMBER", number),
      ]
    )
  }

  /// Starts `daemon`, which does not run yet, and waits until `songs` are scanned.
  public init(_ songs: [Song], configuration: String, on daemon: Daemon) throws {
    self.daemon = daemon
    music = daemon.directory.appending("music")
    for song in songs { try Self.write(song, to: music) }
    try daemon.configure(configuration)
    try daemon.start()
    client = try daemon.connect()
    watcher = try daemon.connect()
    try waitUntilReady()
  }

  /// Restarts the daemon after a kill or a shutdown.
  public func restart() throws {
    try daemon.start()
    client = try daemon.connect()
    watcher = try daemon.connect()
    try waitUntilReady()
  }

  /// Waits until the music is scanned and the queue has its initial population.
  private func waitUntilReady() throws {
    try watcher.call("subscribe", #"{"topics":["library"]}"#)
    try waitForScan()
    // This request comes after the initial population of the queue.
    try client.call("queue.add", #"{"uris":[]}"#)
  }

  @discardableResult
  public func write(_ song: Song) throws -> FilePath { try Self.write(song, to: music) }

  @discardableResult
  private static func write(_ song: Song, to music: FilePath) throws -> FilePath {
    let path = music.appending(song.path + ".flac")
    var missing: [FilePath] = []
    var parent = path.parent
    while parent != music {
      missing.append(parent)
      parent = parent.parent
    }
    for folder in missing.reversed() { folder.withCString { _ = mkdir($0, 0o700) } }
    try AudioFile.write(FLACTags.replace(try AudioFile.read(Repository.fixture("a.flac")), song.tags), to: path)
    return path
  }

  public func uri(_ path: String) -> String { FileURI.encode(music.appending(path + ".flac")) }

  // MARK: Library status

  public func status() throws -> LibraryStatus { LibraryStatus(try client.call("library.status")) }

  /// Waits until the status satisfies `condition`. It requests the status now and after every event.
  @discardableResult
  public func wait(until condition: (LibraryStatus) -> Bool) throws -> LibraryStatus {
    while true {
      let now = try status()
      if condition(now) { return now }
      _ = try watcher.event(of: "library")
    }
  }

  @discardableResult
  public func waitForScan() throws -> LibraryStatus { try wait { !$0.scanning } }

  // MARK: Requests

  public func page<CatalogItem: ListItem>(_ method: String, _ params: String? = nil) throws -> ListPage<CatalogItem> {
    ListPage(try client.call(method, params))
  }

  public func titles(_ method: String, _ params: String? = nil) throws -> [String?] {
    try client.call(method, params)["tracks"]?.elements?.map { $0["metadata"]?["title"]?.string } ?? []
  }
}
