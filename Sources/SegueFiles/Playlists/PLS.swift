internal import SegueSystem
internal import SegueWire

/// A reader of PLS playlists, which have lines `FileN=`, `TitleN=` and `LengthN=` in any order.
enum PLS {
  static func read(_ bytes: [UInt8], upTo limit: Int) -> PlaylistContent {
    var items: [Int: PlaylistItem] = [:]
    for (number, line) in TextLines(bytes) {
      let line = line.trimmed
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let key = line[..<equals].trimmed
      let value = line[(equals + 1)...]
      if let index = key.after("File")?.number {
        items[index, default: empty].location = Array(value)
        items[index, default: empty].line = number
      } else if let index = key.after("Title")?.number {
        items[index, default: empty].metadata.title = value.text
      } else if let index = key.after("Length")?.number {
        items[index, default: empty].duration = value.number.flatMap { $0 > 0 ? MediaTime(seconds: Double($0)) : nil }
      }
      if items.count > limit { break }
    }
    return .items(items.sorted { $0.key < $1.key }.map(\.value).filter { !$0.location.isEmpty })
  }

  private static let empty = PlaylistItem(location: [], line: 0)
}
