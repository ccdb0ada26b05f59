// Thread: the loop. Files are read and written on the threads of `LibraryStore`, `LibraryScanner` and `PlaylistStore`, which
// respond through the mailbox. Only `close` waits for them.

public import SegueFiles
public import SegueIndex
internal import SegueLink
internal import SegueLoop
internal import SegueOnline
public import SegueSQLite
internal import SegueScan
public import SegueSystem
public import SegueWire

/// The music library on the loop: index, scan, favorites, plays, searches and playlists.
@MainActor
public final class MusicLibrary {
  /// Called when the state of a topic has changed: `status`, or a version of `versions`.
  var onChange: @MainActor (Topic) -> Void = { _ in }
  /// Called when `favorites` has changed.
  var onFavorites: @MainActor () -> Void = {}
  /// Returns a function that finds the titles of streams by their URIs in the queue as it is now. That function is to be called
  /// on another thread. The player sets it once.
  var makeTitleSearch: @MainActor () -> TitleSearch = { { _ in [:] } }
  /// Called when a scan has ended: files may have been moved, and all files of the music folders are in the index.
  var onScanEnd: @MainActor () -> Void = {}
  /// Called with files that a scan has read.
  var onFilesRead: @MainActor ([ScannedFile]) -> Void = { _ in }

  /// Finds what an online catalogue states about an item that becomes a favorite. The player sets it once.
  var describeItem: @MainActor (CatalogItemURI, CatalogRequestGroup, @escaping Completion<FavoriteFacts>) -> Void = {
    _, _, then in
    then(.success(FavoriteFacts()))
  }

  /// The last known status; reading it is cheap.
  public private(set) var status = LibraryStatus()
  /// The URIs of all favorites; empty until they are read.
  private(set) var favorites: Set<String> = [] {
    didSet { favoritesRevision += 1 }
  }
  private var favoritesRevision = 0
  /// The versions of the lists of the user.
  public private(set) var versions = ListVersions()
  /// The version of the tracks, albums, artists, genres and folders.
  private var itemsVersion: UInt64 = 0

  let store: LibraryStore
  let playlists: PlaylistStore
  private let playlistFolder: FilePath
  /// The watcher of the folder of playlists; nil while there is no such folder.
  private var playlistWatcher: PathWatcher?
  let files: FileService
  let mailbox: Mailbox
  private let loop: EventLoop
  private let worker: FilePath
  private var scanner: LibraryScanner?
  /// The music folders, as they are configured.
  private(set) var folders: [FilePath] = [] {
    didSet { folderURIs = folders.map { FileURI.encode($0.appending("")) } }
  }
  /// The prefixes of the URIs of files in the music folders.
  private(set) var folderURIs: [String] = []
  private var scan = ScanStatus()
  private var loudnessScanner: LoudnessScanner?
  /// The progress of the measurement of loudness; nil while there is none.
  private var loudnessStatus: LoudnessStatus?
  private var loudnessRequests = LoudnessRequests()
  /// Whether a scan was requested that has not reported its status yet.
  private var isScanRequested = false
  private var counting = Counting.idle
  /// Whether the index was counted, and is empty.
  private(set) var isKnownEmpty = false
  /// Searches that are not on disk yet, the newest last.
  private var unsavedSearches: [String] = []

  typealias TitleSearch = @Sendable (_ uris: Set<String>) -> [String: String]

  private enum Counting {
    case idle
    case running
    /// The index may have changed since the counting began: it is counted again.
    case outdated
  }

  /// `folder`: the folder of the index. `worker`: the program that reads files.
  init(folder: FilePath, worker: FilePath, files: FileService, loop: EventLoop) {
    store = LibraryStore(path: folder.appending("library.db"))
    playlistFolder = Directories.data.appending("segue/playlists")
    playlists = PlaylistStore(folder: playlistFolder)
    self.files = files
    self.mailbox = loop.mailbox
    self.loop = loop
    self.worker = worker
  }

