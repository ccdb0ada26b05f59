// Thread: the loop.

internal import SegueFiles
internal import SegueLibrary
internal import SegueScan
internal import SegueSystem
public import SegueWire

/// The status of the library, as clients see it. Each of its facts has one owner, which sets it; subscribers are
/// notified of every change.
@MainActor
public final class LibraryStatusPublisher {
  /// The last known status; reading it is cheap.
  public private(set) var status = LibraryStatus()

  /// The numbers of items in the index, or why it cannot be read; nil before that is known.
  var counts: Result<LibraryCounts, Failure>? { didSet { publish() } }
  /// The version of the tracks, albums, artists, genres and folders.
  var version = ListVersion.first.version { didSet { publish() } }
  /// The music folders, as they are configured.
  var folders: [FilePath] = [] { didSet { publish() } }
  /// The progress of the scan.
  var scan = ScanStatus() { didSet { publish() } }
  /// The number of requests to the scanner, of which the first folders are one.
  var scanRequests = 0 { didSet { publish() } }
  /// Why the music folders cannot be scanned; nil if they can.
  var scanError: LocalizableMessage? { didSet { publish() } }
  /// The progress of the measurement of loudness; nil while there is none.
  var loudness: LoudnessStatus? { didSet { publish() } }

  private let notifier: ChangeNotifier

  init(notifier: ChangeNotifier) { self.notifier = notifier }

  /// Whether the index was counted, and is empty.
  var isKnownEmpty: Bool { if case .success(let counts) = counts { counts.tracks == 0 } else { false } }

  private func publish() {
    var new = status
    switch counts {
    case nil: new.error = scanError
    case .success(let counts):
      (new.tracks, new.albums, new.artists, new.failed) = (counts.tracks, counts.albums, counts.artists, counts.failed)
      new.searchable = counts.searchable
      new.error = scanError
    // The counts stay as they were.
    case .failure(let failure): new.error = failure.localizableMessage
    }
    // A scan does not begin while the index cannot be read.
    let mayBegin = if case .failure = counts { false } else { true }
    // The status of the scan may be older than the last request.
    new.scanning = scan.isScanning || (scan.requests < scanRequests && mayBegin)
    (new.done, new.total) = (scan.done, scan.total)
    new.measuring = loudness.map {
      LibraryStatus.Measuring(done: $0.done, total: $0.total, failed: $0.failed, remaining: $0.remaining)
    }
    let known = scan.folders.isEmpty ? folders.map { ScanFolder(path: $0, state: .unknown) } : scan.folders
    new.folders = known.map { LibraryStatus.Folder(uri: FileURI.encode($0.path), state: .init($0.state)) }
    new.version = version
    guard new != status else { return }
    status = new
    notifier.notify(.library)
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
