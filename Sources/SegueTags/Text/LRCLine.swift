/// A line of an LRC file.
enum LRCLine {
  /// Returns a line of an LRC file. `time` is in milliseconds, and is written in hundredths of a second.
  static func written(_ words: String, at time: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let hundredths = time / 10
    return "[\(two(hundredths / 6000)):\(two(hundredths / 100 % 60)).\(two(hundredths % 100))]\(words)"
  }
}