  // MARK: Lifecycle

  /// Scans `folders` in the background, and watches them for changes.
  func start(folders: [FilePath]) {
    self.folders = folders
    loadFavorites {}
    watchPlaylists()
    // Other programs may write playlists before Segue does.
    if playlistWatcher == nil {
      accessPlaylists({ folder throws(Failure) in folder.createIfMissing() }, then: { _ in })
    }
    store.onSearchUpdate { [mailbox, weak self] in mailbox.post { self?.count() } }
    store.onChange { [mailbox, weak self] changes in mailbox.post { self?.handle(changes) } }
    do {
      isScanRequested = true
      scanner = try LibraryScanner(
        store: store, worker: worker, folders: folders,
        onFilesRead: { [mailbox, weak self] files in mailbox.post { self?.onFilesRead(files) } },
        onStatus: { [mailbox, weak self] scan in mailbox.post { self?.handle(scan) } })
    } catch {
      isScanRequested = false
      status.error = LocalizableMessage("cannot scan the music folders: \(error)")
      Log.error("cannot scan the music folders: \(error)")
    }
    updateStatus()
    count()
  }

  func reconfigure(folders: [FilePath]) {
    guard folders != self.folders else { return }
    self.folders = folders
    isScanRequested = scanner != nil
    scanner?.reconfigure(folders: folders)
    count()
  }

  /// Closes the library, and waits until all changes are on disk.
  func close() {
    scanner?.close()
    loudnessScanner?.close()
    store.close()
    playlists.close()
  }

  // MARK: The scan

  /// Whether a scan is running, or about to.
  var isScanning: Bool { scan.isScanning || isScanRequested }

  /// The number of scans that have ended.
  var endedScans: Int { scan.endedWalks }

  /// Scans `paths`, nil for all music folders. `loudness`: whether the loudness is measured afterwards.
  public func startScan(of paths: [FilePath]?, loudness: Bool = false) {
    isScanRequested = scanner != nil
    var measure: (@Sendable () -> Void)?
    if loudness, scanner != nil {
      loudnessRequests.count += 1
      measure = { [mailbox, weak self, generation = loudnessRequests.generation] in
        mailbox.post { self?.measureLoudness(generation) }
      }
    }
    scanner?.scan(paths, completion: measure)
    updateStatus()
  }

  /// Ends the measurement of loudness, and drops the requests for others. What was measured is kept.
  public func cancelLoudness() {
    loudnessRequests = LoudnessRequests(generation: loudnessRequests.generation + 1)
    loudnessScanner?.cancel()
    updateStatus()
  }

  /// Measures the loudness of all tracks whose files do not have it, unless the request was cancelled.
  private func measureLoudness(_ generation: Int) {
    guard generation == loudnessRequests.generation else { return }
    loudnessRequests.count -= 1
    do {
      if loudnessScanner == nil {
        loudnessScanner = try LoudnessScanner(store: store, worker: worker) { [mailbox, weak self] status in
          mailbox.post { self?.handle(status) }
        }
      }
      loudnessStatus = loudnessStatus ?? LoudnessStatus()
      loudnessScanner?.measure()
    } catch {
      Log.error("cannot measure the loudness: \(error)")
    }
    updateStatus()
  }

  /// Handles the progress of the measurement, or its end if `status` is nil: another one may have been requested since.
  private func handle(_ status: LoudnessStatus?) {
    loudnessStatus = status ?? (loudnessScanner?.isActive == true ? LoudnessStatus() : nil)
    updateStatus()
  }

  private func handle(_ scan: ScanStatus) {
    let hasEnded = scan.endedWalks != self.scan.endedWalks
    self.scan = scan
    isScanRequested = false
    count()
    // A favorite whose file was moved has another URI now.
    if hasEnded, !favorites.isEmpty { loadFavorites {} }
    if hasEnded { onScanEnd() }
  }

