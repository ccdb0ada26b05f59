internal import CExpat
internal import SegueSystem
internal import SegueWire

/// XSPF 1: XML, read with Expat, which refuses entities that swell. Locations are percent-encoded URIs.
enum XSPF {
  /// Throws what is wrong with the XML, and in which line.
  static func read(_ bytes: [UInt8]) throws(XMLError) -> PlaylistContent {
    guard let parser = XML_ParserCreate(nil) else { return .items([]) }
    defer { XML_ParserFree(parser) }
    let reader = Reader(parser)
    // Unretained: `reader` lives until the parser has done its work, below.
    XML_SetUserData(parser, Unmanaged.passUnretained(reader).toOpaque())
    XML_SetElementHandler(parser, xspfElementBegins, xspfElementEnds)
    XML_SetCharacterDataHandler(parser, xspfText)
    let status = withExtendedLifetime(reader) {
      bytes.withUnsafeBytes { buffer in
        XML_Parse(parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), 1)
      }
    }
    if status != XML_STATUS_OK, !reader.isFull {
      let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "no XML"
      throw XMLError(line: Int(segue_xml_line(parser)), reason: reason)
    }
    return .items(reader.items)
  }

  struct XMLError: Error {
    let line: Int
    let reason: String
  }

  /// What the callbacks write to.
  fileprivate final class Reader {
    private(set) var items: [PlaylistItem] = []
    private(set) var isFull = false
    private let parser: XML_Parser
    private var path: [String] = []
    private var item = PlaylistItem(location: [], line: 0)
    private var text: [UInt8] = []
    /// More text than this in one element is no title and no location.
    private static let longestText = 64 * 1024
    /// What is nested deeper is no playlist; every level takes memory, here and in Expat.
    private static let deepest = 64

    init(_ parser: XML_Parser) { self.parser = parser }

    func begin(_ name: String) {
      path.append(name)
      if path.count > Self.deepest { XML_StopParser(parser, XML_Bool(XML_FALSE)) }
      text = []
      if path == ["playlist", "trackList", "track"] {
        item = PlaylistItem(location: [], isURI: true, line: Int(segue_xml_line(parser)))
      }
    }

    func append(_ bytes: UnsafeRawBufferPointer) {
      if text.count + bytes.count <= Self.longestText { text += bytes }
    }

    func end() {
      if path.count == 4, path.starts(with: ["playlist", "trackList", "track"]) { take(path[3]) }
      if path == ["playlist", "trackList", "track"], !item.location.isEmpty {
        items.append(item)
        if items.count > PlaylistLimits.entries {
          isFull = true
          XML_StopParser(parser, XML_Bool(XML_FALSE))
        }
      }
      path.removeLast()
      text = []
    }

    private func take(_ name: String) {
      // White space round a value is layout.
      let trimmed =
        text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).first { !$0.trimmed.isEmpty }?.trimmed ?? []
      switch name {
      // Several are alternatives; the first is the preferred one.
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
}

private nonisolated func xspfReader(_ context: UnsafeMutableRawPointer?) -> XSPF.Reader? {
  context.map { Unmanaged<XSPF.Reader>.fromOpaque($0).takeUnretainedValue() }
}

private nonisolated func xspfElementBegins(
  _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?,
  _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) {
  // A prefix bound to XSPF's namespace is legal; nobody writes another namespace's `track` there.
  let full = name.map { String(cString: $0) } ?? ""
  xspfReader(context)?.begin(full.split(separator: ":").last.map(String.init) ?? "")
}

private nonisolated func xspfElementEnds(_ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?) {
  xspfReader(context)?.end()
}

private nonisolated func xspfText(
  _ context: UnsafeMutableRawPointer?, _ text: UnsafePointer<CChar>?, _ count: Int32
) {
  guard let text else { return }
  xspfReader(context)?.append(UnsafeRawBufferPointer(start: text, count: Int(count)))
}
