// Thread: the loop. The files are read and written on the threads of `LibraryStore`, `LibraryScanner` and
// `PlaylistStore`, which answer through the mailbox; nothing here waits for them but `close`.

public import SegueLibrary
internal import SegueLink
internal import SegueLoop
public import SegueSystem
public import SegueWire

/// The music that is there, and what the user makes of it: index, scan, favourites, plays, searches, playlists.
@MainActor
public final class MusicLibrary {
  /// Called when `status` changed.
  var onChange: @MainActor () -> Void = {}
  /// Called when `favorites` changed.
  var onFavorites: @MainActor () -> Void = {}

  /// Called when a scan has ended: files may have been moved, and what is in the music folders is in the index.
  var onScanEnd: @MainActor () -> Void = {}
  /// Called with what a scan has looked into.
  var onFound: @MainActor ([ScannedFile]) -> Void = { _ in }

  /// As it was when it was last heard of: asking costs nothing.
  public private(set) var status = LibraryStatus()
  /// The URIs of all favourites; empty until they were read.
  private(set) var favorites: Set<String> = []

  let store: LibraryStore
  let playlists: PlaylistStore
  let files: FileService
  let mailbox: Mailbox
  private let worker: FilePath
  private var scanner: LibraryScanner?
  /// The music folders, as they were named.
  private(set) var folders: [FilePath] = [] {
    didSet { folderURIs = folders.map { FileURI.encode($0.appending("")) } }
  }
  /// How the URIs of what lies in them begin.
  private(set) var folderURIs: [String] = []
  private var scan = ScanStatus()
  private var loudnessScanner: LoudnessScanner?
  private var loudnessStatus = LoudnessStatus()
  /// The loudness is to be measured of what the scan that runs finds.
  private var isLoudnessWanted = false
  /// A scan was ordered of which nothing was heard yet.
  private var isScanOrdered = false
  private var isCounting = false
  /// It was counted, and nothing is in it.
  private(set) var isKnownEmpty = false
  private var mustCountAgain = false
  /// Searches that are not on disk yet, the newest last.
  private var unsavedSearches: [String] = []

  /// `folder`: where the index is kept. `worker`: the program that looks into files.
  init(folder: FilePath, worker: FilePath, files: FileService, mailbox: Mailbox) {
    store = LibraryStore(path: folder.appending("library.db"))
    playlists = PlaylistStore(folder: Directories.data.appending("segue/playlists"))
    self.files = files
    self.mailbox = mailbox
    self.worker = worker
  }

  // MARK: Life

  /// Scans `folders` in the background, and again what changes in them.
  func start(folders: [FilePath]) {
    self.folders = folders
    loadFavorites {}
    store.onSearchUpdate { [mailbox, weak self] in mailbox.post { self?.count() } }
    do {
      isScanOrdered = true
      scanner = try LibraryScanner(
        store: store, worker: worker, folders: folders,
        found: { [mailbox, weak self] files in mailbox.post { self?.onFound(files) } },
        report: { [mailbox, weak self] scan in mailbox.post { self?.take(scan) } })
    } catch {
      isScanOrdered = false
      status.error = "the music folders are not scanned: \(error)"
      Log.error("the music folders are not scanned: \(error)")
    }
    tell()
    count()
  }

  func reconfigure(folders: [FilePath]) {
    guard folders != self.folders else { return }
    self.folders = folders
    isScanOrdered = scanner != nil
    scanner?.reconfigure(folders: folders)
    count()
  }

  /// Waits until what was asked for is on disk.
  func close() {
    scanner?.close()
    loudnessScanner?.close()
    store.close()
    playlists.close()
  }

  // MARK: The scan

  /// One is under way, or about to be.
  var isScanning: Bool { scan.isScanning || isScanOrdered }

  /// Looks for what is new in `paths`, or everywhere.
  public func startScan(of paths: [FilePath]?, loudness: Bool = false) {
    isScanOrdered = scanner != nil
    isLoudnessWanted = isLoudnessWanted || (loudness && scanner != nil)
    var measure: (@Sendable () -> Void)?
    if loudness {
      measure = { [mailbox, weak self] in
        mailbox.post { self?.measureLoudness() }
      }
    }
    scanner?.scan(paths, then: measure)
    tell()
  }

  /// Has measured what files do not say, of all there is.
  private func measureLoudness() {
    isLoudnessWanted = false
    do {
      if loudnessScanner == nil {
        loudnessScanner = try LoudnessScanner(store: store, worker: worker) { [mailbox, weak self] status in
          mailbox.post {
            self?.loudnessStatus = status
            self?.tell()
          }
        }
      }
      loudnessStatus.isMeasuring = true
      loudnessScanner?.measure()
    } catch {
      Log.error("loudness is not measured: \(error)")
    }
    tell()
  }

  private func take(_ scan: ScanStatus) {
    let hasEnded = scan.ended != self.scan.ended
    self.scan = scan
    isScanOrdered = false
    count()
    // What was moved is a favourite by another name now.
    if hasEnded, !favorites.isEmpty { loadFavorites {} }
    if hasEnded { onScanEnd() }
  }

