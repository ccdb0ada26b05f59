internal import SegueFiles
internal import SegueSystem
internal import SegueWire

/// A playlist that a server sends in place of audio.
enum RemotePlaylist {
  enum Format: Equatable {
    case m3u, pls, xspf, asx, dash
  }

  /// The content of a playlist.
  enum Content: Equatable {
    /// The URLs of stations or files in their order, or those of the qualities of a stream of HLS, preferred ones
    /// first. Each is another source of audio.
    case list([String])
    /// A manifest of HLS that names the segments of a stream. The demuxer reads it.
    case manifest([UInt8], isLive: Bool)
  }

  /// The maximum size of a playlist in bytes.
  static let maximumSize = 1 << 20
  /// The number of entries that are tried.
  private static let maximumEntries = 64
  /// The number of characters with which every playlist can be recognised.
  private static let sufficientSize = 1024

  /// Returns the format of the playlist that begins with `bytes`; nil if it is none. `mediaType` and `pathExtension`
  /// decide only where the bytes do not.
  static func format(_ bytes: [UInt8], mediaType: String?, pathExtension: String?) -> Format? {
    let start = text(of: bytes.prefix(2 * sufficientSize))
    let head = String(decoding: start.prefix(sufficientSize), as: UTF8.self).lowercased()
    if head.hasPrefix("#extm3u") { return .m3u }
    if head.hasPrefix("[playlist]") { return .pls }
    if head.hasPrefix("<asx") || head.hasPrefix("[reference]") { return .asx }
    if head.hasPrefix("<") {
      if head.contains("<asx") { return .asx }
      if head.contains("<mpd") { return .dash }
      if head.contains("<playlist") { return .xspf }
      return nil
    }
    let isListOfLines =
      ["audio/x-mpegurl", "audio/mpegurl", "application/x-mpegurl", "application/vnd.apple.mpegurl"].contains(mediaType)
      || ["m3u", "m3u8"].contains(pathExtension)
    guard isListOfLines else { return nil }
    let isText = start.prefix(sufficientSize).allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    return head.hasPrefix("#") || head.hasPrefix("http") || isText && head.contains("\n") ? .m3u : nil
  }

  /// Returns `bytes` in UTF-8, without a byte order mark and white space before the text. Playlists in UTF-16 have such
  /// a mark. The demuxer of HLS, and others, expect the first line at the beginning.
  private static func text(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    if let text = UTF16Text(marked: bytes) { return Array(text.string.utf8.drop { $0 <= 0x20 }) }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
    return Array(text.drop { $0 <= 0x20 })
  }

  /// Reads a playlist at `url`, which was received at `now`. Throws if it is malformed, names nothing that can be
  /// played, or includes itself.
  static func read(
    _ bytes: [UInt8], _ format: Format, at url: String, now: UnixTime, _ session: StreamSession
  ) throws(Failure) -> Content {
    let bytes = text(of: bytes[...])
    let references: [String]
    switch format {
    case .asx: references = ASX.references(in: bytes)
    case .dash:
      switch try DASHManifest(bytes, at: url, now: now).content(session.segmentNumbers) {
      case .file(let file): return .list([file])
      case .segments(let manifest, let isLive): return .manifest(manifest, isLive: isLive)
      }
    case .m3u:
      if let manifest = HLSManifest(bytes) { return try content(of: manifest, bytes, at: url, session) }
      references = try Self.references(in: bytes, .m3u8, url)
    case .pls: references = try Self.references(in: bytes, .pls, url)
    case .xspf: references = try Self.references(in: bytes, .xspf, url)
    }
    return .list(try sources(references, at: url))
  }

  /// Returns the URLs of the sources that the playlist at `url` names.
  private static func sources(_ references: [String], at url: String) throws(Failure) -> [String] {
    var urls: [String] = []
    for reference in references.prefix(maximumEntries) {
      if let next = URLText.resolve(reference, against: url), !urls.contains(next) { urls.append(next) }
    }
    if urls == [url] { throw Self.includesItself }
    urls.removeAll { $0 == url }
    guard !urls.isEmpty else {
      throw Failure(
        .unplayable, references.isEmpty ? "the playlist is empty" : "the playlist names nothing that can be played")
    }
    return urls
  }

  private static func references(
    in bytes: [UInt8], _ format: PlaylistFormat, _ url: String
  ) throws(Failure) -> [String] {
    guard
      case .items(let items) = try Playlist.content(of: bytes, named: FilePath(url), format, upTo: maximumEntries)
    else { return [] }
    return items.map { String(decoding: $0.location, as: UTF8.self) }
  }

  private static func content(
    of manifest: HLSManifest, _ bytes: [UInt8], at url: String, _ session: StreamSession
  ) throws(Failure) -> Content {
    switch manifest {
    case .variants(let variants):
      return .list(try sources(HLSManifest.byPreference(variants).map(\.reference), at: url))
    case .segments(let segments, let isLive):
      // The demuxer determines the format by the segment with which it begins: the first one, or one of the last ones
      // of a live stream. There may be hundreds of thousands of others.
      let starts = segments.prefix(startSegments) + segments.suffix(startSegments)
      if starts.contains(where: { URLText.resolve($0, against: url) == url }) { throw Self.includesItself }
      return .manifest(isLive ? session.mediaSequence.continued(bytes, segments.count) : bytes, isLive: isLive)
    }
  }

  /// The number of segments at the beginning and at the end of a manifest with which playback may begin.
  private static let startSegments = 16

  static let includesItself = Failure(.unplayable, "the playlist includes itself")
}
