internal import SegueSystem

/// The search for the word that a misspelled word was probably meant to be.
enum SpellingSuggestion {
  /// Returns the candidate that starts with `word` if there is exactly one, else the candidate with the smallest edit
  /// distance. Returns nil if this distance is above 1 for a word of up to four bytes, or above 2 for a longer one.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let completions = candidates.filter { word.count > 1 && $0.hasPrefix(word) }
    if completions.count == 1 { return completions[0] }
    // The candidates are ASCII, so bytes are compared.
    let distance = EditDistance(from: word.lowercased().utf8.map { Unicode.Scalar($0) })
    let distances = candidates.map { (word: $0, edits: distance.to($0.utf8.lazy.map { Unicode.Scalar($0) }).whole) }
    guard let best = distances.min(by: { $0.edits < $1.edits }) else { return nil }
    return best.edits <= (word.utf8.count < 5 ? 1 : 2) ? best.word : nil
  }
}
