import Glibc
import SegueSystem
import SegueTestKit

/// Makes and reads audio files.
enum AudioFile {
  /// Returns a RIFF WAVE file of PCM.
  static func wave(_ pcm: [UInt8], rate: Int = Signal.rate, channels: Int = 2, bytes: Int = 2) -> [UInt8] {
    var file = Array("RIFF".utf8)
    file += little(UInt32(36 + pcm.count)) + Array("WAVEfmt ".utf8) + little(UInt32(16))
    file += little(UInt16(1)) + little(UInt16(channels)) + little(UInt32(rate))
    file += little(UInt32(rate * channels * bytes)) + little(UInt16(channels * bytes)) + little(UInt16(bytes * 8))
    return file + Array("data".utf8) + little(UInt32(pcm.count)) + pcm
  }

  /// Returns `flac` with these Vorbis comments instead of its own.
  static func tagged(_ flac: [UInt8], _ tags: [(String, String)]) -> [UInt8] {
    // The marker, STREAMINFO (4 + 34 bytes), and other blocks up to the one with the last-block flag.
    let streamInfo = Array(flac[4..<42])
    var audio = 42
    var isLast = flac[4] & 0x80 != 0
    while !isLast {
      isLast = flac[audio] & 0x80 != 0
      audio += 4 + Int(flac[audio + 1]) << 16 + Int(flac[audio + 2]) << 8 + Int(flac[audio + 3])
    }
    var comments = little(UInt32(5)) + Array("Segue".utf8) + little(UInt32(tags.count))
    for (name, value) in tags {
      let text = Array("\(name)=\(value)".utf8)
      comments += little(UInt32(text.count)) + text
    }
    let header = [0x84, UInt8(comments.count >> 16), UInt8(comments.count >> 8 & 0xFF), UInt8(comments.count & 0xFF)]
    return flac[..<4] + [streamInfo[0] & 0x7F] + streamInfo[1...] + header + comments + flac[audio...]
  }

  /// Returns the path of a file in contrib/demo.
  static func demo(_ name: String) -> FilePath {
    Repository.root.appending("contrib/demo").appending(name)
  }

  static func read(_ path: FilePath) throws -> [UInt8] {
    guard let file = path.withCString({ fopen($0, "rb") }) else { throw SystemError("fopen", path.description) }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4 << 20)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    return bytes
  }

  static func write(_ bytes: [UInt8], to path: FilePath) throws { try put(bytes, to: path, mode: "wb") }

  static func append(_ bytes: [UInt8], to path: FilePath) throws { try put(bytes, to: path, mode: "ab") }

  private static func put(_ bytes: [UInt8], to path: FilePath, mode: String) throws {
    guard let file = path.withCString({ fopen($0, mode) }) else { throw SystemError("fopen", path.description) }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw SystemError("fwrite", path.description) }
  }

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
