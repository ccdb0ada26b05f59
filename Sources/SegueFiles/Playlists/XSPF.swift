internal import CExpat
internal import SegueSystem
internal import SegueWire

/// A reader of XSPF 1 playlists, which are XML. It uses Expat, which refuses excessive entity expansion. Locations are
/// percent-encoded URIs.
enum XSPF {
  /// Reads a playlist. Throws if the XML is malformed.
  static func read(_ bytes: [UInt8]) throws(XMLError) -> PlaylistContent {
    guard let parser = XML_ParserCreate(nil) else { return .items([]) }
    defer { XML_ParserFree(parser) }
    let reader = Reader(parser)
    // Proof: unretained, because `withExtendedLifetime` keeps `reader` until the parser is done.
    XML_SetUserData(parser, Unmanaged.passUnretained(reader).toOpaque())
    XML_SetElementHandler(parser, xspfStartElement, xspfEndElement)
    XML_SetCharacterDataHandler(parser, xspfCharacterData)
    let status = withExtendedLifetime(reader) {
      bytes.withUnsafeBytes { buffer in
        XML_Parse(parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), 1)
      }
    }
    if status != XML_STATUS_OK, !reader.isFull {
      let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "not XML"
      throw XMLError(line: Int(segue_xml_line(parser)), reason: reason)
    }
    return .items(reader.items)
  }

  struct XMLError: Error {
    let line: Int
    let reason: String
  }

  /// A reader that the callbacks of Expat use.
  fileprivate final class Reader {
    private(set) var items: [PlaylistItem] = []
    private(set) var isFull = false
    private let parser: XML_Parser
    private var path: [String] = []
    private var item = PlaylistItem(location: [], line: 0)
    private var text: [UInt8] = []
    /// The maximum text of an element in bytes. Titles and locations have less.
    private static let maximumTextSize = 64 * 1024
    /// The maximum depth of elements. A playlist has less, and every level takes memory, here and in Expat.
    private static let maximumDepth = 64

    init(_ parser: XML_Parser) { self.parser = parser }

    func begin(_ name: String) {
      path.append(name)
      if path.count > Self.maximumDepth { XML_StopParser(parser, XML_Bool(XML_FALSE)) }
      text = []
      if path == ["playlist", "trackList", "track"] {
        item = PlaylistItem(location: [], isURI: true, line: Int(segue_xml_line(parser)))
      }
    }

    func append(_ bytes: UnsafeRawBufferPointer) {
      if text.count + bytes.count <= Self.maximumTextSize { text += bytes }
    }

    func end() {
      if path.count == 4, path.starts(with: ["playlist", "trackList", "track"]) { readElement(path[3]) }
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
}

private nonisolated func xspfReader(_ context: UnsafeMutableRawPointer?) -> XSPF.Reader? {
  context.map { Unmanaged<XSPF.Reader>.fromOpaque($0).takeUnretainedValue() }
}

private nonisolated func xspfStartElement(
  _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?,
  _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) {
  // The namespace of XSPF may be bound to a prefix. Elements of the same names in other namespaces do not occur in
  // practice.
  let full = name.map { String(cString: $0) } ?? ""
  xspfReader(context)?.begin(full.split(separator: ":").last.map(String.init) ?? "")
}

private nonisolated func xspfEndElement(_ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?) {
  xspfReader(context)?.end()
}

private nonisolated func xspfCharacterData(
  _ context: UnsafeMutableRawPointer?, _ text: UnsafePointer<CChar>?, _ count: Int32
) {
  guard let text else { return }
  xspfReader(context)?.append(UnsafeRawBufferPointer(start: text, count: Int(count)))
}
