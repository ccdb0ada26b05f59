// Thread: the loop.

internal import SegueFiles
internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// Whether steps lead to another track or chapter, for clients that offer them only then.
///
/// A step back in the first track or chapter leads to its start, and does not count. While the chapters of a track are
/// unknown, it has none. Without another track, steps become available or unavailable while chapters are played: a
/// timer notifies observers of that.
@MainActor
final class StepAvailability {
  private let playback: Playback
  private let chapterFinder: ChapterFinder
  private let notifier: ChangeNotifier
  private var timer: Timer?
  /// The entry whose chapters were searched for last.
  private var searched: EntryID?

  init(
    loop: EventLoop, playback: Playback, chapterFinder: ChapterFinder, notifier: ChangeNotifier
  ) throws(SystemError) {
    self.playback = playback
    self.chapterFinder = chapterFinder
    self.notifier = notifier
    timer = try Timer(on: loop) { notifier.notify(.player) }
  }

  var canGoNext: Bool {
    playback.neighbors.hasNext || (position.map { time in chapters.contains { $0.start > time } } ?? false)
  }

  var canGoPrevious: Bool {
    playback.neighbors.hasPrevious
      || (position.map { time in chapters.dropFirst().contains { $0.start <= time } } ?? false)
  }

  /// The chapters of the current track, as far as they are known.
  private var chapters: [Chapter] { playback.transport.track?.chapters ?? [] }

  /// The position in the current track; nil while playback is stopped.
  private var position: MediaTime? {
    playback.transport.playState == .stopped ? nil : playback.position.time
  }

  /// Prepares for the next change of the availability. To be called after every change of the player.
  func update() {
    findMissingChapters()
    let position = playback.position
    guard position.isAdvancing, let time = position.time, let change = nextChange(after: time) else {
      timer?.disarm()
      return
    }
    timer?.arm(at: position.measuredAt + position.speed.time(toPlay: change - time))
  }

  /// Returns the position after `time` at which a step becomes available or unavailable while the track is played.
  private func nextChange(after time: MediaTime) -> MediaTime? {
    let neighbors = playback.neighbors
    let changes = [
      neighbors.hasNext ? nil : chapters.map(\.start).max(),
      neighbors.hasPrevious ? nil : chapters.dropFirst().map(\.start).min(),
    ]
    return changes.compactMap(\.self).filter { $0 > time }.min()
  }

  /// Finds the chapters of a track that is not opened before it is played on, if steps depend on them.
  private func findMissingChapters() {
    guard case .dormant(let current, let time, _) = playback.transport.state, current.entry != searched,
      current.chapters == nil,
      case .file(_, range: nil) = try? MediaURI(current.uri)
    else { return }
    let neighbors = playback.neighbors
    guard !neighbors.hasNext || (!neighbors.hasPrevious && time > .zero) else { return }
    searched = current.entry
    chapterFinder.find(current.uri) { [playback] result in
      playback.setChapters((try? result.get()) ?? [], of: current.entry)
    }
  }
}
