/// "Did you mean": the nearest of some words.
enum Suggestion {
  /// The word of `candidates` that `word` begins, or is one or two slips away from; nil if none is near.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let begun = candidates.filter { word.count > 1 && $0.hasPrefix(word) }
    if begun.count == 1 { return begun[0] }
    let near = candidates.map { (word: $0, slips: slips(Array(word.lowercased().utf8), Array($0.utf8))) }
    guard let best = near.min(by: { $0.slips < $1.slips }) else { return nil }
    return best.slips <= (word.utf8.count < 5 ? 1 : 2) ? best.word : nil
  }

  /// Letters to put in, take out, exchange or swap with their neighbour (optimal string alignment).
  private static func slips(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var rows = [Array(0...b.count)]
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var least = min(rows[i][j] + (a[i] == b[j] ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, rows[i - 1][j - 1] + 1) }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