  /// Asks the index how much is in it; once more if something happens meanwhile.
  private func count() {
    guard !isCounting else {
      mustCountAgain = true
      return
    }
    isCounting = true
    read(
      { reader throws(StoreError) in .success(try reader.counts()) },
      then: { [weak self] result in
        guard let self else { return }
        self.isCounting = false
        if self.mustCountAgain {
          self.mustCountAgain = false
          self.count()
        } else {
          self.tell(result)
        }
      })
  }

  private func tell(_ counted: Result<LibraryCounts, Failure>? = nil) {
    var new = status
    switch counted {
    case nil: break
    case .success(let counts):
      (new.tracks, new.albums, new.artists, new.failed) = (counts.tracks, counts.albums, counts.artists, counts.failed)
      new.searchable = counts.searchable
      isKnownEmpty = counts.tracks == 0
      if scanner != nil { new.error = nil }
    case .failure(let failure):
      new.error = failure.message
      // Nothing comes of it.
      isScanOrdered = false
    }
    new.scanning = isScanning
    (new.done, new.total) = (scan.done, scan.total)
    new.measuring =
      isLoudnessWanted || loudnessStatus.isMeasuring
      ? LibraryStatus.Measuring(
        done: loudnessStatus.done, total: loudnessStatus.total, failed: loudnessStatus.failed) : nil
    let known = scan.folders.isEmpty ? folders.map { ScanFolder(path: $0, state: .unknown) } : scan.folders
    new.folders = known.map { LibraryStatus.Folder(uri: FileURI.encode($0.path), state: .init($0.state)) }
    guard new != status else { return }
    status = new
    onChange()
  }

  // MARK: Asking

  /// Reads, off the loop; `then` is called on it.
  public func read<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryReader) throws(StoreError) -> Result<Value, Failure>,
    then: @escaping Completion<Value>
  ) {
    store.read(body) { [mailbox] result in
      mailbox.post { then(result.flatMap(\.self)) }
    }
  }

  /// The same for what is found at once, and waits for nobody's search.
  func lookUp<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryReader) throws(StoreError) -> Value, then: @escaping Completion<Value>
  ) {
    store.lookUp(body) { [mailbox] result in
      mailbox.post { then(result) }
    }
  }

  /// Writes, off the loop; `then` is called on it once what was written survives the death of the process.
  func write(
    _ body: @escaping @Sendable (LibraryWriter) throws(StoreError) -> Void, then: @escaping Completion<Void>
  ) {
    store.write(body) { [mailbox] result in
      mailbox.post { then(result) }
    }
  }

  /// What is done with playlists, off the loop; `then` is called on it.
  public func accessPlaylists<Value: Sendable>(
    _ body: @escaping @Sendable (PlaylistFolder) throws(Failure) -> Value, then: @escaping Completion<Value>
  ) {
    playlists.use(body) { [mailbox] result in
      mailbox.post { then(result) }
    }
  }

  /// What was measured of the track at `uri`, if its file has not changed since.
  func loudness(of uri: String, then: @escaping @MainActor (ReplayGain) -> Void) {
    lookUp(
      { reader throws(StoreError) in try reader.loudness(uri) },
      then: { result in then((try? result.get()) ?? ReplayGain()) })
  }

  // MARK: What the user makes

  func isFavorite(_ uri: String) -> Bool { !favorites.isEmpty && favorites.contains(uri) }

  func loadFavorites(then: @escaping @MainActor () -> Void) {
    read(
      { reader throws(StoreError) in .success(try reader.favoriteURIs()) },
      then: { [weak self] result in
        if let self, case .success(let uris) = result, uris != self.favorites {
          self.favorites = uris
          self.onFavorites()
        }
        then()
      })
  }

  /// Counts a play of the track at `uri`, with the facts that are known of it now.
  func addPlay(of uri: String, _ known: PlayedFacts) {
    let now = UnixTime.now
    write(
      { writer throws(StoreError) in try writer.addPlay(uri, known, at: now) },
      then: { result in
        if case .failure(let failure) = result { Log.warning("that \(uri) was played is not kept: \(failure.message)") }
      })
  }

  /// Somebody searched for it. What is longer than any query that is read was typed by nobody.
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

  /// The last searches, the newest first, that hold `text` without regard to case.
  public func searches(containing text: String, then: @escaping Completion<SearchList>) {
    let unsaved = unsavedSearches(containing: text)
    read(
      { reader throws(StoreError) in .success(SearchList(unsaved, try reader.searches(containing: text))) }, then: then)
  }

  /// Those of them that are not on disk yet.
  public func unsavedSearches(containing text: String) -> [String] {
    let sought = text.lowercased()
    return unsavedSearches.suffix(LibraryReader.maximumSearches).reversed().filter {
      sought.isEmpty || $0.lowercased().contains(sought)
    }
  }
}

extension SearchList {
  /// Each once, the newest first.
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
