// Decoding thread only; see Worker.swift.
internal import SegueFFmpeg
internal import SegueLink
internal import SegueSystem
internal import SegueTags
internal import SegueWire

extension Worker {
  func transcode(_ ticket: UInt32, _ file: SourceFile, _ target: SharedMemoryFile) {
    let size = min(Int(clamping: file.size ?? 0), WorkerCommand.maximumTranscodeSize)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = file.peek(at: 0, into: UnsafeMutableRawBufferPointer(buffer))
    }
    let text = LegacyText(bytes).utf8
    guard text.withUnsafeBytes(target.write) else {
      return report(.failedProbe(ticket: ticket, Failure(.tooLarge, "the text is too long")))
    }
    report(.transcoded(ticket: ticket, size: text.count))
  }
}

/// A text in a charset that nothing names; its lines may end as on any system.
struct LegacyText {
  private let bytes: [UInt8]

  /// The number of bytes that is enough to guess a charset from.
  private static let mostGuessedFrom = 64 * 1024

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The lines in UTF-8. A line that is UTF-8 stays as it is; the charset of all others is guessed from them together.
  var utf8: [UInt8] {
    let lines = bytes.split(omittingEmptySubsequences: false, whereSeparator: Self.isLineEnd)
    let charset = Charset(guessedFrom: Self.samples(of: lines))
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 2)
    for line in lines {
      if Self.isUTF8(line) {
        result += line
      } else {
        // No more lines than there were.
        result += charset.decode(Array(line)).utf8.map { Self.isLineEnd($0) ? UInt8(ascii: " ") : $0 }
      }
      if line.endIndex < bytes.endIndex { result.append(bytes[line.endIndex]) }
    }
    return result
  }

  /// Returns of each line that is not UTF-8 the part without keywords: from the first byte beyond ASCII to a quotation
  /// mark or the end. A keyword would make a text in another script look like a Western one with accents.
  private static func samples(of lines: [ArraySlice<UInt8>]) -> [[UInt8]] {
    var samples: [[UInt8]] = []
    var size = 0
    for line in lines where size < mostGuessedFrom && !isUTF8(line) {
      guard let first = line.firstIndex(where: { $0 >= 0x80 }) else { continue }
      let rest = line[first...]
      let sample = Array(rest[..<(rest.lastIndex(of: UInt8(ascii: "\"")) ?? rest.endIndex)])
      samples.append(sample)
      size += sample.count
    }
    return samples
  }

  private static func isUTF8(_ line: ArraySlice<UInt8>) -> Bool { String(validating: line, as: UTF8.self) != nil }

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
