internal import Glibc
public import SegueSystem
public import SegueWire

/// A reader of playlist files of all formats.
public enum Playlist {
  /// Reads the playlist at `path`. Throws a `Failure` that names the file. `converter` is used if the file is not
  /// UTF-8.
  public static func read(
    _ path: FilePath, _ format: PlaylistFormat, _ converter: CharsetConverter
  ) throws(Failure) -> PlaylistContent {
    let bytes: [UInt8]
    do {
      bytes = try SmallFile.read(path, upTo: PlaylistLimits.bytes)
    } catch {
      throw Failure(error, path)
    }
    return try parse(bytes, path, format, convert: converter.utf8)
  }

  /// Reads `bytes`, the contents of `path`. `convert` converts text in another charset to UTF-8, or returns nil.
  static func parse(
    _ bytes: [UInt8], _ path: FilePath, _ format: PlaylistFormat, convert: ([UInt8]) -> [UInt8]?
  ) throws(Failure) -> PlaylistContent {
    // Zeros show that text is in UTF-16, unless the file is none.
    let hasMark = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    if format != .xspf, hasMark || bytes.contains(0), let text = convert(bytes) {
      return try content(of: text, named: path, format, upTo: PlaylistLimits.entries)
    }
    let content = try content(of: bytes, named: path, format, upTo: PlaylistLimits.entries)
    // An XML file names its charset.
    guard format != .xspf, case .items(let written) = content, String(validating: bytes, as: UTF8.self) == nil,
      let text = convert(bytes),
      case .items(let items) = try Self.content(of: text, named: path, format, upTo: PlaylistLimits.entries),
      items.map(\.line) == written.map(\.line)
    else { return content }
    return .items(
      zip(items, written).map { item, written in
        var item = item
        // The names of the files on the disk may be in the same charset or in UTF-8.
        (item.location, item.decodedLocation) = (written.location, item.location)
        return item
      })
  }

  /// Reads a cue sheet in the tags of a file, which divides that file into tracks. Returns nothing if the sheet divides
  /// several files, or has fewer than two tracks.
  public static func tracks(ofEmbedded sheet: String) -> [PlaylistItem] {
    // The name of the file may be missing, and may be that of another format.
    let bytes = Array("FILE \"\" WAVE\n".utf8) + Array(sheet.utf8)
    guard case .items(let items) = CueSheet.read(bytes, upTo: PlaylistLimits.entries) else { return [] }
    let tracks = items.filter { $0.fault == nil }
    return tracks.count > 1 && tracks.allSatisfy { $0.location == tracks[0].location } ? tracks : []
  }

  /// Reads `bytes`, the contents of a playlist that messages call `path`. If it has more than `limit` entries, returns
  /// one more than that.
  public static func content(
    of bytes: [UInt8], named path: FilePath, _ format: PlaylistFormat, upTo limit: Int
  ) throws(Failure) -> PlaylistContent {
    // XML may be in UTF-16. All other playlists are lines of text.
    if format != .xspf, bytes.contains(0) {
      throw Failure(.unplayable, "\(path): not a playlist: it has binary data")
    }
    switch format {
    case .m3u, .m3u8: return M3U.read(bytes, upTo: limit)
    case .pls: return PLS.read(bytes, upTo: limit)
    case .cue: return CueSheet.read(bytes, upTo: limit)
    case .xspf:
      do {
        return try XSPF.read(bytes, upTo: limit)
      } catch {
        throw Failure(.unplayable, "\(path):\(error.line): malformed playlist: \(error.reason)")
      }
    }
  }
}
