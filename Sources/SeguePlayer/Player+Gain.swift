internal import SegueLibrary
internal import SegueLink
internal import SegueSystem
public import SegueWire

/// How loud tracks are played.
extension Player {
  public var gain: Gain {
    Gain(
      mode: configuration.gain, preamp: configuration.preamp, fallback: configuration.fallbackGain,
      preventsClipping: configuration.preventsClipping, applied: currentInfo?.gain)
  }

  /// nil leaves it as it is. `preamp` is in `Gain.range`.
  public func setGain(mode: GainMode?, preamp: Double?, then: @escaping Completion<Gain>) {
    var choices: [(Setting, SettingValue)] = []
    if let mode { choices.append((.replayGain, .text(mode.rawValue))) }
    if let preamp { choices.append((.preamp, .number(preamp))) }
    choose(choices) { [weak self] in
      if let self { then(.success(self.gain)) }
    }
  }

  /// Some seconds of what is heard, and of what follows, are decoded already, as they were to be: that is done again. A
  /// stream goes on as it is.
  func decodeAnew() {
    // First of all: asking may find that the next one is heard by now.
    let status = status
    guard case .active = transport.state, let entry = queue.currentEntry, isSeekable else { return }
    albumRun = []
    dispatchUnwished(.jump(entry.id, to: status.position ?? .zero))
  }

  /// What a worker is told of an entry that is to be played now, or next.
  func level(of id: EntryID, then: @escaping @MainActor (GainParameters) -> Void) {
    let setting = gain
    let basis: GainParameters.Basis
    switch setting.mode {
    case .off: return then(GainParameters())
    case .track: basis = .track
    case .album: basis = .album
    case .auto: basis = isHeardInAlbum(id) ? .album : .track
    }
    var order = GainParameters(
      basis, preamp: setting.preamp, fallback: setting.fallback, preventsClipping: setting.preventsClipping)
    guard let uri = queue.entry(id)?.uri else { return then(order) }
    library.loudness(of: uri) { measured in
      order.measured = measured
      then(order)
    }
  }

  /// Whether an album is played in order there: what was begun so stays so, though under consume what came before it is
  /// gone by its end.
  private func isHeardInAlbum(_ id: EntryID) -> Bool {
    if albumRun.contains(id) { return true }
    guard queue.isInAlbumOrder(id) else { return false }
    albumRun.insert(id)
    return true
  }
}

extension PlayQueue {
  /// Whether the entry is played right before or after one of its album, in the album's order.
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

extension QueueEntry {
  /// By the numbers of both, on one album; where one has none, as they are asked for.
  func isBefore(_ other: QueueEntry) -> Bool {
    guard let number = metadata.track, let next = other.metadata.track else { return true }
    return (metadata.disc ?? 1, number) < (other.metadata.disc ?? 1, next)
  }
}
