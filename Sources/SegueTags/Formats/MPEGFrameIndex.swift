package import SegueFFmpeg
package import SegueSystem

/// An index of the frames of an MPEG audio file, which is built by following the headers. That takes a few milliseconds
/// for an hour of music, whereas libavformat would parse every byte up to the target of a seek.
package struct MPEGFrameIndex {
  /// The number of frames from the start position on, up to the first bytes that are not frames of the same stream.
  package private(set) var count = 0
  /// The number of samples per channel in each frame.
  package let samples: Int
  /// The number of samples per channel of the frames after bytes that are no frames, at the rate of the first frame.
  private(set) var laterSamples: Int64 = 0
  /// Whether the index reaches the end of the file, or the tags there.
  private(set) var reachesEnd = false
  /// Whether the file has nothing but whole frames of one stream, and tags after them.
  private(set) var isComplete = false
  /// Whether another file of a different rate, or with tags before it, was appended to the first one.
  package private(set) var isJoined = false
  /// The offsets of every `stride`th frame.
  private(set) var offsets: [Int64] = []

  static let stride = 8

  /// The first bytes of a Lyrics3 tag, "LYRICSBEGIN". Only the bytes after it state its size.
  private static let beginningOfLyrics: UInt32 = 0x4C59_5249

  private static let windowSize = 256 * 1024
  private static let remoteWindowSize = 16 * 1024
  /// The maximum number of bytes among which frames are looked for.
  private static let maximumSearch: Int64 = 4 << 20

  /// Creates an index of `file` from the frame at `start` to the end of the file or of its audio, of `limit` bytes of
  /// it, up to the sample `lastSample`, or of as much as can be read until `deadline`. If there is no frame at `start`,
  /// returns nil.
  package init?(
    _ file: FileInput, from start: Int64, to end: Int64 = .max, limit: Int64 = .max, upTo lastSample: Int64 = .max,
    until deadline: MonotonicTime? = nil
  ) {
    guard let size = file.size.map({ min($0, end) }), let first = Self.header(in: file, at: start) else { return nil }
    let stop = min(size, start.addingReportingOverflow(limit).overflow ? size : start + limit)
    // Whether frames are counted up to the end of the file or of its audio.
    let isWhole = stop == size
    samples = first.samples
    let windowSize = Int(min(limit, Int64(file.isRemote ? Self.remoteWindowSize : Self.windowSize)))
    let window = ByteWindow(file, size: max(16, windowSize), until: deadline)
    var position = start
    // The frames of the current stream, and those of other streams before.
    var (current, isFirst) = (first, true)
    var searched: Int64 = 0
    // The beginning of the tags at the end of the file, which is determined when it is needed.
    var knownEnd: Int64?
    var looksLikeFrames = false
    while position + 4 <= stop, Int64(count * samples) <= lastSample {
      guard let word = window.word(at: position) else { return }
      if let header = MPEGFrameHeader(word), header.kind == current.kind {
        // It is unknown what a truncated last frame decodes to.
        guard position + Int64(header.size) <= size else {
          reachesEnd = true
          return
        }
        add(header, at: position, ofFirstPart: isFirst, first)
        position += Int64(header.size)
        continue
      }
      // The tags at the end may contain bytes that look like frames.
      let audioEnd = knownEnd ?? min(size, TrailingTags.audioEnd(file) ?? size)
      knownEnd = audioEnd
      if position >= audioEnd {
        reachesEnd = true
        isComplete = isFirst && position == audioEnd
        return
      }
      // If files were joined, the tags at the end of one and those at the beginning of the next follow.
      let reach = !isWhole ? position : file.isRemote ? min(audioEnd, position + Self.maximumSearch) : audioEnd
      let tags = Self.endOfTags(file, at: position, to: audioEnd) { window.endOfZeros(from: $0, to: reach) }
      let (next, passesTag) = (
        tags ?? window.endOfZeros(from: position, to: reach), tags != nil || word == Self.beginningOfLyrics
      )
      if let header = Self.firstOfTwoFrames(in: file, at: next) {
        isJoined = isJoined || passesTag || header.kind != current.kind
        (position, current, isFirst) = (next, header, false)
        continue
      }
      guard isWhole else { return }
      // Other bytes follow. libavformat skips them, and continues with the next frames.
      let from = max(position + 1, next)
      let limit = min(audioEnd, from + Self.maximumSearch - searched)
      guard let found = window.firstFrames(from: from, to: limit, &looksLikeFrames) else {
        reachesEnd = limit == audioEnd && !window.hasRunOut
        isComplete = reachesEnd && isFirst && !looksLikeFrames
        return
      }
      searched += found.position - from
      isJoined = isJoined || passesTag || found.header.kind != current.kind
      (position, current, isFirst) = (found.position, found.header, false)
    }
    reachesEnd = isWhole && position + 4 > stop
    isComplete = reachesEnd && isFirst
  }

  private mutating func add(
    _ header: MPEGFrameHeader, at position: Int64, ofFirstPart isFirst: Bool, _ first: MPEGFrameHeader
  ) {
    guard isFirst else {
      laterSamples += Int64(header.samples) * Int64(first.rate) / Int64(header.rate)
      return
    }
    if count % Self.stride == 0 { offsets.append(position) }
    count += 1
  }

  /// Returns the number of samples per channel in `file`, which is estimated if the index ends before the file does.
  func totalSamples(_ file: FileInput) -> Int64? {
    let indexed = Int64(count * samples) + laterSamples
    if reachesEnd { return indexed }
    guard let size = file.size, let first = offsets.first, let last = offsets.last, count > 0 else { return nil }
    guard laterSamples == 0 else { return indexed }
    let frames = (offsets.count - 1) * Self.stride
    let perFrame = frames > 0 ? Double(last - first) / Double(frames) : Double(size - first) / Double(count)
    return Int64(Double(size - first) / max(1, perFrame)) * Int64(samples)
  }

  /// Adds the offsets to the index of libavformat. Frame 0 has `timestamp`.
  package func add(to demuxer: Demuxer, firstTimestamp timestamp: Int64, rate: SampleRate) {
    let step = Int64(samples * Self.stride)
    for (index, offset) in offsets.enumerated() {
      let time = TimeBase(rate).convert(Int64(index) * step, to: demuxer.timeBase)
      demuxer.addIndexEntry(offset: offset, timestamp: timestamp + time)
    }
  }

  /// Returns whether libavformat finds every frame of `file` without an index, because a tag states a constant bit rate
  /// and the size of the file confirms it.
  package static func isUnnecessary(_ file: FileInput) -> Bool {
    guard let (tag, header, offset) = GaplessTag.Xing.read(file) else { return false }
    return tag.isConstantRate && tag.isConfirmed(file, header, at: offset)
  }

  static func header(in file: FileInput, at position: Int64) -> MPEGFrameHeader? {
    var bytes = [UInt8](repeating: 0, count: 4)
    guard bytes.withUnsafeMutableBytes({ file.peek(at: position, into: $0) }) == 4 else { return nil }
    return MPEGFrameHeader(bytes.reduce(0) { $0 << 8 | UInt32($1) })
  }

  /// Returns the frame at `position` if another one of the same stream follows it.
  private static func firstOfTwoFrames(in file: FileInput, at position: Int64) -> MPEGFrameHeader? {
    guard let first = header(in: file, at: position),
      header(in: file, at: position + Int64(first.size))?.kind == first.kind
    else { return nil }
    return first
  }

  /// Returns the position behind the tags that begin at `position`, where the frames of one file end and those of
  /// another one may follow; nil if no tag begins there.
  package static func endOfTags(_ file: FileInput, at position: Int64) -> Int64? {
    guard let size = file.size else { return nil }
    let window = ByteWindow(file, size: 4096, until: nil)
    return endOfTags(file, at: position, to: size) {
      window.endOfZeros(from: $0, to: min(size, $0 + Self.maximumSearch))
    }
  }

  /// - Parameter endOfZeros: Returns the position behind the zeros at a position, which may lie between tags.
  private static func endOfTags(
    _ file: FileInput, at position: Int64, to end: Int64, endOfZeros: (Int64) -> Int64
  ) -> Int64? {
    var (next, passesTag) = (position, false)
    for _ in 0..<FileFormat.maximumLeadingTags {
      let tagEnd = Self.endOfTag(file, at: next).flatMap { $0 <= end ? $0 : nil } ?? next
      passesTag = passesTag || tagEnd > next
      next = max(tagEnd, endOfZeros(tagEnd))
    }
    return passesTag ? next : nil
  }

  /// Returns the end of the tag that begins at `position`; nil if none does.
  private static func endOfTag(_ file: FileInput, at position: Int64) -> Int64? {
    if let tag = ID3v2Tag.Header(file, at: position) { return tag.end }
    if file.bigEndian(at: position, bytes: 3) == 0x54_4147 { return position + 128 }
    return APETag.end(file, at: position)
  }
}

