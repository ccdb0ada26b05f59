internal import SegueLink
internal import SegueSystem
internal import SegueWire

extension TagValues {
  /// The chapters of comments such as `CHAPTER001=00:01:02.345` and `CHAPTER001NAME=…`.
  var commentChapters: [Chapter] {
    guard !chapterTexts.isEmpty else { return [] }
    var titles: [Substring: String] = [:]
    var times: [Substring: MediaTime] = [:]
    for (key, value) in chapterTexts {
      guard case .text(let text) = value else { continue }
      let number = key.dropFirst(7).prefix { $0.isNumber }
      if key.hasSuffix("NAME") {
        titles[number] = TagText.cleaned(text)
      } else if key.count == 7 + number.count {
        times[number] = Self.time(text)
      }
    }
    return times.map { Chapter(title: titles[$0.key] ?? "", start: $0.value) }
  }

  private static func time(_ text: String) -> MediaTime? {
    let parts = text.split(separator: ":")
    guard parts.count == 3, let hours = Int64(parts[0]), let minutes = Int64(parts[1]), let seconds = Double(parts[2]),
      (0..<100_000).contains(hours), (0..<60).contains(minutes), (0..<60).contains(seconds)
    else { return nil }
    return MediaTime(nanoseconds: (hours * 60 + minutes) * 60_000_000_000) + MediaTime(seconds: seconds)
  }
}
