// Decoding thread only.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueTags
internal import SegueWire

/// The title that a live stream sends between its packets: ICY metadata over HTTP, or the comments of a new Ogg link.
struct StreamTitle {
  private var last: String?

  /// Returns the new title if it differs from the previous one, and nil otherwise.
  mutating func poll(_ demuxer: Demuxer, icyMetadata: [UInt8]?) -> String? {
    guard demuxer.file == nil, let title = icyMetadata.flatMap(Self.icy) ?? Self.comments(demuxer), title != last else {
      return nil
    }
    last = title
    return title
  }

  private static func icy(_ metadata: [UInt8]) -> String? {
    title(inICY: TagText.cleaned(String(decoding: LegacyText(metadata).utf8, as: UTF8.self)))
  }

  /// Returns the title in ICY metadata such as `StreamTitle='A - B';StreamUrl='';`. Quotation marks in the title are
  /// not escaped: the first quotation mark that a semicolon follows ends the title.
  static func title(inICY text: String) -> String? {
    let bytes = Array(text.utf8)
    guard let opening = bytes.range(of: "StreamTitle='".utf8) else { return nil }
    let body = bytes[opening.upperBound...]
    var end = body.startIndex
    while end < body.endIndex,
      !(body[end] == UInt8(ascii: "'") && (end + 1 == body.endIndex || body[end + 1] == UInt8(ascii: ";")))
    {
      end += 1
    }
    return end == body.startIndex ? nil : String(decoding: body[..<end], as: UTF8.self)
  }

  private static func comments(_ demuxer: Demuxer) -> String? {
    guard demuxer.takeMetadataUpdate() else { return nil }
    let metadata = FileTags(demuxer).metadata
    let parts = [metadata.artist, metadata.title].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " - ")
  }
}
