// Thread: the loop.

internal import SegueFiles
internal import SegueRing
internal import SegueState
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// The options with which tracks are decoded: gain, rate, crossfade and speed.
@MainActor
final class PlaybackOptions {
  private let queue: QueueController
  private let settings: SettingsController
  private let index: LibraryIndex
  private let speeds: SpeedControl

  init(queue: QueueController, settings: SettingsController, index: LibraryIndex, speeds: SpeedControl) {
    self.queue = queue
    self.settings = settings
    self.index = index
    self.speeds = speeds
  }

  /// Returns the request to decode `item` after `previous`; after nothing if that is nil.
  func request(for item: Transport.Item, after previous: Transport.Track?) -> DecodeRequest {
    let configuration = settings.configuration
    let entry = queue.contents.entry(item.entry)
    let speed = speeds.speed(of: entry)
    var request = DecodeRequest(item: item, rate: configuration.rate, speed: speed) { [self] then in
      findGain(of: item.track, then: then)
    }
    // A stream has no end, and is joined without a fade.
    guard configuration.crossfade > .zero, MediaOpener.role(for: item.track.uri) == .files else { return request }
    request.fadeOut = configuration.crossfade
    guard let first = previous.flatMap({ queue.contents.entry($0.entry) }), let second = entry,
      !queue.contents.isContinuation(second, of: first),
      // The end of the first track is mixed with the start of the second one, and has its speed.
      speeds.speed(of: first) == speed
    else { return request }
    request.fadeIn = configuration.crossfade
    if let duration = second.duration {
      request.fadeIn = min(request.fadeIn, duration / 2)
    }
    return request
  }

  /// Calls `then` with the gain of a track, possibly before this returns.
  private func findGain(of track: Transport.Track, then: @escaping @MainActor (GainParameters) -> Void) {
    let configuration = settings.configuration
    let basis: GainParameters.Basis
    switch configuration.gain {
    case .off: return then(GainParameters())
    case .track: basis = .track
    case .album: basis = .album
    case .auto: basis = track.isPartOfAlbum ? .album : .track
    }
    var parameters = GainParameters(
      basis, preamp: configuration.preamp, fallback: configuration.fallbackGain,
      preventsClipping: configuration.preventsClipping)
    index.loudness(of: track.uri) { measured in
      parameters.measured = measured
      then(parameters)
    }
  }
}

extension PlayQueue {
  /// Returns whether `second` continues `first`: the same track again, the next track of the same file, or of the
  /// album.
  fileprivate func isContinuation(_ second: PlayQueue.Entry, of first: PlayQueue.Entry) -> Bool {
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
  func isInAlbumOrder(_ id: EntryID) -> Bool {
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

extension PlayQueue.Entry {
  /// Returns whether the entry comes before `other` by their numbers on the album; true if one has no number.
  fileprivate func isBefore(_ other: PlayQueue.Entry) -> Bool {
    guard let number = metadata.track, let next = other.metadata.track else { return true }
    return (metadata.disc ?? 1, number) < (other.metadata.disc ?? 1, next)
  }
}
