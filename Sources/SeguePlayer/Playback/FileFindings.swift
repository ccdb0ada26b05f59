// Thread: the loop.

internal import SegueFiles
internal import SegueOutput
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// Stores in the queue what decoding finds out about the files of its entries, and sends the description of the current
/// one to the sound server.
@MainActor
final class FileFindings {
  private let queue: QueueController
  private let sink: SinkController
  private let notifier: ChangeNotifier

  init(queue: QueueController, sink: SinkController, notifier: ChangeNotifier) {
    self.queue = queue
    self.sink = sink
    self.notifier = notifier
  }

  func markUnplayable(_ entry: EntryID, _ failure: Failure) {
    guard let found = queue.contents.entry(entry) else { return }
    Log.warning("\(WebURL.withoutUser(found.uri)): skipped: \(failure.message)")
    change(entry) { $0.failure = failure }
  }

  /// Changes the information about an entry of the queue, and announces that. Returns whether it differs now.
  @discardableResult
  private func change(_ entry: EntryID, _ body: (inout EntryInfo) -> Void) -> Bool {
    guard let before = queue.contents.entry(entry)?.info else { return false }
    var info = before
    body(&info)
    guard info != before else { return false }
    queue.update(entry, info)
    notifier.notify(.player)
    return true
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
  func handleOpened(_ item: Transport.Item, isCurrent: Bool) {
    guard let entry = queue.contents.entry(item.entry), let info = item.info else { return }
    queue.update(item.entry, EntryInfo(found: info, uri: entry.uri, before: entry.info))
    if isCurrent { describeCurrent() }
  }

  /// Handles the exact duration of `item`, which was decoded to its end.
  func handleDuration(of item: Transport.Item, _ duration: MediaTime) {
    change(item.entry) { ($0.duration, $0.durationKind) = (duration, .exact) }
  }

  /// Handles the failure because of which the rest of the file of `item` cannot be decoded.
  func handleTruncation(of item: Transport.Item, _ failure: Failure) {
    guard let entry = queue.contents.entry(item.entry) else { return }
    Log.warning("\(WebURL.withoutUser(entry.uri)): \(failure.message)")
    change(item.entry) { $0.failure = failure }
  }

  /// Handles a title of a live stream that has become audible; nil if the stream has none from here on.
  func handleStreamTitle(of item: Transport.Item, _ title: String?) {
    if change(item.entry, { $0.metadata.stream = title }) { describeCurrent() }
  }
}
