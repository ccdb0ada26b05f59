internal import SegueSystem
internal import SegueWire

/// A reader of M3U and M3U8 playlists: each line is a location. `#EXTINF` before it has the duration and title.
enum M3U {
  static func read(_ bytes: [UInt8], upTo limit: Int) -> PlaylistContent {
    var items: [PlaylistItem] = []
    var next = PlaylistItem(location: [], line: 0)
    for (number, line) in TextLines(bytes) {
      let trimmed = line.trimmed
      if trimmed.isEmpty { continue }
      guard trimmed.first == UInt8(ascii: "#") else {
        next.location = Array(line)
        next.line = number
        items.append(next)
        next = PlaylistItem(location: [], line: 0)
        if items.count > limit { break }
        continue
      }
      if trimmed.after("#EXT-X-") != nil { return .manifest }
      if let info = trimmed.after("#EXTINF:") {
        let (duration, title) = extinf(info)
        next.duration = duration
        next.metadata.title = title
      }
    }
    return .items(items)
  }

  /// Reads the value of `#EXTINF`, such as `123,Title` or `-1 key="a, b",Title`.
  private static func extinf(_ text: ArraySlice<UInt8>) -> (MediaTime?, String?) {
    var quoted = false
    let comma = text.firstIndex { byte in
      if byte == UInt8(ascii: "\"") { quoted.toggle() }
      return byte == UInt8(ascii: ",") && !quoted
    }
    let head = text[..<(comma ?? text.endIndex)].trimmed.prefix { $0 != 0x20 && $0 != 0x09 }
    let seconds = Double(String(decoding: head, as: UTF8.self)) ?? -1
    return (
      seconds > 0 && seconds.isFinite ? MediaTime(seconds: seconds) : nil, comma.flatMap { text[($0 + 1)...].text }
    )
  }
}
