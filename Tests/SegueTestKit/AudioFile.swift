internal import Glibc
public import SegueSystem

/// Makes and reads audio files.
public enum AudioFile {
  /// Returns a RIFF WAVE file of PCM.
  public static func wave(_ pcm: [UInt8], rate: Int = Signal.rate, channels: Int = 2, bytes: Int = 2) -> [UInt8] {
    var file = Array("RIFF".utf8)
    file += joined(little(UInt32(36 + pcm.count)), "WAVEfmt ".utf8, little(UInt32(16)))
    file += little(UInt16(1)) + little(UInt16(channels)) + little(UInt32(rate))
    file += little(UInt32(rate * channels * bytes)) + little(UInt16(channels * bytes)) + little(UInt16(bytes * 8))
    return file + joined("data".utf8, little(UInt32(pcm.count)), pcm)
  }

  /// Returns the path of a file in contrib/demo.
  public static func demo(_ name: String) -> FilePath {
    Repository.root.appending("contrib/demo").appending(name)
  }

  public static func read(_ path: FilePath) throws -> [UInt8] {
    guard let file = path.withCString({ fopen($0, "rb") }) else { throw SystemError("fopen", path.description) }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4 << 20)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    return bytes
  }

  public static func write(_ bytes: [UInt8], to path: FilePath) throws { try put(bytes, to: path, mode: "wb") }

  public static func append(_ bytes: [UInt8], to path: FilePath) throws { try put(bytes, to: path, mode: "ab") }

  private static func put(_ bytes: [UInt8], to path: FilePath, mode: String) throws {
    guard let file = path.withCString({ fopen($0, mode) }) else { throw SystemError("fopen", path.description) }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw SystemError("fwrite", path.description) }
  }

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
