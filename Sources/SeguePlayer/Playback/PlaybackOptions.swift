// Thread: the loop.

internal import SegueFiles
internal import SegueLink
internal import SegueRing
internal import SegueState
internal import SegueSystem
internal import SegueWire

/// The options with which entries are decoded: gain, rate, crossfade and speed.
@MainActor
final class PlaybackOptions {
  private let queue: QueueController
  private let settings: SettingsController
  private let index: LibraryIndex
  private let speeds: SpeedControl
  /// The entries of the plan that were started as part of their album. They stay in the set when the track before them, by
  /// which they were recognized, leaves the queue (consume).
  private var albumEntries: Set<EntryID> = []

  init(queue: QueueController, settings: SettingsController, index: LibraryIndex, speeds: SpeedControl) {
    self.queue = queue
    self.settings = settings
    self.index = index
    self.speeds = speeds
  }

  /// Calls `then` with the gain of an entry, possibly before this returns.
  func findGain(of entry: EntryID, then: @escaping @MainActor (GainParameters) -> Void) {
    let configuration = settings.configuration
    let basis: GainParameters.Basis
    switch configuration.gain {
    case .off: return then(GainParameters())
    case .track: basis = .track
    case .album: basis = .album
    case .auto: basis = isPartOfAlbum(entry) ? .album : .track
    }
    var parameters = GainParameters(
      basis, preamp: configuration.preamp, fallback: configuration.fallbackGain,
      preventsClipping: configuration.preventsClipping)
    guard let uri = queue.contents.entry(entry)?.uri else { return then(parameters) }
    index.loudness(of: uri) { measured in
      parameters.measured = measured
      then(parameters)
    }
  }

  /// Sets the rate, the speed and the fades of an entry, whatever they were before. `previous`: the entry that the same worker decodes
  /// before it, nil if there is none.
  func set(on source: inout MediaSource, for entry: EntryID, after previous: EntryID?) {
    let configuration = settings.configuration
    source.rate = configuration.rate
    source.speed = speeds.speed(of: queue.contents.entry(entry))
    (source.fadeIn, source.fadeOut) = (.zero, .zero)
    // A stream has no end, and is joined without a fade.
    guard configuration.crossfade > .zero, source.url == nil else { return }
    source.fadeOut = configuration.crossfade
    guard let first = previous.flatMap(queue.contents.entry), let second = queue.contents.entry(entry),
      !queue.contents.isContinuation(second, of: first),
      // The end of the first track is mixed with the start of the second one, and has its speed.
      speeds.speed(of: first) == source.speed
    else { return }
    source.fadeIn = configuration.crossfade
    if let duration = second.duration {
      source.fadeIn = min(source.fadeIn, duration / 2)
    }
  }

  /// Forgets which entries were started as part of their album, except those of the plan.
  func retain(_ plan: [EntryID]) { albumEntries.formIntersection(plan) }

  /// Returns whether the entry is played as part of its album, in order.
  private func isPartOfAlbum(_ id: EntryID) -> Bool {
    if albumEntries.contains(id) { return true }
    guard queue.contents.isInAlbumOrder(id) else { return false }
    albumEntries.insert(id)
    return true
  }
}

extension PlayQueue {
  /// Returns whether `second` continues `first`: the same track again, the next track of the same file, or of the album.
  fileprivate func isContinuation(_ second: QueueEntry, of first: QueueEntry) -> Bool {
    guard case .file(let one, _)? = try? MediaURI(first.uri), case .file(let other, _)? = try? MediaURI(second.uri)
    else {
      return false
    }
    if one == other { return true }
    // The folder of a track that was not probed represents its album.
    if !second.probed, second.metadata.album == nil { return one.parent == other.parent }
    guard first.metadata.album != nil, first.album == second.album else { return false }
    // When tracks are shuffled, the next track of the album may follow by chance.
    return first.isBefore(second)
      && (shuffle != .tracks || first.metadata.track.map { second.metadata.track == $0 + 1 } ?? false)
  }

  /// Returns whether the entry is next to another one of its album, in the album's order.
  fileprivate func isInAlbumOrder(_ id: EntryID) -> Bool {
    guard shuffle != .tracks, repeatMode != .one, let index = index(of: id), entries[index].metadata.album != nil else {
      return false
    }
    return isInAlbumOrder(index - 1, index) || isInAlbumOrder(index, index + 1)
  }

  private func isInAlbumOrder(_ first: Int, _ second: Int) -> Bool {
    guard first >= 0, second < count, entries[first].album == entries[second].album else { return false }
    return entries[first].isBefore(entries[second])
  }
}

extension QueueEntry {
  /// Returns whether the entry comes before `other` by their numbers on the album; true if one has no number.
  fileprivate func isBefore(_ other: QueueEntry) -> Bool {
    guard let number = metadata.track, let next = other.metadata.track else { return true }
    return (metadata.disc ?? 1, number) < (other.metadata.disc ?? 1, next)
  }
}
