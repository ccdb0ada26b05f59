public import SegueSystem

extension FilePath {
  /// Where the lyrics of the track at this path would lie beside it.
  public var lyricsFiles: [FilePath] {
    let name = lastComponent
    let stem = name.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name
    return [".lrc", ".LRC"].map { parent.appending(stem + Array($0.utf8)) }
  }
}
