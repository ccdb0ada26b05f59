internal import SegueSystem
internal import SegueWire

/// An M3U file that can be edited. Lines that are not changed stay as they are, byte for byte, whatever program has
/// written them.
struct M3UDocument {
  /// A location and the comments before it.
  struct Entry {
    var lines: [[UInt8]]
  }

  private var head: [[UInt8]] = [Array("#EXTM3U".utf8)]
  private(set) var entries: [Entry] = []
  private var tail: [[UInt8]] = []

  init() {}

  init(_ bytes: [UInt8]) {
    var lines: [[UInt8]] = []
    var isFirst = true
    for (_, line) in TextLines(bytes) {
      let trimmed = line.trimmed
      // The header belongs to the file and not to the first entry.
      if isFirst, trimmed.after("#EXTM3U") != nil {
        head = [Array(line)]
      } else {
        lines.append(Array(line))
        if !trimmed.isEmpty, trimmed.first != UInt8(ascii: "#") {
          entries.append(Entry(lines: lines))
          lines = []
        }
      }
      isFirst = false
    }
    tail = lines
  }

  /// The entries as playlist items.
  var items: [PlaylistItem] {
    if case .items(let items) = M3U.read(bytes, upTo: PlaylistLimits.entries) { items } else { [] }
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for line in head { bytes += line + [0x0A] }
    for entry in entries { for line in entry.lines { bytes += line + [0x0A] } }
    for line in tail { bytes += line + [0x0A] }
    return bytes
  }

  mutating func insert(_ new: [Entry], at index: Int) { entries.insert(contentsOf: new, at: index) }

  mutating func relocate(entryAt index: Int, to uri: String, from base: FilePath) {
    entries[index].relocate(to: uri, from: base)
  }

  mutating func remove(_ indices: Set<Int>) {
    entries = entries.enumerated().filter { !indices.contains($0.offset) }.map(\.element)
  }
}

extension M3UDocument.Entry {
  /// `base`: the folder of the playlist, without symbolic links.
  init(_ entry: NewPlaylistEntry, from base: FilePath) {
    lines = []
    let seconds = entry.duration.map { Int64(($0.seconds).rounded()) } ?? -1
    let name = [entry.metadata.artist, entry.metadata.title].compactMap(\.self).joined(separator: " - ")
    if seconds >= 0 || !name.isEmpty { lines.append(Array("#EXTINF:\(seconds),\(Self.oneLine(name))".utf8)) }
    lines.append(Self.location(entry.uri, from: base))
  }

  /// Replaces the location by that of the file that is at `uri` now, in the form in which it was written.
  mutating func relocate(to uri: String, from base: FilePath) {
    guard let old = lines.last?.trimmed else { return }
    let isAbsolute = old.first == UInt8(ascii: "/")
    if MediaURI.isFile(String(decoding: old, as: UTF8.self)) {
      lines[lines.count - 1] = Array(uri.utf8)
    } else if isAbsolute, case .file(let path, nil) = try? MediaURI(uri), Self.isLine(path.bytes) {
      lines[lines.count - 1] = path.bytes
    } else {
      lines[lines.count - 1] = Self.location(uri, from: base)
    }
  }

  /// Returns the location of a track: a path relative to `base` if they have a folder in common, an absolute path if
  /// not, or the URI if the path cannot be written as a line.
  private static func location(_ uri: String, from base: FilePath) -> [UInt8] {
    guard case .file(let path, nil) = try? MediaURI(uri), isLine(path.bytes) else { return Array(uri.utf8) }
    let (from, to) = (components(base), components(path))
    let common = zip(from, to).prefix { $0 == $1 }.count
    guard common > 0, common < to.count else { return path.bytes }
    let up = Array(repeating: Array("..".utf8)[...], count: from.count - common)
    // Without "./", a name could be taken for a comment or a URI.
    let relative = (up.isEmpty ? [Array(".".utf8)[...]] : up) + to[common...]
    return Array(relative.joined(separator: [UInt8(ascii: "/")]))
  }

  private static func components(_ path: FilePath) -> [ArraySlice<UInt8>] {
    path.normalized.bytes.split(separator: UInt8(ascii: "/"))
  }

  /// Whether a path can be written as a line: it is UTF-8, as the file extension demands, without control characters
  /// and trailing spaces.
  private static func isLine(_ bytes: [UInt8]) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil && !bytes.contains { $0 < 0x20 || $0 == 0x7F }
      && bytes.last != 0x20
  }

  private static func oneLine(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      line.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    return String(line)
  }
}
