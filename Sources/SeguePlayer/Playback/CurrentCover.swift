// Thread: the loop.

internal import SegueCatalogService
internal import SegueFiles
internal import SegueSystem
internal import SegueWire

/// The cover of the current track. Covers are found in the background, one at a time: that of the current track
/// whenever another one becomes current, then that of the next track, so that it is known when the track begins. The
/// search for a cover that an online catalogue must send ends when neither of the two needs it any more.
@MainActor
final class CurrentCover {
  private let queue: QueueController
  private let playback: Playback
  private let finder: CoverFinder
  private let notifier: ChangeNotifier
  /// The covers that were found last, the oldest first. They are shown at once when their tracks become current, until
  /// the search for the current cover has ended.
  private var known: [Known] = []
  /// The current track when `update` was called last.
  private var current: String?
  /// Whether the cover of the current track was searched for since it is current.
  private var isCurrentFound = false
  private var search: Search?
  /// Called when the search for the cover of the current track has ended; nil before the start.
  private var onSearchEnd: (@MainActor () -> Void)?

  private struct Known {
    let track: String
    /// The `file://` URI of the cover; nil if the track has none.
    var cover: String?
  }

  private struct Search {
    let track: String
    /// The requests to online catalogues.
    let requests = CatalogRequestGroup()
  }

  /// The number of covers that are kept: those of the tracks to which a user goes back.
  private static let capacity = 16

  init(queue: QueueController, playback: Playback, finder: CoverFinder, notifier: ChangeNotifier) {
    self.queue = queue
    self.playback = playback
    self.finder = finder
    self.notifier = notifier
  }

  /// Begins to search. `onSearchEnd`: called when the search for the cover of the current track has ended.
  func start(onSearchEnd: @escaping @MainActor () -> Void) {
    self.onSearchEnd = onSearchEnd
    update()
  }

  /// Returns the URI of the cover if `track` is the current track and its cover is known.
  func uri(of track: String) -> String? {
    guard track == queue.contents.currentEntry?.uri else { return nil }
    return known.last { $0.track == track }?.cover
  }

  /// Whether the cover of the current track is being searched for, and nothing is known about it yet.
  var isUnknown: Bool {
    guard let current, current == queue.contents.currentEntry?.uri, !isCurrentFound else { return false }
    return search != nil && !isKnown(current)
  }

  private func isKnown(_ track: String) -> Bool { known.contains { $0.track == track } }

  /// Starts the searches that are due after a change of the current or the next track.
  func update() {
    let uri = queue.contents.currentEntry?.uri
    if uri != current { (current, isCurrentFound) = (uri, false) }
    let next = playback.nextTrack
    if let search {
      // The next search starts when this one has ended.
      if search.track != current, search.track != next { search.requests.cancel() }
      return
    }
    if let current, !isCurrentFound {
      if hasCover(current) { find(current) } else { isCurrentFound = true }
    } else if let next, !isKnown(next), hasCover(next) {
      find(next)
    }
  }

  private func find(_ track: String) {
    let search = Search(track: track)
    self.search = search
    finder.find(track, .medium, as: nil, in: search.requests) { [weak self] result in
      guard let self else { return }
      self.search = nil
      if !search.requests.isCancelled { self.record((try? result.get())?.uri, of: track) }
      self.update()
    }
  }

  private func record(_ cover: String?, of track: String) {
    let isCurrent = track == queue.contents.currentEntry?.uri
    let before = known.last { $0.track == track }?.cover
    known.removeAll { $0.track == track }
    known.append(Known(track: track, cover: cover))
    if known.count > Self.capacity, let oldest = known.firstIndex(where: { $0.track != current }) {
      known.remove(at: oldest)
    }
    guard isCurrent, track == current else { return }
    isCurrentFound = true
    if cover != before { notifier.notify(.player) }
    onSearchEnd?()
  }

  /// Whether a cover can be found: for files and for items of online catalogues.
  private func hasCover(_ track: String) -> Bool {
    switch try? MediaURI(track) {
    case .file, .item: true
    case .stream, nil: false
    }
  }
}
