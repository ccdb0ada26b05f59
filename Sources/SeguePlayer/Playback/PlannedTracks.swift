// Thread: the loop.

internal import SegueFiles
internal import SegueLink
internal import SeguePulse
internal import SegueRing
internal import SegueSystem
internal import SegueWire

/// The current track of playback. It is kept while it is played, though its entry may have left the queue.
struct CurrentTrack {
  let entry: EntryID
  fileprivate(set) var uri: String
  /// The duration; nil if it is unknown, or unbounded.
  var duration: MediaTime?
  /// The chapters; nil before the file was opened.
  var chapters: [Chapter]?
  /// The name of the station; nil for a track without one, and before the stream was opened.
  var station: String?
}

/// The tracks of the plan, as far as playback knows them: which of them is current, and what the worker has found in their
/// files. The findings are stored in the queue, and those of the current track are sent to the sound server.
@MainActor
final class PlannedTracks {
  /// The current track; nil while stopped.
  private(set) var current: CurrentTrack?

  private let queue: QueueController
  private let sink: SinkProxy
  private let notifier: ChangeNotifier
  /// The descriptions of the files, by generation.
  private var openedInfo: [UInt32: MediaInfo] = [:]

  init(queue: QueueController, sink: SinkProxy, notifier: ChangeNotifier) {
    self.queue = queue
    self.sink = sink
    self.notifier = notifier
  }

  /// Returns the description of the file of `item`; nil until the worker has opened it.
  func info(of item: Transport.Item?) -> MediaInfo? { item.flatMap { openedInfo[$0.generation.number] } }

  /// Updates the current track after an event of the transport.
  func update(for transport: Transport) {
    guard let id = transport.entry else {
      current = nil
      return
    }
    let entry = queue.contents.entry(id)
    if current?.entry != id { current = entry.map { CurrentTrack(entry: id, uri: $0.uri) } }
    if let entry {
      // The file may have been moved.
      current?.uri = entry.uri
      current?.duration = entry.durationKind == .unbounded ? nil : entry.duration
    }
    if let info = info(of: transport.plan.first) {
      current?.chapters = info.chapters
      current?.station = info.station
    }
  }

  /// Sets the chapters of the current track, if it still is `entry` and they are unknown.
  func setChapters(_ chapters: [Chapter], of entry: EntryID) {
    if current?.entry == entry, current?.chapters == nil { current?.chapters = chapters }
  }

  /// Removes the descriptions of files that are not in the plan any more.
  func retain(_ plan: [Transport.Item]) {
    let generations = Set(plan.map(\.generation.number))
    openedInfo = openedInfo.filter { generations.contains($0.key) }
  }

  func markUnplayable(_ entry: EntryID, _ failure: Failure) {
    guard let found = queue.contents.entry(entry) else { return }
    Log.warning("\(WebURL.withoutUser(found.uri)): skipped: \(failure.message)")
    var info = found.info
    info.failure = failure
    queue.update(entry, info)
  }

  /// Sends the description of the queue's current track to the sound server.
  func describeCurrent() {
    guard let entry = queue.contents.currentEntry else { return }
    let metadata = entry.metadata
    sink.send(
      .properties(
        title: metadata.stream ?? metadata.title ?? MediaURI.displayName(of: entry.uri), artist: metadata.artist,
        file: WebURL.withoutUser(entry.uri)))
  }

  // MARK: Events of the worker

  /// Handles the description of the file of `item`, which the worker has opened.
  func handleOpened(_ item: Transport.Item, _ info: MediaInfo, isCurrent: Bool) {
    guard let entry = queue.contents.entry(item.entry) else { return }
    openedInfo[item.generation.number] = info
    queue.update(item.entry, EntryInfo(found: info, uri: entry.uri, before: entry.info))
    if isCurrent { describeCurrent() }
    // The status has the current track and the next one.
    notifier.notify(.player)
  }

  /// Handles the exact duration of `item`, which was decoded to its end.
  func handleDuration(of item: Transport.Item, _ duration: MediaTime) {
    guard var info = queue.contents.entry(item.entry)?.info,
      info.duration != duration || info.durationKind != .exact
    else { return }
    info.duration = duration
    info.durationKind = .exact
    queue.update(item.entry, info)
    notifier.notify(.player)
  }

  /// Handles the failure because of which the rest of the file of `item` cannot be decoded.
  func handleTruncation(of item: Transport.Item, _ failure: Failure) {
    guard let entry = queue.contents.entry(item.entry) else { return }
    Log.warning("\(WebURL.withoutUser(entry.uri)): \(failure.message)")
    var info = entry.info
    info.failure = failure
    queue.update(item.entry, info)
    notifier.notify(.player)
  }

  /// Handles a title of a live stream that has become audible; nil if the stream has none from here on.
  func handleStreamTitle(of item: Transport.Item, _ title: String?) {
    guard var info = queue.contents.entry(item.entry)?.info, info.metadata.stream != title else { return }
    info.metadata.stream = title
    queue.update(item.entry, info)
    describeCurrent()
    notifier.notify(.player)
  }
}
