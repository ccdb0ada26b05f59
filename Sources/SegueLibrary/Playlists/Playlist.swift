internal import Glibc
internal import SegueSystem
internal import SegueWire

/// Reading a playlist file.
enum Playlist {
  /// Throws what is wrong in words that name the file.
  static func read(_ path: FilePath, _ format: PlaylistFormat) throws(Failure) -> PlaylistContent {
    let bytes: [UInt8]
    do {
      bytes = try SmallFile.read(path, upTo: PlaylistLimits.bytes)
    } catch {
      throw Failure(error, path)
    }
    return try parse(bytes, path, format)
  }

  /// Reads what `path` holds.
  static func parse(
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
