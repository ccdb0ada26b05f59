package import SegueFFmpeg
package import SegueSystem

/// An index of the frames of an MPEG audio layer 3 file, which is built by following the headers. That takes a few
/// milliseconds for an hour of music, whereas libavformat would parse every byte up to the target of a seek.
package struct MPEGFrameIndex {
  /// The number of frames that were found, from the start position on.
  package private(set) var count = 0
  /// The number of samples per channel in each frame.
  package let samples: Int
  /// Whether the index reaches the end of the file, or the tags there, so that `count` is the number of all frames.
  private(set) var isComplete = false
  /// Whether another file of a different rate, or with tags before it, was appended to the first one. The index ends
  /// there.
  package private(set) var isJoined = false
  /// The offsets of every `stride`th frame.
  private(set) var offsets: [Int64] = []

  static let stride = 8

  private static let windowSize = 256 * 1024
  private static let remoteWindowSize = 16 * 1024

  /// Creates an index of `file` from the frame at `start` to the end of the file, of `limit` bytes of it, or up to
  /// the sample `lastSample`. If there is no frame at `start`, returns nil.
  package init?(_ file: SourceFile, from start: Int64, limit: Int64 = .max, upTo lastSample: Int64 = .max) {
    guard let size = file.size, let first = Self.header(in: file, at: start) else { return nil }
    let stop = min(size, start.addingReportingOverflow(limit).overflow ? size : start + limit)
    samples = first.samples
    let windowSize = Int(min(limit, Int64(file.isRemote ? Self.remoteWindowSize : Self.windowSize)))
    let window = UnsafeMutableRawBufferPointer.allocate(byteCount: max(4, windowSize), alignment: 16)
    defer { window.deallocate() }
    var position = start
    var base = start
    var filled = 0
    while position + 4 <= stop, Int64(count * samples) <= lastSample {
      if position + 4 > base + Int64(filled) {
        base = position
        filled = file.peek(at: base, into: window)
        guard filled >= 4 else { return }
      }
      let word = UInt32(bigEndian: window.loadUnaligned(fromByteOffset: Int(position - base), as: UInt32.self))
      guard let header = MPEGFrameHeader(word), header.kind == first.kind else {
        isJoined = Self.isContinued(file, at: position)
        isComplete = !isJoined && Self.isTag(word)
        return
      }
      // It is unknown what a truncated last frame decodes to.
      guard position + Int64(header.size) <= size else { return }
      if count % Self.stride == 0 { offsets.append(position) }
      count += 1
      position += Int64(header.size)
    }
    isComplete = stop == size && position + 4 > stop
  }

  /// Estimates the number of frames in `file` from those in the index.
  func estimatedCount(_ file: SourceFile) -> Int64? {
    guard let size = file.size, let first = offsets.first, let last = offsets.last, count > 0 else { return nil }
    let frames = (offsets.count - 1) * Self.stride
    let perFrame = frames > 0 ? Double(last - first) / Double(frames) : Double(size - first) / Double(count)
    return Int64(Double(size - first) / max(1, perFrame))
  }

  /// Adds the offsets to the index of libavformat. Frame 0 has `timestamp`.
  package func add(to demuxer: Demuxer, firstTimestamp timestamp: Int64, rate: SampleRate) {
    let step = Int64(samples * Self.stride)
    for (index, offset) in offsets.enumerated() {
      let time = TimeBase(rate).convert(Int64(index) * step, to: demuxer.timeBase)
      demuxer.addIndexEntry(offset: offset, timestamp: timestamp + time)
    }
  }

  /// Returns whether libavformat finds every frame of `file` without an index, because a tag states a constant bit rate and
  /// the size of the file confirms it.
  package static func isUnnecessary(_ file: SourceFile) -> Bool {
    guard let (tag, header, offset) = GaplessTag.Xing.read(file) else { return false }
    return tag.isConstantRate && tag.isConfirmed(file, header, at: offset)
  }

  static func header(in file: SourceFile, at position: Int64) -> MPEGFrameHeader? {
    var bytes = [UInt8](repeating: 0, count: 4)
    guard bytes.withUnsafeMutableBytes({ file.peek(at: position, into: $0) }) == 4 else { return nil }
    return MPEGFrameHeader(bytes.reduce(0) { $0 << 8 | UInt32($1) })
  }

  /// Returns whether two consecutive frames follow at `position` or after the tags there.
  private static func isContinued(_ file: SourceFile, at position: Int64) -> Bool {
    var position = position
    for _ in 0..<FileFormat.maximumLeadingTags {
      if let tag = ID3v2Tag.Header(file, at: position) {
        position = tag.end
      } else if file.bigEndian(at: position, bytes: 3) == 0x54_4147 {
        position += 128
      } else {
        break
      }
    }
    guard let first = header(in: file, at: position) else { return false }
    return header(in: file, at: position + Int64(first.size))?.kind == first.kind
  }

  /// "TAG", "APETAGEX", "LYRICSBEGIN", "3DI" or zeros may follow the last frame.
  private static func isTag(_ word: UInt32) -> Bool {
    word >> 8 == 0x54_4147 || word == 0x4150_4554 || word == 0x4C59_5249 || word >> 8 == 0x33_4449 || word == 0
  }
}

extension GaplessTag.Xing {
  /// Reads the tag in the first frame of an MPEG file, after the leading ID3v2 tags. `offset` is the position of that
  /// frame.
  static func read(_ file: SourceFile) -> (tag: GaplessTag.Xing, header: MPEGFrameHeader, offset: Int64)? {
    var position: Int64 = 0
    var bytes = [UInt8](repeating: 0, count: 512)
    for _ in 0..<4 {
      let count = bytes.withUnsafeMutableBytes { file.peek(at: position, into: $0) }
      guard count >= 10 else { return nil }
      guard bytes[..<3].elementsEqual("ID3".utf8) else {
        guard let header = MPEGFrameHeader(bytes[..<4].reduce(0) { $0 << 8 | UInt32($1) }),
          let tag = GaplessTag.Xing(Array(bytes[..<count]), header: header)
        else { return nil }
        return (tag, header, position)
      }
      // ID3v2: the size has four times seven bits; a footer repeats the header.
      let size = bytes[6..<10].reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
      position += 10 + size + (bytes[5] & 0x10 != 0 ? 10 : 0)
    }
    return nil
  }
}
