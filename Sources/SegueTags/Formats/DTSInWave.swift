// Thread: the decoding thread.
internal import SegueFFmpeg

/// A recognizer of WAV files whose samples are a bit stream of DTS, as rips of DTS CDs are. As samples, it would be
/// loud noise.
///
/// libavformat recognizes DTS only after the first packets, when the decoder has been chosen, and not behind the
/// silence with which a disc begins.
enum DTSInWave {
  /// The first words of a frame (ETSI TS 102 114, 5.3) of 16 or 14 bits a word, in either byte order.
  private static let syncWords: [[UInt8]] = [
    [0xFE, 0x7F, 0x01, 0x80], [0xFF, 0x1F, 0x00, 0xE8], [0x7F, 0xFE, 0x80, 0x01], [0x1F, 0xFF, 0xE8, 0x00],
  ]
  /// The number of bytes in which frames are looked for. A frame has 16 KiB at most.
  private static let searchSize = 64 * 1024
  /// The maximum number of zeros before the first frame: one and a half seconds.
  private static let maximumSilence = 256 * 1024

  static func isIn(_ file: FileInput) -> Bool {
    guard file.bigEndian(at: 8, bytes: 4) == 0x5741_5645, let chunk = AudioChunk(file) else { return false }
    return beginsWithFrames(file.bytes(at: begin(of: chunk.samples, in: file), count: searchSize))
  }

  /// Returns the position of the first sample that is not silent, or of the last one that is looked at.
  private static func begin(of samples: Range<Int64>, in file: FileInput) -> Int64 {
    var position = samples.lowerBound
    let end = position + Int64(maximumSilence)
    while position < end {
      let bytes = file.bytes(at: position, count: 4096)
      if let index = bytes.firstIndex(where: { $0 != 0 }) { return position + Int64(index & ~1) }
      if bytes.count < 4096 { break }
      position += 4096
    }
    return position
  }

  /// Whether three frames follow each other at the same distance, which no other audio imitates.
  private static func beginsWithFrames(_ bytes: [UInt8]) -> Bool {
    for word in syncWords {
      let positions = positions(of: word, in: bytes)
      for (index, position) in positions.enumerated().dropFirst() where index + 1 < positions.count {
        if position - positions[index - 1] == positions[index + 1] - position { return true }
      }
    }
    return false
  }

  /// Returns the even positions of `word`. A plain loop over the bytes, because this reads the beginning of every WAV
  /// file, also in the debug builds of the tests, where every generic call is a function.
  private static func positions(of word: [UInt8], in bytes: [UInt8]) -> [Int] {
    let first = word[0]
    var positions: [Int] = []
    bytes.withUnsafeBufferPointer { bytes in
      var position = 0
      while position + 4 <= bytes.count {
        if bytes[position] == first, bytes[position..<position + 4].elementsEqual(word) { positions.append(position) }
        position += 2
      }
    }
    return positions
  }
}
