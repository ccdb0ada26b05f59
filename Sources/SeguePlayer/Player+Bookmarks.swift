internal import SegueLibrary
internal import SegueLink
internal import SegueSystem
internal import SegueWire

/// Long tracks are gone on with where they were left.
extension Player {
  /// So near to its end a track has been heard.
  private static let rest = MediaTime.seconds(15)
  /// Who is no further has not begun; what was kept before stays.
  private static let beginning = MediaTime.seconds(5)

  private var keepsBookmarks: Bool { configuration.bookmarkAfter > .zero }

  private func isLong(_ duration: MediaTime) -> Bool { keepsBookmarks && duration >= configuration.bookmarkAfter }

  /// Whether what is heard is long.
  var isHeardLong: Bool { heard?.duration.map(isLong) ?? false }

  /// What is heard, and how far it is by now; nil unless it is long.
  var heardOfLong: (track: CurrentTrack, position: MediaTime)? {
    guard isHeardLong, let heard else { return nil }
    let position: MediaTime
    switch transport.state {
    case .stopped: return nil
    case .dormant(_, let time), .lost(_, let time): position = time
    case .active(let plan, _):
      let sink = engine.sink.position
      position = sink?.generation == plan[0].generation ? sink?.time ?? plan[0].start : plan[0].start
    }
    return (heard, position)
  }

  /// Notes what is heard now.
  func followHeard() {
    guard let id = transport.entry else {
      heard = nil
      return
    }
    let entry = queue.entry(id)
    if heard?.entry != id { heard = entry.map { CurrentTrack(entry: id, uri: $0.uri) } }
    if let entry { heard?.duration = entry.durationKind == .unbounded ? nil : entry.duration }
    if let info = currentInfo { heard?.chapters = info.chapters }
  }

  /// After something happened to what was `left`: it is another's turn, or nobody's.
  func keepBookmark(_ left: (track: CurrentTrack, position: MediaTime), wasPlaying: Bool, _ actions: [Transport.Action])
  {
    let entry = left.track.entry
    if actions.contains(.passed(entry)) || actions.contains(.playedOut(entry, wasPaused: !wasPlaying)) {
      return bookmarks.set(left.track.uri, nil)
    }
    if transport.entry != entry || (wasPlaying && transport.playState != .playing) { leave(left) }
  }

  /// The daemon ends.
  func leaveHeard() {
    if let left = heardOfLong { leave(left) }
  }

  /// The last daemon ended there, in whatever way.
  func leave(_ uri: String, _ duration: MediaTime?, at position: MediaTime) {
    guard let duration, isLong(duration), position >= Self.beginning else { return }
    bookmarks.set(uri, position < duration - Self.rest ? position : nil)
  }

  private func leave(_ left: (track: CurrentTrack, position: MediaTime)) {
    leave(left.track.uri, left.track.duration, at: left.position)
  }

  /// Where an entry begins, whoever chose it.
  func beginning(of id: EntryID) -> MediaTime {
    guard keepsBookmarks, let entry = queue.entry(id), entry.durationKind != .unbounded,
      let position = bookmarks[entry.uri]
    else { return .zero }
    guard let duration = entry.duration else { return position }
    return isLong(duration) && position < duration - Self.rest ? position : .zero
  }
}
