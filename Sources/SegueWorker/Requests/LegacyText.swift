// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueTags
internal import SegueWire
internal import SegueWorkerProtocol

/// A text in an unknown charset, with the line ends of any system.
struct LegacyText {
  private let bytes: [UInt8]

  /// The number of bytes that suffices to guess a charset.
  private static let sampleSize = 64 * 1024

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The lines in UTF-8. The charset is guessed from all lines that are not UTF-8. The other lines are unchanged,
  /// because several programs may have written the file, unless they are UTF-8 by coincidence.
  var utf8: [UInt8] {
    if let text = UTF16Text(bytes) { return Array(text.string.utf8) }
    let lines = bytes.split(omittingEmptySubsequences: false, whereSeparator: Self.isLineEnd)
    let charset = Charset(guessedFrom: Self.samples(of: lines))
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 2)
    for line in lines {
      if line.allSatisfy({ $0 < 0x80 }) || Self.isUTF8(line) && !charset.isPlausible(for: Self.sample(of: line)) {
        result += line
      } else {
        // The decoded line must not contain line ends: the number of lines is unchanged.
        result += charset.decode(Array(line)).utf8.map { Self.isLineEnd($0) ? UInt8(ascii: " ") : $0 }
      }
      if line.endIndex < bytes.endIndex { result.append(bytes[line.endIndex]) }
    }
    return result
  }

  /// Returns the samples from which the charset is guessed: one of each line that is not UTF-8.
  private static func samples(of lines: [ArraySlice<UInt8>]) -> [[UInt8]] {
    var samples: [[UInt8]] = []
    var size = 0
    for line in lines where size < sampleSize && !isUTF8(line) {
      let sample = sample(of: line)
      samples.append(sample)
      size += sample.count
    }
    return samples
  }

  /// Returns the part of a line from the first word with a byte beyond ASCII to a quotation mark or the end. It
  /// contains no keywords of the file format, such as TITLE in a cue sheet, with which a text in another script would
  /// look like a Western text with accents.
  private static func sample(of line: ArraySlice<UInt8>) -> [UInt8] {
    let rest = line.fromFirstForeignWord
    return Array(rest[..<(rest.lastIndex(of: UInt8(ascii: "\"")) ?? rest.endIndex)])
  }

  private static func isUTF8(_ line: ArraySlice<UInt8>) -> Bool { String(validating: line, as: UTF8.self) != nil }

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}

extension Collection<UInt8> where SubSequence == ArraySlice<UInt8>, Index == Int {
  /// The bytes from the first word that has one beyond ASCII. It is empty if there is none.
  var fromFirstForeignWord: ArraySlice<UInt8> {
    guard var start = firstIndex(where: { $0 >= 0x80 }) else { return self[endIndex...] }
    while start > startIndex, (0x61...0x7A).contains(self[start - 1] | 0x20) { start -= 1 }
    return self[start...]
  }
}

/// A reader of LRC files: lyrics with times, in a charset that may be unknown.
enum LRCFile {
  /// The maximum size before decoding. UTF-16 takes two bytes for most characters that take one byte in UTF-8.
  private static let maximumSize = 2 * WorkerResponse.maximumLyricsSize

  /// Returns the text of `file`; nil if it is empty. The charset is UTF-8 or UTF-16 if a byte order mark says so, and
  /// is guessed otherwise.
  static func text(of file: FileInput) -> String? {
    var bytes = [UInt8](unsafeUninitializedCapacity: maximumSize) { buffer, count in
      count = file.peek(at: 0, into: UnsafeMutableRawBufferPointer(buffer))
    }
    // A truncated character at the end would make all of the text invalid.
    if bytes.count == maximumSize, let end = bytes.lastIndex(of: UInt8(ascii: "\n")) { bytes.removeSubrange(end...) }
    let text = TagText.cleanedLines(decoded(bytes)).truncated(to: WorkerResponse.maximumLyricsSize)
    return text.isEmpty ? nil : text
  }

  private static func decoded(_ bytes: [UInt8]) -> String {
    if let text = UTF16Text(bytes) { return text.string }
    let text = Array(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...])
    let lines = text.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map(Array.init)
    return Charset(guessedFrom: lines).decode(text)
  }
}
