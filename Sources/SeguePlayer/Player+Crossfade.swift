internal import SegueLibrary
internal import SegueLink
internal import SegueRing
internal import SegueSystem
internal import SegueWire

/// How tracks go over into each other.
extension Player {
  /// What a worker is told of an entry, of its rate and its ends. `after`: what of the plan it joins on to, in the same
  /// worker.
  func arrange(_ source: inout MediaSource, _ id: EntryID, after: Generation?) {
    source.rate = configuration.rate
    // A stream has no end, and is joined where it is.
    guard configuration.crossfade > .zero, source.url == nil else { return }
    source.fadeOut = configuration.crossfade
    guard let first = transport.plan.first(where: { $0.generation == after }).flatMap({ queue.entry($0.entry) }),
      let second = queue.entry(id), !queue.belongTogether(first, second)
    else { return }
    source.fadeIn = configuration.crossfade
    if let duration = second.duration {
      source.fadeIn = min(source.fadeIn, duration / 2)
    }
  }
}

extension PlayQueue {
  /// Whether the second is a continuation of the first: the same once more, what comes next in the file, or next on the
  /// album.
  func belongTogether(_ first: QueueEntry, _ second: QueueEntry) -> Bool {
    guard case .file(let one, _)? = try? MediaURI(first.uri), case .file(let other, _)? = try? MediaURI(second.uri)
    else {
      return false
    }
    if one == other { return true }
    // Nobody has looked into it yet: its folder stands for its album.
    if !second.probed, second.metadata.album == nil { return one.parent == other.parent }
    guard first.metadata.album != nil, first.album == second.album else { return false }
    // By chance the next one of an album may be next.
    return first.isBefore(second)
      && (shuffle != .tracks || first.metadata.track.map { second.metadata.track == $0 + 1 } ?? false)
  }
}
