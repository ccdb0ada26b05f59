// The file is read on FileWorker's thread "open".

internal import Glibc
public import SegueSystem
public import SegueWire

extension FileWorker {
  /// The text of the `.lrc` file beside `path`, of the same name; nil if there is none. `answer` runs on the thread
  /// "open".
  public func lyrics(beside path: FilePath, _ answer: @escaping @Sendable (Result<String?, Failure>) -> Void) {
    work { answer(Result { () throws(Failure) in try Self.lyrics(beside: path) }) }
  }

  private static func lyrics(beside path: FilePath) throws(Failure) -> String? {
    let name = path.lastComponent
    let stem = name.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name
    for suffix in [".lrc", ".LRC"] {
      let file = path.parent.appending(stem + Array(suffix.utf8))
      do {
        return text(try SmallFile.read(file, upTo: mostLyrics))
      } catch  where error.code == ENOENT {
        continue
      } catch {
        throw Failure(error, file)
      }
    }
    return nil
  }

  /// UTF-8, or UTF-16 that says so, or else Latin-1.
  private static func text(_ bytes: [UInt8]) -> String {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      let isLittle = bytes[0] == 0xFF
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
        isLittle
          ? UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8 : UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
      }
      return String(decoding: units, as: UTF16.self)
    }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    return String(validating: text, as: UTF8.self) ?? String(String.UnicodeScalarView(text.map(Unicode.Scalar.init)))
  }

  private static let mostLyrics = 512 * 1024
}
