/// Replaces the tags of FLAC files.
public enum FLACTags {
  /// Returns `flac` with these Vorbis comments instead of its own.
  public static func replace(_ flac: [UInt8], _ tags: [(String, String)]) -> [UInt8] {
    // The marker, STREAMINFO (4 + 34 bytes), and other blocks up to the one with the last-block flag.
    let streamInfo = Array(flac[4..<42])
    var audio = 42
    var isLast = flac[4] & 0x80 != 0
    while !isLast {
      isLast = flac[audio] & 0x80 != 0
      audio += 4 + Int(flac[audio + 1]) << 16 + Int(flac[audio + 2]) << 8 + Int(flac[audio + 3])
    }
    var comments = joined(little(UInt32(5)), "Segue".utf8, little(UInt32(tags.count)))
    for (name, value) in tags {
      let text = Array("\(name)=\(value)".utf8)
      comments += little(UInt32(text.count)) + text
    }
    let header = [0x84, UInt8(comments.count >> 16), UInt8(comments.count >> 8 & 0xFF), UInt8(comments.count & 0xFF)]
    return joined(flac[..<4], [streamInfo[0] & 0x7F], streamInfo[1...], header, comments, flac[audio...])
  }

  private static func little(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
}
