internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueWire

/// The combined result of `queue.add` for any number of URIs, which are sent in several requests if necessary.
struct AddCommand {
  /// A place for the new entries, and whether the first of them is played.
  enum Placement {
    case atEnd
    case afterCurrent
    /// After the current entry. Playback of the first new entry starts immediately.
    case playNow
    /// The new entries replace all others. Further batches follow at the end.
    case replacingQueue

    /// Returns the value of the parameter `at` for all URIs of an addition. Without one, the daemon does not add files
    /// again with which it has populated the queue, such as those of the whole music folder.
    fileprivate func position(of uris: [String]) -> QueuePlace? {
      switch self {
      case .replacingQueue: .end
      case .atEnd: uris.contains { $0.hasPrefix("file:") } ? nil : .end
      case .afterCurrent, .playNow: .next
      }
    }

    /// Whether a later batch precedes the earlier ones in the queue.
    fileprivate var isReversed: Bool {
      switch self {
      case .atEnd, .replacingQueue: false
      case .afterCurrent, .playNow: true
      }
    }
  }

  /// The ids of the first added entries of each response.
  private var added: [UInt64] = []
  /// The number of added entries. `added` may contain only the first ids of each response.
  private(set) var count = 0
  /// The number of entries among them that the daemon had added by itself.
  private(set) var alreadyQueued = 0
  /// The URIs that could not be added, with their errors.
  private(set) var failed = URIFailureList()
  /// Whether one of the arguments was rejected. Each response lists arguments before files in folders and entries of
  /// playlists, so that at least one rejected argument is among the listed failures.
  private(set) var isArgumentRejected = false
  private var version: UInt64 = 0

  /// Adds the URIs with as many requests as necessary.
  init(_ context: VerbContext, _ uris: [String], _ placement: Placement) throws(ClientError) {
    let batches = URIBatches.split(uris)
    var responses: [AddResult] = []
    // Every batch that is inserted after the current entry precedes the earlier batches, so the last batch is sent
    // first.
    let isReversed = placement.isReversed
    let command = CommandNumber.forRequests(batches.count)
    for (number, batch) in (isReversed ? batches.reversed() : batches).enumerated() {
      let isFirst = isReversed ? number == batches.count - 1 : number == 0
      let replaces = placement == .replacingQueue && isFirst
      let request: any ProtocolRequest<AddResult> =
        replaces
        ? QueueReplaceRequest(uris: batch, command: command)
        : QueueAddRequest(
          uris: batch, at: placement.position(of: uris), play: placement == .playNow && isFirst, command: command)
      responses.append(try context.call(request, progress: Self.progressText(uris, placement)).value)
    }
    version = responses.last?.version ?? 0
    let names = Set(uris)
    for response in isReversed ? responses.reversed() : responses {
      added += response.added
      count += response.addedTotal
      alreadyQueued += response.alreadyQueued.clamped(to: 0...max(0, response.added.count))
      isArgumentRejected = isArgumentRejected || response.failed.listed.contains { names.contains($0.uri) }
      failed.append(contentsOf: response.failed)
    }
  }

  /// The id of the first added entry.
  var firstID: UInt64? { added.first }

  /// The combined responses in the form of a single one.
  var json: [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.member("added", added)
    json.member("addedTotal", count)
    json.member("alreadyQueued", alreadyQueued)
    json.member("failed", failed.listed)
    json.member("failedTotal", failed.total)
    json.member("version", version)
    json.endObject()
    return json.bytes
  }

  private static func progressText(_ uris: [String], _ placement: Placement) -> String {
    switch (placement, uris.count) {
    case (.playNow, 1): tr("opening %1$s…", displayURI(uris[0]))
    case (.playNow, let count): trn("opening %1$d item…", "opening %1$d items…", count)
    case (.atEnd, 1), (.afterCurrent, 1), (.replacingQueue, 1): tr("adding %1$s…", displayURI(uris[0]))
    case (.atEnd, let count), (.afterCurrent, let count), (.replacingQueue, let count):
      trn("adding %1$d item…", "adding %1$d items…", count)
    }
  }
}
