internal import SegueClientKit
internal import SegueWire

/// The messages about calls that have succeeded.
enum CallMessages {
  /// Returns the message about the result of a call; nil if the screen shows the effect anyway.
  static func success(_ call: DaemonCall, _ result: any JSONDecodable, _ state: SharedState) -> Message? {
    switch (call, result) {
    case (.playTrack, let status as Status): status.track.map { .information(playing($0.title)) }
    case (.add(_, let place), let result as AddResult): added(result.addedTotal, result.failed, place, state)
    case (.playItems, let result as AddResult): playing(result.addedTotal, result.failed, state)
    case (.replaceQueue, let result as AddResult): replaced(result.addedTotal, result.failed, state)
    case (.savePlaylist(let name, nil, _), _):
      .information(tr("The queue is saved as the playlist “%1$s”.", name.visible))
    case (.savePlaylist(let name, _, _), _):
      .information(tr("What the search has found is saved as the playlist “%1$s”.", name.visible))
    case (.deletePlaylist(let name), _): .information(tr("The playlist “%1$s” is deleted.", name.visible))
    case (.removeFromPlaylist(_, let indices, _), _):
      .information(
        trn("One track is removed from the playlist.", "%1$d tracks are removed from the playlist.", indices.count))
    case (.addToPlaylist, let result as PlaylistResult): addedToPlaylist(result)
    case (.renamePlaylist(_, let name), _): .information(tr("The playlist is called “%1$s” now.", name.visible))
    case (.setRepeat, _), (.setShuffle, _), (.setConsume, _), (.mute, _): .information(mode(call))
    case (.changeSpeed, let status as Status), (.resetSpeed, let status as Status):
      .information(PlaybackMessages.speed(status))
    case (.selectOutput, _): .information(OutputMessages.selected)
    case (.sleep, let status as Status): .information(SleepMessages.changed(status.sleep))
    case (.rate(_, let rating), _): .information(rating.map(RatingMessages.saved) ?? RatingMessages.removed)
    case (.setFavorite(_, let isFavorite), let result as FavoriteResult): favorites(result, isAdded: isFavorite)
    default: nil
    }
  }

  private static func playing(_ title: String) -> String { tr("“%1$s” is playing.", title) }

  private static func playing(_ count: Int, _ failed: URIFailureList, _ state: SharedState) -> Message {
    guard failed.listed.isEmpty else { return added(count, failed, .next, state) }
    if count == 0 { return .information(tr("There is nothing in it that can be played.")) }
    return .information(trn("The track plays now.", "The first of %1$d tracks plays now.", count))
  }

  private static func replaced(_ count: Int, _ failed: URIFailureList, _ state: SharedState) -> Message {
    guard failed.listed.isEmpty else { return added(count, failed, .end, state) }
    if count == 0 { return .information(tr("There is nothing in it that can be played.")) }
    return .information(
      trn(
        "The queue is replaced by one track. %2$s takes that back.",
        "The queue is replaced by %1$d tracks. %2$s takes that back.", count, state.named(.undo)))
  }

  private static func addedToPlaylist(_ result: PlaylistResult) -> Message {
    if let failure = result.failed.listed.first {
      return .failure(PlaylistMessages.partlyAdded(result.failed.total, failure.localizableMessage.translated))
    }
    return .information(PlaylistMessages.added(result.playlist.name.visible, max(0, result.playlist.trackCount)))
  }

  /// Returns the message about a mode that was changed. Narrow screens show no modes.
  private static func mode(_ call: DaemonCall) -> String {
    switch call {
    case .setRepeat(.off): tr("Nothing is repeated.")
    case .setRepeat(.one): tr("The track is repeated.")
    case .setRepeat(.all): tr("The queue is repeated.")
    case .setShuffle(.off): tr("Tracks are played in the order of the queue.")
    case .setShuffle(.tracks): tr("Tracks are played in random order.")
    case .setShuffle(.albums): tr("Albums are played in random order.")
    case .setConsume(true): tr("Tracks leave the queue after playing.")
    case .setConsume(false): tr("Tracks stay in the queue after playing.")
    case .mute(true): tr("The sound is off.")
    default: tr("The sound is on.")
    }
  }

  private static func added(
    _ count: Int, _ failed: URIFailureList, _ place: QueuePlace, _ state: SharedState
  ) -> Message {
    guard let failure = failed.listed.first else { return .information(added(count, place, state)) }
    return .failure(
      count == 0
        ? notAdded(failure.localizableMessage.translated)
        : partlyAdded(count, failed.total, failure.localizableMessage.translated))
  }

  private static func added(_ count: Int, _ place: QueuePlace, _ state: SharedState) -> String {
    switch place {
    case .end, .index:
      trn(
        "One track is added to the queue. %2$s takes that back.",
        "%1$d tracks are added to the queue. %2$s takes that back.", count, state.named(.undo))
    case .next:
      trn("One track is added after the current one.", "%1$d tracks are added after the current one.", count)
    }
  }

  private static func notAdded(_ reason: String) -> String { tr("Nothing is added to the queue: %1$s.", reason) }

  private static func partlyAdded(_ added: Int, _ failed: Int, _ reason: String) -> String {
    tr("%1$d tracks are added to the queue. %2$d cannot be added: %3$s.", added, failed, reason)
  }

  private static func favorites(_ result: FavoriteResult, isAdded: Bool) -> Message {
    guard let failure = result.failed.listed.first else {
      return .information(favorites(result.urisTotal, isAdded: isAdded))
    }
    let (count, total) = (result.urisTotal, result.urisTotal + result.failed.total)
    return .failure(
      isAdded
        ? tr(
          "%1$d of %2$d items are added to the favorites: %3$s.", count, total, failure.localizableMessage.translated)
        : tr(
          "%1$d of %2$d items are removed from the favorites: %3$s.", count, total,
          failure.localizableMessage.translated))
  }

  private static func favorites(_ count: Int, isAdded: Bool) -> String {
    if isAdded {
      return trn("One item is added to the favorites.", "%1$d items are added to the favorites.", count)
    }
    return trn("One item is removed from the favorites.", "%1$d items are removed from the favorites.", count)
  }
}
