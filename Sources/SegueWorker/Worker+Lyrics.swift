// Decoding thread only; see Worker.swift.

internal import SegueFFmpeg
internal import SegueLink
internal import SegueSystem
internal import SegueTags
internal import SegueWire

extension Worker {
  /// Those inside a file, or those that the file is: its name tells.
  func lyrics(_ ticket: UInt32, _ name: String, _ file: SourceFile) {
    do throws(MediaError) {
      let isText = FilePath(name).fileExtension == "lrc"
      report(.lyrics(ticket: ticket, isText ? Self.text(of: file) : try survey.tags(of: file, name).0.lyrics))
    } catch {
      report(.failedProbe(ticket: ticket, error.failure))
    }
  }

  /// Of a text that was not decoded yet: UTF-16 takes two bytes for most of what UTF-8 takes one for.
  private static let longestText = 2 * WorkerEvent.maximumLyricsSize

  /// UTF-8 or UTF-16 where it says so, else what is guessed from its lines; nil if there is nothing in it.
  private static func text(of file: SourceFile) -> String? {
    var bytes = [UInt8](unsafeUninitializedCapacity: longestText) { buffer, count in
      count = file.peek(at: 0, into: UnsafeMutableRawBufferPointer(buffer))
    }
    // Half a character at the end would make the rest look like none.
    if bytes.count == longestText, let end = bytes.lastIndex(of: UInt8(ascii: "\n")) { bytes.removeSubrange(end...) }
    let text = TagText.mendedLines(decoded(bytes)).truncated(to: WorkerEvent.maximumLyricsSize)
    return text.isEmpty ? nil : text
  }

  private static func decoded(_ bytes: [UInt8]) -> String {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      let (low, high) = bytes[0] == 0xFF ? (0, 1) : (1, 0)
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
        UInt16(bytes[index + low]) | UInt16(bytes[index + high]) << 8
      }
      return String(decoding: units, as: UTF16.self)
    }
    let text = Array(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...])
    let lines = text.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map(Array.init)
    return Charset(guessedFrom: lines).decode(text)
  }
}
