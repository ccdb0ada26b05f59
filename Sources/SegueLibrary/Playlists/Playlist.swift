internal import Glibc
internal import SegueSystem
internal import SegueWire

/// Reading a playlist file.
enum Playlist {
  /// Throws what is wrong in words that name the file. `transcoder`: for one that is not in UTF-8.
  static func read(
    _ path: FilePath, _ format: PlaylistFormat, _ transcoder: CharsetConverter
  ) throws(Failure) -> PlaylistContent {
    let bytes: [UInt8]
    do {
      bytes = try SmallFile.read(path, upTo: PlaylistLimits.bytes)
    } catch {
      throw Failure(error, path)
    }
    return try parse(bytes, path, format, transcode: transcoder.utf8)
  }

  /// Reads what `path` holds. `transcode` puts lines of text that are not UTF-8 into UTF-8, or gives nil.
  static func parse(
    _ bytes: [UInt8], _ path: FilePath, _ format: PlaylistFormat, transcode: ([UInt8]) -> [UInt8]?
  ) throws(Failure) -> PlaylistContent {
    let content = try parse(bytes, path, format)
    // XML names its charset.
    guard format != .xspf, case .items(let written) = content, String(validating: bytes, as: UTF8.self) == nil,
      let text = transcode(bytes), case .items(let items) = try parse(text, path, format),
      items.map(\.line) == written.map(\.line)
    else { return content }
    return .items(
      zip(items, written).map { item, written in
        var item = item
        // Names of files may be in the same charset, or not.
        (item.location, item.decodedLocation) = (written.location, item.location)
        return item
      })
  }

  private static func parse(
    _ bytes: [UInt8], _ path: FilePath, _ format: PlaylistFormat
  ) throws(Failure) -> PlaylistContent {
    // XML has its own encodings; every other playlist is lines of text.
    if format != .xspf, bytes.contains(0) {
      throw Failure(.unplayable, "\(path): no playlist: it holds bytes that no text has")
    }
    switch format {
    case .m3u, .m3u8: return M3U.read(bytes)
    case .pls: return PLS.read(bytes)
    case .cue: return CueSheet.read(bytes)
    case .xspf:
      do {
        return try XSPF.read(bytes)
      } catch {
        throw Failure(.unplayable, "\(path):\(error.line): no well-formed playlist: \(error.reason)")
      }
    }
  }
}