  private func handle(_ changes: LibraryChanges) {
    if changes.contains(.items) {
      itemsVersion += 1
      count()
    }
    if changes.contains(.favorites) {
      versions.favorites.version += 1
      onChange(.favorites)
    }
    if changes.contains(.ratings) {
      versions.ratings.version += 1
      onChange(.ratings)
    }
    if changes.contains(.history) {
      versions.history.version += 1
      onChange(.history)
    }
  }

  /// Counts the index, once more if it may have changed meanwhile.
  private func count() {
    guard counting == .idle else {
      counting = .outdated
      return
    }
    counting = .running
    read(
      { reader throws(StoreError) in .success(try reader.counts()) },
      then: { [weak self] result in
        guard let self else { return }
        let isOutdated = self.counting == .outdated
        self.counting = .idle
        if isOutdated { self.count() } else { self.updateStatus(result) }
      })
  }

  private func updateStatus(_ counted: Result<LibraryCounts, Failure>? = nil) {
    var new = status
    switch counted {
    case nil: break
    case .success(let counts):
      (new.tracks, new.albums, new.artists, new.failed) = (counts.tracks, counts.albums, counts.artists, counts.failed)
      new.searchable = counts.searchable
      isKnownEmpty = counts.tracks == 0
      if scanner != nil { new.error = nil }
    case .failure(let failure):
      new.error = failure.localizableMessage
      // The scan cannot begin.
      isScanRequested = false
    }
    new.scanning = isScanning
    (new.done, new.total) = (scan.done, scan.total)
    let measuring = loudnessStatus ?? (loudnessRequests.count > 0 ? LoudnessStatus() : nil)
    new.measuring = measuring.map {
      LibraryStatus.Measuring(done: $0.done, total: $0.total, failed: $0.failed, remaining: $0.remaining)
    }
    let known = scan.folders.isEmpty ? folders.map { ScanFolder(path: $0, state: .unknown) } : scan.folders
    new.folders = known.map { LibraryStatus.Folder(uri: FileURI.encode($0.path), state: .init($0.state)) }
    new.version = itemsVersion
    guard new != status else { return }
    status = new
    onChange(.library)
  }

  // MARK: Access

