/// The few words that are most like a mistyped one.
struct SpellingCandidates {
  private struct Guess {
    var word: String
    var distance: Int
    var isWhole: Bool
    var isSwap: Bool
    var count: Int64

    func isBetter(than other: Guess) -> Bool {
      if distance != other.distance { return distance < other.distance }
      if isWhole != other.isWhole { return isWhole }
      if isSwap != other.isSwap { return isSwap }
      return count > other.count
    }
  }

  private var guesses: [Guess] = []
  private static let most = 4

  var isEmpty: Bool { guesses.isEmpty }
  /// The best first.
  var best: [String] { guesses.map(\.word) }

  /// `isWhole`: nothing of the word is missing. `count`: in so many tracks.
  mutating func add(_ word: String, distance: Int, isWhole: Bool, isSwap: Bool, count: Int64) {
    let guess = Guess(word: word, distance: distance, isWhole: isWhole, isSwap: isSwap, count: count)
    if let known = guesses.firstIndex(where: { $0.word == word }) {
      guard guess.isBetter(than: guesses[known]) else { return }
      guesses.remove(at: known)
    }
    let place = guesses.firstIndex { guess.isBetter(than: $0) } ?? guesses.count
    guesses.insert(guess, at: place)
    if guesses.count > Self.most { guesses.removeLast() }
  }
}