extension GaplessTag.Xing {
  /// The maximum number of bytes before the first frame among which it is looked for, as libavformat does.
  private static let maximumJunk = 64 * 1024

  /// Reads the tag in the first frame of an MPEG file, after the leading ID3v2 tags and bytes that are no frames.
  /// `offset` is the position of that frame.
  static func read(_ file: FileInput) -> (tag: GaplessTag.Xing, header: MPEGFrameHeader, offset: Int64)? {
    var position: Int64 = 0
    for _ in 0..<FileFormat.maximumLeadingTags {
      guard let tag = ID3v2Tag.Header(file, at: position) else { break }
      position = tag.end
    }
    guard MPEGFrameIndex.header(in: file, at: position) == nil else {
      return read(file, at: position).map { ($0.tag, $0.header, position) }
    }
    return behindJunk(file, from: position)
  }

  /// Returns the first frame after `position` that has a tag, if there are no frames at `position`.
  static func behindJunk(
    _ file: FileInput, from position: Int64
  ) -> (tag: GaplessTag.Xing, header: MPEGFrameHeader, offset: Int64)? {
    let junk = file.bytes(at: position, count: maximumJunk)
    for index in junk.indices.dropLast(3) where junk[index] == 0xFF && junk[index + 1] & 0xE0 == 0xE0 {
      let offset = position + Int64(index)
      // Four bytes may look like a header by chance.
      guard MPEGFrameHeader(junk[index...index + 3].reduce(0) { $0 << 8 | UInt32($1) })?.layer == 3,
        let found = read(file, at: offset),
        MPEGFrameIndex.header(in: file, at: offset + Int64(found.header.size))?.kind == found.header.kind
      else { continue }
      return (found.tag, found.header, offset)
    }
    return nil
  }