  /// Reads the index on another thread. `then` is called on the loop.
  public func read<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryReader) throws(StoreError) -> Result<Value, Failure>,
    then: @escaping Completion<Value>
  ) {
    store.read(body) { [mailbox] result in
      mailbox.post { then(result.flatMap(\.self)) }
    }
  }

  /// Reads the index on a thread that runs no searches, for reads that take a short time.
  func lookUp<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryReader) throws(StoreError) -> Value, then: @escaping Completion<Value>
  ) {
    store.lookUp(body) { [mailbox] result in
      mailbox.post { then(result) }
    }
  }

  /// Writes to the index on another thread. `then` is called on the loop once the change survives the end of the process.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryWriter) throws(StoreError) -> Value, then: @escaping Completion<Value>
  ) {
    store.write(body) { [mailbox] result in
      mailbox.post { then(result) }
    }
  }

  /// Reads and writes playlists on another thread. `then` is called on the loop.
  public func accessPlaylists<Value: Sendable>(
    _ body: @escaping @Sendable (PlaylistFolder) throws(Failure) -> Value, then: @escaping Completion<Value>
  ) {
    playlists.use(body) { [mailbox, weak self] result in
      mailbox.post {
        // The folder may exist only now.
        self?.watchPlaylists()
        then(result)
      }
    }
  }

  /// Finds the measured loudness of the track at `uri`, if its file has not changed since.
  func loudness(of uri: String, then: @escaping @MainActor (ReplayGain) -> Void) {
    lookUp(
      { reader throws(StoreError) in try reader.loudness(uri) },
      then: { result in then((try? result.get()) ?? ReplayGain()) })
  }

  /// Watches the folder of playlists if it exists and is not watched yet.
  private func watchPlaylists() {
    guard playlistWatcher == nil else { return }
    playlistWatcher = try? PathWatcher(on: loop, path: playlistFolder, for: .files) { [weak self] event in
      guard let self else { return }
      if event.endsWatch { self.playlistWatcher = nil }
      // An event without a name is about the folder, or about more files than could be named.
      guard event.name.isEmpty || PlaylistFolder.isFileName(event.name) else { return }
      self.versions.playlists.version += 1
      self.onChange(.playlists)
    }
  }

  // MARK: User data

  func isFavorite(_ uri: String) -> Bool { !favorites.isEmpty && favorites.contains(uri) }

  /// Reads the favorites. There may be very many, so that the other thread compares them with those before.
  func loadFavorites(then: @escaping @MainActor () -> Void) {
    let (before, revision) = (favorites, favoritesRevision)
    read(
      { reader throws(StoreError) -> Result<(uris: Set<String>, isChanged: Bool), Failure> in
        let uris = try reader.favoriteURIs()
        return .success((uris, uris != before))
      },
      then: { [weak self] result in
        if let self, case .success(let (uris, isChanged)) = result, isChanged || revision != self.favoritesRevision {
          self.favorites = uris
          self.onFavorites()
        }
        then()
      })
  }

  /// Records a play of the track at `uri`, with the facts that are known of it now.
  func addPlay(of uri: String, _ known: PlayedFacts) {
    let now = UnixTime.now
    write(
      { writer throws(StoreError) in try writer.addPlay(uri, known, at: now) },
      then: { result in
        if case .failure(let failure) = result {
          Log.warning("cannot record the play of \(WebURL.withoutUser(uri)): \(failure.message)")
        }
      })
  }

  /// Records a search of the user. A query beyond the maximum size was not typed by a user.
  public func remember(search query: String) {
    guard query.utf8.count <= LibraryReader.maximumQueryLength else { return }
    let now = UnixTime.now
    unsavedSearches.append(query)
    write(
      { writer throws(StoreError) in try writer.addSearch(query, at: now) },
      then: { [weak self] _ in
        self?.unsavedSearches.removeFirst()
      })
  }

  /// Finds the last searches that contain `text`, the newest first. Case is ignored.
  public func searches(containing text: String, then: @escaping Completion<SearchList>) {
    let unsaved = unsavedSearches(containing: text)
    read(
      { reader throws(StoreError) in .success(SearchList(unsaved, try reader.searches(containing: text))) }, then: then)
  }

  /// Returns the searches that contain `text` and are not on disk yet, the newest first.
  public func unsavedSearches(containing text: String) -> [String] {
    let sought = text.lowercased()
    return unsavedSearches.suffix(LibraryReader.maximumSearches).reversed().filter {
      sought.isEmpty || $0.lowercased().contains(sought)
    }
  }
}

extension SearchList {
  /// Combines searches, each of them once, the newest first.
  public init(_ unsaved: [String], _ saved: [String]) {
    var seen: Set<String> = []
    let all = (unsaved + saved).filter { seen.insert($0.lowercased()).inserted }
    self.init(searches: Array(all.prefix(LibraryReader.maximumSearches)))
  }
}

extension LibraryStatus.Folder.State {
  fileprivate init(_ state: ScanFolder.State) {
    self =
      switch state {
      case .unknown: .unknown
      case .online: .online
      case .offline: .offline
      case .empty: .empty
      }
  }
}

/// The versions of the lists of the user.
public struct ListVersions: Sendable {
  public var favorites = ListVersion(version: 0)
  public var playlists = ListVersion(version: 0)
  public var ratings = ListVersion(version: 0)
  public var history = ListVersion(version: 0)
}

/// The requests for a measurement of loudness whose scans have not ended yet.
private struct LoudnessRequests {
  /// Cancelling begins a new generation, so that the ends of earlier scans start no measurement.
  var generation = 0
  var count = 0
}
