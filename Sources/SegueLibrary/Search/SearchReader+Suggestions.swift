// Thread: the connection's.

internal import SegueSQLite
internal import SegueWire

extension SearchReader {
  /// The maximum number of results of each kind.
  private static let maximumCandidates = 300

  /// Returns completions of `prefix`, the best first. Among equals, artists precede albums, and albums precede tracks.
  /// Each text occurs once.
  func suggest(_ prefix: String, limit: Int) throws(StoreError) -> [SearchSuggestion] {
    let query = SearchQuery(prefix, tokenizer)
    var suggestions = try suggestions(query, limit)
    if suggestions.isEmpty, let (other, _) = try correct(prefix, query) {
      suggestions = try self.suggestions(other, limit)
    }
    return suggestions
  }

  private func suggestions(_ query: SearchQuery, _ limit: Int) throws(StoreError) -> [SearchSuggestion] {
    var candidates: [(suggestion: SearchSuggestion, tier: SearchTier, key: [UInt8])] = []
    for (kind, table) in [(LibraryKind.artist, SearchTable.artists), (.album, .albums), (.track, .tracks)] {
      // Several tracks may have the same title.
      let needed = kind == .track ? limit * 3 : limit
      let limits = Limits(hits: Self.maximumCandidates, goodHits: needed, page: 0..<needed, chunkSize: max(1, needed))
      let items = try find(query, kind, limits).items.prefix(needed)
      let row = try connection.statement(table.titleQuery)
      defer { row.reset() }
      for item in items {
        row.reset()
        row.bind(1, item.id)
        guard try row.step(), let text = row.text(0) else { continue }
        candidates.append((SearchSuggestion(text: text, kind: kind, id: item.id), item.rank.tier, key(of: text)))
      }
    }
    var seen: Set<[UInt8]> = []
    var chosen: [SearchSuggestion] = []
    for tier in SearchTier.allCases {
      for candidate in candidates where candidate.tier == tier && chosen.count < limit {
        if seen.insert([UInt8(ascii: candidate.suggestion.kind.letter)] + candidate.key).inserted {
          chosen.append(candidate.suggestion)
        }
      }
    }
    return chosen
  }

  /// Returns a key that is equal for texts that differ only in case and punctuation.
  private func key(of text: String) -> [UInt8] {
    var key: [UInt8] = []
    var text = text
    text.withUTF8 { bytes in
      _ = tokenizer.tokens(of: bytes, for: .indexing).forEachToken { word, kind in
        if kind == .word { key += Array(word) + [0] }
        return 0
      }
    }
    return key
  }
}

extension LibraryKind {
  fileprivate var letter: Unicode.Scalar {
    switch self {
    case .track: "t"
    case .album: "b"
    case .artist: "a"
    }
  }
}
