internal import CFFmpeg
internal import Glibc
internal import SegueWire

/// What a container and its stream say in their tags, as `Metadata`.
struct MetadataReader {
  /// By name in lower case, valid UTF-8, not empty.
  private var tags: [String: String] = [:]
  /// Vorbis comments and APE tags repeat a name for each value; libavformat joins them with ";".
  private let joinsValues: Bool

  init(_ demuxer: Demuxer) {
    joinsValues = ["ogg", "flac", "wv", "ape", "mpc", "mpc8", "tta", "tak", "opus"].contains(demuxer.formatName)
    collect(demuxer.context.pointee.metadata)
    // The stream's own tags (Ogg's comments are there) go before the container's, unless it is one of many.
    collect(demuxer.stream.pointee.metadata)
  }

  var metadata: Metadata {
    var result = Metadata()
    result.title = text("title")
    result.artists = values("artist")
    result.artist = result.artists.isEmpty ? nil : result.artists.joined(separator: ", ")
    result.album = text("album")
    result.albumArtist = text("album_artist", "albumartist", "album artist")
    result.composer = text("composer")
    result.genre = values("genre")
    result.date = text("date", "originaldate", "year", "tdor")
    result.year = result.date.flatMap(Self.year)
    (result.track, result.trackTotal) = numbers("track", "tracknumber", total: "tracktotal", "totaltracks")
    (result.disc, result.discTotal) = numbers("disc", "discnumber", total: "disctotal", "totaldiscs")
    result.stream = text("streamtitle")
    return result.bounded
  }

  var iTunSMPB: GaplessTag? { tags["itunsmpb"].flatMap(GaplessTag.init(iTunSMPB:)) }

  private func text(_ names: String...) -> String? { names.lazy.compactMap { tags[$0] }.first }

  private func values(_ name: String) -> [String] {
    guard let joined = tags[name] else { return [] }
    guard joinsValues else { return [joined] }
    return joined.split(separator: ";").prefix(Metadata.mostValues).map(Self.trimmed).filter { !$0.isEmpty }
  }

  /// "3", "3/12", or the total in a tag of its own.
  private func numbers(_ names: String..., total: String...) -> (Int?, Int?) {
    let parts = names.lazy.compactMap { tags[$0] }.first?.split(separator: "/", maxSplits: 1) ?? []
    let stated = total.lazy.compactMap { tags[$0] }.first
    return (
      parts.first.flatMap(Self.number), (parts.count > 1 ? Self.number(parts[1]) : nil) ?? stated.flatMap(Self.number)
    )
  }

  private static func number(_ text: some StringProtocol) -> Int? {
    Int(trimmed(text)).flatMap { (1...99_999).contains($0) ? $0 : nil }
  }

  /// The first four digits in a row: "1999-03-01", "01.03.1999".
  private static func year(_ date: String) -> Int? {
    var digits = 0
    var value = 0
    for byte in date.utf8 {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
        digits = 0
        value = 0
        continue
      }
      digits += 1
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      if digits == 4 { return value == 0 ? nil : value }
    }
    return nil
  }

  private mutating func collect(_ dictionary: OpaquePointer?) {
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
      entry = next
      guard let key = next.pointee.key, let value = next.pointee.value else { continue }
      let text = Self.repaired(value)
      if !text.isEmpty { tags[String(cString: key).lowercased()] = text }
    }
  }

  /// What is no UTF-8 as U+FFFD, control characters as spaces, none at the ends, and no more than is kept.
  static func repaired(_ bytes: UnsafePointer<CChar>) -> String {
    // More than is kept, so that white space in front costs nothing, and no character is cut in two.
    let raw = UnsafeRawBufferPointer(start: bytes, count: strnlen(bytes, 2 * Metadata.longestText))
    var text = ""
    for scalar in String(decoding: raw, as: UTF8.self).unicodeScalars {
      text.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    return trimmed(trimmed(text).cut(to: Metadata.longestText))
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    var rest = text[...]
    while rest.last?.isWhitespace == true { rest.removeLast() }
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    return String(rest)
  }
}
