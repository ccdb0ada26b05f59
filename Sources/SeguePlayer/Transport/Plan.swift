internal import SegueRing
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

extension Transport {
  /// A track of the queue, with the facts that playback needs even if its entry has left the queue.
  struct Track: Equatable, Sendable {
    let entry: EntryID
    var uri: String
    /// The duration; nil if it is unknown, or unbounded.
    var duration: MediaTime?
    /// The chapters; nil before the file was opened.
    var chapters: [Chapter]?
    /// The name of the station; nil for a track without one, and before the stream was opened.
    var station: String?
    /// Whether the track was started as part of its album, in order. It stays so when the track before it, by which
    /// this was recognized, leaves the queue (consume).
    var isPartOfAlbum = false
  }

  /// A track, and the position at which it starts.
  struct Start: Equatable, Sendable {
    let track: Track
    var position = MediaTime.zero
  }

  /// A track, or a part of one, that is passed on to worker and sink.
  struct Item: Equatable, Sendable {
    var track: Track
    let generation: Generation
    /// The position in the track at which the item starts.
    var start: MediaTime
    var phase: Phase = .opening
    /// The description of the file; nil until the worker has opened it.
    var info: MediaInfo?
    /// Whether the connection of the stream is lost at the moment.
    var isInterrupted = false
    /// Whether the item is audible; not any more after everything that was decoded of it is played.
    var isAudible = false
    /// The last part of the track, if another item contains it: the next track, into which it is mixed, or an item of
    /// its own (`isContinuation`).
    var fade: Fade?
    /// Whether the item is a further part of the track before it: the last part, played without a crossfade, or a
    /// stream that was opened again.
    var isContinuation = false
    /// The way in which the item can be continued by another worker, as far as is known.
    var continuation = Continuation.none
    /// The attempts to play the stream so far, and the time for which the last one has to wait.
    var retries = RetrySchedule()
    var delay = MediaTime.zero

    var entry: EntryID { track.entry }

    /// Records that the worker has opened the file.
    mutating func open(_ info: MediaInfo) {
      phase = .decoding
      self.info = info
      continuation = Continuation(info)
      track.chapters = info.chapters
      track.station = info.station
    }
  }

  /// The way in which another worker, or another fetch process, can continue a track.
  enum Continuation: Equatable, Sendable {
    case none
    /// At the position at which it was cut off.
    case atPosition
    /// At the current position of a live stream.
    case live

    init(_ info: MediaInfo) {
      self = info.durationKind == .unbounded ? .live : info.seekable ? .atPosition : .none
    }
  }

  /// The last part of a track, which the track's own generation does not contain.
  struct Fade: Equatable, Sendable {
    let from: MediaTime
    /// The generation that contains it. If the plan continues with another generation, the last part of the track is
    /// decoded again, as an item of its own (`isContinuation`).
    var into: Generation
  }

  enum Phase: Equatable, Sendable {
    case opening
    case decoding
    /// All of the item is decoded. Its PCM is in the ring, except for an end that waits in the worker.
    case decoded
  }
}

/// The plan: the items in the order in which they are played.
extension [Transport.Item] {
  func index(of generation: Generation) -> Int? { firstIndex { $0.generation == generation } }

  /// A function that says whether an entry of which nothing can be played is skipped. One that is still in the plan is
  /// played as far as it goes.
  var isRefused: (EntryID) -> Bool {
    let planned = IDSet(dropFirst().map(\.entry.number))
    return { !planned.contains($0.number) }
  }

  /// Compares the plan with `entries`, which should follow its first item. Returns the number of items that can stay,
  /// the first one included, and the number of `entries` that they cover.
  func commonPrefix(with entries: [EntryID]) -> (items: Int, entries: Int) {
    var planned = 0
    for index in 1..<count {
      if let fade = self[index - 1].fade, fade.into != self[index].generation { return (index, planned) }
      if self[index].isContinuation { continue }
      guard planned < entries.count, self[index].entry == entries[planned] else { return (index, planned) }
      planned += 1
    }
    return (count, planned)
  }

  /// Returns an action for every track that is over when the item at `index` is audible. A track whose rest follows is
  /// not over.
  func endedTracks(before index: Int) -> [Transport.Action] {
    zip(self[..<index], dropFirst()).compactMap { item, next in
      next.isContinuation ? nil : .queue(.trackEnded(item.entry))
    }
  }
}
