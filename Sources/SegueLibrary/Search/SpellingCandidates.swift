/// The words that are the most similar to a misspelled word.
struct SpellingCandidates {
  private struct Candidate {
    var word: String
    var distance: Int
    var isWhole: Bool
    var isSwap: Bool
    var count: Int64

    func isBetter(than other: Candidate) -> Bool {
      if distance != other.distance { return distance < other.distance }
      if isWhole != other.isWhole { return isWhole }
      if isSwap != other.isSwap { return isSwap }
      return count > other.count
    }
  }

  private var candidates: [Candidate] = []
  private static let maximum = 4

  var isEmpty: Bool { candidates.isEmpty }
  /// The words, the most similar first.
  var best: [String] { candidates.map(\.word) }

  /// Adds a word if it is better than the others.
  ///
  /// - Parameters:
  ///   - isWhole: Whether the query has the whole word, not just its beginning.
  ///   - count: The number of tracks that contain the word.
  mutating func add(_ word: String, distance: Int, isWhole: Bool, isSwap: Bool, count: Int64) {
    let candidate = Candidate(word: word, distance: distance, isWhole: isWhole, isSwap: isSwap, count: count)
    if let known = candidates.firstIndex(where: { $0.word == word }) {
      guard candidate.isBetter(than: candidates[known]) else { return }
      candidates.remove(at: known)
    }
    let place = candidates.firstIndex { candidate.isBetter(than: $0) } ?? candidates.count
    candidates.insert(candidate, at: place)
    if candidates.count > Self.maximum { candidates.removeLast() }
  }
}
