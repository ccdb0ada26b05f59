// Thread: the loop. The music folders are read on the thread of `LibraryScanner`, which reports through the mailbox.
// Only `close` waits for it.

internal import SegueLibrary
internal import SegueLoop
internal import SegueScan
public import SegueSystem
internal import SegueWire

/// The scan of the music folders, which keeps the index up to date.
@MainActor
public final class LibraryScan {
  private let store: LibraryStore
  private let worker: FilePath
  private let loudness: LoudnessMeasurement
  private let status: LibraryStatusPublisher
  private let mailbox: Mailbox
  private var scanner: LibraryScanner?
  /// The prefixes of the URIs of files in the music folders.
  private var folderURIs: [String] = []

  /// `worker`: the program that reads files.
  init(
    _ store: LibraryStore, worker: FilePath, loudness: LoudnessMeasurement, status: LibraryStatusPublisher,
    mailbox: Mailbox
  ) {
    self.store = store
    self.worker = worker
    self.loudness = loudness
    self.status = status
    self.mailbox = mailbox
  }

  /// The music folders, as they are configured.
  var folders: [FilePath] { status.folders }

  /// Whether a scan is running, or about to.
  var isRunning: Bool { status.status.scanning }

  /// The number of scans that have ended.
  var endedScans: Int { status.scan.endedWalks }

  /// Returns whether the running scan reads the file at `uri`, or has done so.
  func reads(_ uri: String) -> Bool { isRunning && folderURIs.contains { uri.hasPrefix($0) } }

  /// Scans `folders` in the background, and watches them for changes.
  /// - Parameters:
  ///   - onFilesRead: Called with files that a scan has read.
  ///   - onEnd: Called when a scan has ended: files may have been moved, and all files of the music folders are in
  ///     the index.
  func start(
    folders: [FilePath], onFilesRead: @escaping @MainActor ([ScannedFile]) -> Void,
    onEnd: @escaping @MainActor () -> Void
  ) {
    set(folders)
    do {
      scanner = try LibraryScanner(
        store: store, worker: worker, folders: folders,
        onFilesRead: { [mailbox] files in mailbox.post { onFilesRead(files) } },
        onStatus: { [mailbox, weak self] scan in mailbox.post { self?.handle(scan, onEnd) } })
      status.scanRequests += 1
    } catch {
      status.scanError = LocalizableMessage("cannot scan the music folders: \(error)")
      Log.error("cannot scan the music folders: \(error)")
    }
  }

  func reconfigure(folders: [FilePath]) {
    guard folders != self.folders else { return }
    set(folders)
    guard let scanner else { return }
    status.scanRequests += 1
    scanner.reconfigure(folders: folders)
  }

  /// Ends the scan. Files that were read are stored in the index.
  func close() { scanner?.close() }

  /// Scans `paths`, nil for all music folders. `measuresLoudness`: whether the loudness is measured afterwards.
  public func request(_ paths: [FilePath]?, measuresLoudness: Bool = false) {
    guard let scanner else { return }
    let completion = measuresLoudness ? loudness.request() : nil
    if let paths, paths.isEmpty {
      completion?()
    } else {
      status.scanRequests += 1
      scanner.scan(paths, completion: completion)
    }
  }

  private func set(_ folders: [FilePath]) {
    status.folders = folders
    folderURIs = folders.map { FileURI.encode($0.appending("")) }
  }

  private func handle(_ scan: ScanStatus, _ onEnd: @MainActor () -> Void) {
    let hasEnded = scan.endedWalks != endedScans
    status.scan = scan
    if hasEnded { onEnd() }
  }
}
