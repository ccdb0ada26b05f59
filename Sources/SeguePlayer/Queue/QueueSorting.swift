internal import SegueSystem
internal import SegueWire

extension PlayQueue {
  /// Returns the ids of all entries in an order. Entries with equal values keep their order, those without a value come
  /// last, and only the first value is reversed, so that albums are still played from their starts. It may be called on
  /// another thread; it takes about a second for 100,000 entries.
  func sorted(by key: QueueSort, _ order: SortOrder) -> [EntryID] {
    let rows = entries.map { (id: $0.id, values: SortValue.values(of: $0, key)) }
    let isReversed = order == .descending
    return rows.enumerated().sorted { one, other in
      for (place, (left, right)) in zip(one.element.values, other.element.values).enumerated() where left != right {
        let isUnknown = left == .unknown || right == .unknown
        return isReversed && place == 0 && !isUnknown ? right < left : left < right
      }
      return one.offset < other.offset
    }
    .map(\.element.id)
  }

  /// The ids of the entries whose track another entry has: the current one, or else an earlier one. Linear.
  var duplicates: [EntryID] {
    var seen = Set(currentIndex.map { [entries[$0].uri] } ?? [])
    return entries.enumerated().filter { $0.offset != currentIndex && !seen.insert($0.element.uri).inserted }
      .map(\.element.id)
  }

  /// Returns the ids of all entries but these.
  func others(than ids: [EntryID]) -> [EntryID] {
    let kept = Set(ids)
    return entries.lazy.map(\.id).filter { !kept.contains($0) }
  }
}

/// A value of an entry by which the queue is sorted. An unknown one is greater than all others.
private enum SortValue: Comparable {
  case known(Int, String)
  case unknown

  private static func text(_ text: String?) -> SortValue {
    guard let text, !text.isEmpty else { return .unknown }
    return .known(0, text.lowercased())
  }

  private static func number(_ number: Int?) -> SortValue { number.map { .known($0, "") } ?? .unknown }

  /// Returns the values of an entry, the most significant first.
  static func values(of entry: PlayQueue.Entry, _ key: QueueSort) -> [SortValue] {
    let metadata = entry.metadata
    return switch key {
    case .album:
      [
        .text(metadata.albumArtist ?? metadata.artist), .text(metadata.album), .number(metadata.disc),
        .number(metadata.track), .text(metadata.title),
      ]
    case .title: [.text(metadata.title)]
    case .artist: [.text(metadata.artist), .text(metadata.title)]
    case .date:
      [.text(metadata.date ?? metadata.year.map(String.init)), .text(metadata.album), .number(metadata.track)]
    case .duration: [.number(entry.duration.map { Int(clamping: $0.nanoseconds) })]
    case .path: [.text(entry.uri)]
    }
  }
}
