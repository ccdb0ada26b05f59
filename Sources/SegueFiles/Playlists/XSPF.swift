internal import SegueSystem
internal import SegueWire

/// A reader of XSPF 1 playlists, which are XML. Locations are percent-encoded URIs.
enum XSPF {
  /// Reads a playlist. Throws if the XML is malformed.
  static func read(_ bytes: [UInt8], upTo limit: Int) throws(XMLReader.XMLError) -> PlaylistContent {
    let tracks = TrackList(upTo: limit)
    guard let reader = XMLReader(tracks) else { return .items([]) }
    tracks.reader = reader
    try reader.read(bytes)
    return .items(tracks.items)
  }
}

/// The tracks of a playlist that is being read.
private final class TrackList: XMLHandler {
  private(set) var items: [PlaylistItem] = []
  weak var reader: XMLReader?
  private var path: [String] = []
  private var item = PlaylistItem(location: [], line: 0)
  private var text: [UInt8] = []
  private let limit: Int
  /// The maximum text of an element in bytes. Titles and locations have less.
  private static let maximumTextSize = 64 * 1024

  init(upTo limit: Int) { self.limit = limit }

  func begin(_ name: String, _ attributes: [String: String]) {
    path.append(name)
    text = []
    if path == ["playlist", "trackList", "track"] {
      item = PlaylistItem(location: [], isURI: true, line: reader?.line ?? 0)
    }
  }

  func append(_ bytes: UnsafeRawBufferPointer) {
    if text.count + bytes.count <= Self.maximumTextSize { text += bytes }
  }

  func end() {
    if path.count == 4, path.starts(with: ["playlist", "trackList", "track"]) { readElement(path[3]) }
    if path == ["playlist", "trackList", "track"], !item.location.isEmpty {
      items.append(item)
      if items.count > limit { reader?.stop() }
    }
    path.removeLast()
    text = []
  }

  private func readElement(_ name: String) {
    // White space around a value is formatting.
    let trimmed =
      text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).first { !$0.trimmed.isEmpty }?.trimmed ?? []
    switch name {
    // Several locations are alternatives. The first is preferred.
    case "location": if item.location.isEmpty { item.location = Array(trimmed) }
    case "title": item.metadata.title = trimmed.text
    case "creator": item.metadata.artist = trimmed.text
    case "album": item.metadata.album = trimmed.text
    case "trackNum": item.metadata.track = trimmed.number
    case "duration":
      item.duration = trimmed.number.flatMap { $0 > 0 ? MediaTime(nanoseconds: Int64($0) * 1_000_000) : nil }
    default: break
    }
  }
}
