// Decoding thread only.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueTags
internal import SegueWire

/// The title a live stream announces between its packets: ICY metadata of HTTP, or the comments of a new Ogg link.
struct StreamTitle {
  private var last: String?

  /// A title that differs from the one before; nil while nothing changed.
  mutating func poll(_ demuxer: Demuxer) -> String? {
    guard demuxer.file == nil, let title = Self.icy(demuxer) ?? Self.comments(demuxer), title != last else {
      return nil
    }
    last = title
    return title
  }

  private static func icy(_ demuxer: Demuxer) -> String? {
    demuxer.icyMetadata.flatMap { title(inICY: TagText.mended($0)) }
  }

  /// `StreamTitle='A - B';StreamUrl='';`: quotes inside are not escaped, so the end is what looks like one.
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