  /// Reads the tag in the frame at `position`; nil if there is no frame, or no tag in it.
  private static func read(
    _ file: FileInput, at position: Int64
  ) -> (tag: GaplessTag.Xing, header: MPEGFrameHeader)? {
    guard let header = MPEGFrameIndex.header(in: file, at: position), header.layer == 3,
      let tag = GaplessTag.Xing(Array(file.bytes(at: position, count: 512)), header: header)
    else { return nil }
    return (tag, header)
  }
}

/// The part of a file that was read last, in which MPEG frames are looked for.
private final class ByteWindow {
  /// Whether nothing more was read because the deadline had passed.
  private(set) var hasRunOut = false

  private let file: FileInput
  private let deadline: MonotonicTime?
  private let memory: UnsafeMutableRawBufferPointer
  private var base: Int64 = 0
  private var count = 0
  /// The number of bytes that were read so far.
  private var readSize: Int64 = 0

  init(_ file: FileInput, size: Int, until deadline: MonotonicTime?) {
    self.file = file
    self.deadline = deadline
    memory = .allocate(byteCount: size, alignment: 16)
  }

  deinit { memory.deallocate() }

  /// Returns the four bytes at `position` as a big-endian number; nil beyond the end of the file, and after the
  /// deadline.
  func word(at position: Int64) -> UInt32? {
    if position < base || position + 4 > base + Int64(count) { fill(position) }
    guard position + 4 <= base + Int64(count) else { return nil }
    return UInt32(bigEndian: memory.loadUnaligned(fromByteOffset: Int(position - base), as: UInt32.self))
  }

  private func fill(_ position: Int64) {
    base = position
    hasRunOut = deadline.map { readSize > Examination.smallSize && MonotonicTime.now >= $0 } ?? false
    count = hasRunOut ? 0 : max(0, file.peek(at: base, into: memory))
    readSize += Int64(count)
  }

  /// Returns the position of the first byte from `position` on that is not zero; `end` if there is none before it.
  func endOfZeros(from position: Int64, to end: Int64) -> Int64 {
    var position = position
    while position < end {
      if position < base || position >= base + Int64(count) { fill(position) }
      let part = UnsafeRawBufferPointer(rebasing: memory[..<count].dropFirst(Int(position - base)))
      guard !part.isEmpty else { break }
      if let index = part.firstNonzero { return min(end, position + Int64(index)) }
      position = base + Int64(count)
    }
    return min(position, end)
  }

  /// Returns the first of three consecutive frames of a stream from `position` on and before `end`; nil if there are
  /// none. Sets `looksLikeFrames` if there are bytes that libavformat may take for frames.
  func firstFrames(
    from position: Int64, to end: Int64, _ looksLikeFrames: inout Bool
  ) -> (position: Int64, header: MPEGFrameHeader)? {
    var position = position
    while position + 4 <= end, let word = word(at: position) {
      if word >> 21 == 0x7FF, let header = MPEGFrameHeader(word) {
        looksLikeFrames = true
        let second = position + Int64(header.size)
        if let next = MPEGFrameIndex.header(in: file, at: second), next.kind == header.kind {
          let third = MPEGFrameIndex.header(in: file, at: second + Int64(next.size))
          if third?.kind == header.kind || second + Int64(next.size) >= end { return (position, header) }
        }
      }
      position += 1
    }
    return nil
  }
}
