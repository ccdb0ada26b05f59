// Thread: the loop.

internal import SegueLibrary
internal import SegueSQLite
internal import SegueState
internal import SegueSystem
internal import SegueWire

/// The bookmarks of long tracks: the positions at which they were left, by URI, from which they continue at the same
/// speed. They are stored in the library's database; this is a copy of them. The bookmark of the current track only
/// keeps its speed, and has the position zero, once the track would not continue at its position.
@MainActor
final class Bookmarks {
  private let index: LibraryIndex
  private let settings: SettingsController
  private var points: [String: ResumePoint] = [:]
  /// Closures that wait for the first reading; nil afterwards.
  private var waiting: [@MainActor () -> Void]? = []
  /// Changes that are not on disk yet, the newest last.
  private var unsaved: [(number: Int, uri: String, point: ResumePoint?)] = []
  /// Changes since the bookmarks began to be read; nil while they are not being read.
  private var recent: [String: ResumePoint?]?
  private var lastNumber = 0

  /// A track that is left this close to its end was played to its end.
  private static let endTolerance = MediaTime.seconds(15)
  /// A track that is left before this position has not been started: an earlier bookmark stays.
  private static let minimumPosition = MediaTime.seconds(5)

  init(_ index: LibraryIndex, settings: SettingsController) {
    self.index = index
    self.settings = settings
  }

  // MARK: Long tracks

  private var isEnabled: Bool { settings.configuration.bookmarkAfter > .zero }

  /// Returns whether tracks of that duration have bookmarks.
  func isLong(_ duration: MediaTime) -> Bool { isEnabled && duration >= settings.configuration.bookmarkAfter }

  /// Returns the position at which `entry` starts.
  func startPosition(of entry: PlayQueue.Entry) -> MediaTime {
    point(of: entry)?.position ?? .zero
  }

  /// Returns the speed at which `entry` continues; nil if it has no bookmark that states one.
  func speed(of entry: PlayQueue.Entry) -> PlaybackSpeed? { point(of: entry)?.speed }

  /// Changes the speed in the bookmark of `entry`, if it has one.
  func setSpeed(_ speed: PlaybackSpeed, of entry: PlayQueue.Entry) {
    guard var point = point(of: entry) else { return }
    point.speed = speed
    set(entry.uri, point)
  }

  private func point(of entry: PlayQueue.Entry) -> ResumePoint? {
    guard isEnabled, entry.durationKind != .unbounded, let point = points[entry.uri] else { return nil }
    guard let duration = entry.duration else { return point }
    return isLong(duration) && point.position < duration - Self.endTolerance ? point : nil
  }

  /// Updates the bookmark of a track at `position`, if it is long. `isCurrent`: whether the track stays the current
  /// one, and is not left. Then it keeps its speed in its last seconds, too. `speed`: the speed at which it was played
  /// if it has no bookmark that states another one; nil if that is unknown.
  func update(
    _ uri: String, _ duration: MediaTime?, at position: MediaTime, isCurrent: Bool, speed: PlaybackSpeed?
  ) {
    guard let duration, isLong(duration) else { return }
    if position < Self.minimumPosition {
      // A bookmark that only keeps the speed is not needed any more.
      if !isCurrent, points[uri]?.position == .zero { set(uri, nil) }
      return
    }
    let isFinished = position >= duration - Self.endTolerance
    if isFinished, !isCurrent { return set(uri, nil) }
    // A bookmark that was not read yet may state another speed.
    let speed = points[uri]?.speed ?? (waiting == nil ? speed : nil)
    set(uri, ResumePoint(position: isFinished ? .zero : position, speed: speed))
  }

  /// Removes the bookmark of a track that was played to its end. `isRepeated`: whether the same track follows, which
  /// keeps its speed.
  func finish(_ uri: String, isRepeated: Bool) {
    let speed = isRepeated ? points[uri]?.speed : nil
    set(uri, speed.map { ResumePoint(position: .zero, speed: $0) })
  }

  // MARK: Storage

  /// Sets or removes the bookmark of `uri`.
  private func set(_ uri: String, _ point: ResumePoint?) {
    guard points[uri] != point else { return }
    points[uri] = point
    recent?.updateValue(point, forKey: uri)
    lastNumber += 1
    let number = lastNumber
    unsaved.append((number, uri, point))
    index.write(
      { writer throws(StoreError) in try writer.setBookmark(uri, point) },
      then: { [weak self] result in
        self?.unsaved.removeAll { $0.number == number }
        if case .failure(let failure) = result {
          Log.warning("cannot save the bookmark of \(WebURL.withoutUser(uri)): \(failure.message)")
        }
      })
  }

  /// Calls `then` once the bookmarks were read the first time, shortly after the daemon's start; later at once.
  func whenRead(_ then: @escaping @MainActor () -> Void) {
    if waiting == nil { then() } else { waiting?.append(then) }
  }

  /// Reads the bookmarks: for the first time, or again after a scan, because their files may have been moved. `then` is
  /// called when they were read.
  func read(then: @escaping @MainActor (_ isFirst: Bool) -> Void) {
    let isFirst = waiting != nil
    guard recent == nil, isFirst || !points.isEmpty else { return }
    recent = [:]
    for (_, uri, point) in unsaved { recent?.updateValue(point, forKey: uri) }
    index.lookUp(
      { reader throws(StoreError) in try reader.bookmarks() },
      then: { [weak self] result in
        self?.finishReading(result)
        then(isFirst)
      })
  }

  private func finishReading(_ result: Result<[String: ResumePoint], Failure>) {
    let recent = recent ?? [:]
    self.recent = nil
    if case .success(var found) = result {
      for (uri, var point) in recent {
        if point?.speed == nil { point?.speed = found[uri]?.speed }
        found[uri] = point
      }
      points = found
    }
    let waiting = waiting
    self.waiting = nil
    for then in waiting ?? [] { then() }
  }
}
