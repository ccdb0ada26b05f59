// Thread: the loop.

internal import SegueFiles
internal import SegueOnline
internal import SegueSystem
internal import SegueWire

/// The cover of the current track, which is found in the background: once for each track and one at a time. A track that
/// was current only while the cover of another was searched for is skipped. The search for a cover that an online catalogue
/// must send ends when another track becomes current.
@MainActor
final class CurrentCover {
  private let queue: QueueController
  private let finder: CoverFinder
  private let notifier: ChangeNotifier
  /// The URI of the track whose cover was searched for last.
  private var track: String?
  /// The `file://` URI of its cover.
  private var cover: String?
  /// The requests to online catalogues of the running search; nil if none is running.
  private var search: CatalogRequestGroup?

  init(queue: QueueController, finder: CoverFinder, notifier: ChangeNotifier) {
    self.queue = queue
    self.finder = finder
    self.notifier = notifier
  }

  /// Returns the URI of the cover if `track` is the current track and its cover is known.
  func uri(of track: String) -> String? { track == self.track ? cover : nil }

  /// Starts a search if the current track has changed.
  func update() {
    let uri = queue.contents.currentEntry?.uri
    guard uri != track else { return }
    cover = nil
    if let search {
      // The search begins anew if the track becomes current again before it has ended.
      track = nil
      return search.cancel()
    }
    track = uri
    guard let uri, let media = try? MediaURI(uri), media.hasCover else { return }
    let search = CatalogRequestGroup()
    self.search = search
    finder.find(uri, .medium, as: nil, in: search) { [weak self] result in
      guard let self else { return }
      self.search = nil
      if self.queue.contents.currentEntry?.uri == uri, case .success(let art) = result {
        self.cover = art.uri
        self.notifier.notify(.player)
      }
      self.update()
    }
  }
}

extension MediaURI {
  /// Whether a cover can be found: for files and for items of online catalogues.
  fileprivate var hasCover: Bool {
    switch self {
    case .file, .item: true
    case .stream: false
    }
  }
}
