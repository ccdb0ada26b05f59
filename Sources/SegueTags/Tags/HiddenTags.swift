// Thread: the decoding thread.
internal import SegueFFmpeg

/// The tags of a file that are hidden from libavformat. libavformat would spend time on each of their parts, however
/// many there are. Segue reads them without libavformat. In addition, bytes before the first frame of an MPEG file that
/// are no frames, which keep libavformat from finding the tag in that frame.
struct HiddenTags {
  /// The bytes that libavformat reads in place of those in the file.
  private(set) var replacements: [FileInput.Replacement] = []

  init(_ file: FileInput) {
    guard let format = FileFormat(file) else {
      // Of a file on a server, only as much is read as necessary.
      if !file.isRemote { hideJunk(file, from: 0, after: nil) }
      return
    }
    var position: Int64 = 0
    var last: (header: ID3v2Tag.Header, position: Int64)?
    while position < format.audioStart, let header = ID3v2Tag.Header(file, at: position) {
      hide(header, at: position)
      last = (header, position)
      position = header.end
    }
    switch format.kind {
    case .flac: hideComments(file, from: format.audioStart)
    case .mp4: hideAtoms(file)
    case .dsf: hideTag(file, at: format.tagStart)
    case .wave, .aiff, .dsdiff:
      guard let chunks = ChunkedFile(file, format) else { return }
      for tag in chunks.id3v2Chunks { hideTag(file, at: tag.offset) }
    case .mpeg: hideJunk(file, from: format.audioStart, after: last)
    case .vorbis, .opus, .speex, .oggFLAC, .asf, .monkeysAudio, .musepack, .wavPack, .trueAudio: break
    }
  }

  private mutating func replace(at position: Int64, with bytes: [UInt8]) {
    replacements.append(FileInput.Replacement(position: position, bytes: bytes))
  }

  // MARK: ID3v2

  private mutating func hideTag(_ file: FileInput, at position: Int64) {
    if let header = ID3v2Tag.Header(file, at: position) { hide(header, at: position) }
  }

  /// Returns a frame that libavformat takes for padding: its name begins with a zero, and its size is not zero.
  private static func padding(_ version: UInt8) -> [UInt8] {
    version == 2 ? [0, 0, 0, 0, 0, 1] : [0, 0, 0, 0, 0, 0, 0, 1, 0, 0]
  }

  /// Replaces the first frame by padding.
  private mutating func hide(_ header: ID3v2Tag.Header, at position: Int64) {
    let padding = Self.padding(header.version)
    let body = position + ID3v2Tag.Header.size
    guard header.end - body > Int64(padding.count) else { return }
    // Clears the flags for an extended header and for unsynchronisation. The flag for a footer is kept because it
    // determines the end of the tag.
    replace(at: position + 5, with: [header.flags & 0x10])
    replace(at: body, with: padding)
  }

  // MARK: Bytes before the first MPEG frame

  /// Makes the bytes from `start` up to the first frame a part of `last`, the tag that ends there or, if there is none,
  /// a tag of their own.
  private mutating func hideJunk(
    _ file: FileInput, from start: Int64, after last: (header: ID3v2Tag.Header, position: Int64)?
  ) {
    guard MPEGFrameIndex.header(in: file, at: start) == nil,
      let frame = GaplessTag.Xing.behindJunk(file, from: start)?.offset
    else { return }
    let (position, version) = last.map { ($0.position, $0.header.version) } ?? (start, 4)
    let body = position + ID3v2Tag.Header.size
    guard body <= frame, let size = UInt32(exactly: frame - body), size < 1 << 28 else { return }
    if last == nil { replace(at: position, with: Array("ID3".utf8) + [version, 0]) }
    replace(at: position + 5, with: [0] + [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) })
    let padding = Self.padding(version)
    if size >= UInt32(padding.count) { replace(at: body, with: padding) }
  }

  // MARK: FLAC (RFC 9639, 8)

  /// Replaces all comment blocks except the first by padding. If the first one is too large, it is replaced, too.
  /// libavformat rejects a file with a second STREAMINFO, which is also replaced.
  private mutating func hideComments(_ file: FileInput, from start: Int64) {
    var position = start + 4
    var isFirst = true
    for _ in 0..<CommentHeader.maximumBlocks {
      guard let head = file.bigEndian(at: position, bytes: 4) else { return }
      let length = head & 0xFF_FFFF
      if head >> 24 & 0x7F == 0, position > start + 4 {
        replace(at: position, with: [UInt8(head >> 24 & 0x80) | 1])
      } else if head >> 24 & 0x7F == 4 {
        if !isFirst || length > Int64(CommentHeader.maximumSize) {
          replace(at: position, with: [UInt8(head >> 24 & 0x80) | 1])
        }
        isFirst = false
      }
      if head >> 31 == 1 { return }
      position += 4 + length
    }
  }

  // MARK: MP4

  private static let maximumAtoms = 4096

  /// Merges all atoms after the first `maximumAtoms` in the list of tags into one free atom.
  private mutating func hideAtoms(_ file: FileInput) {
    guard let size = file.size, let movie = Box.find("moov", in: file, 0..<size) else { return }
    for data in Box.all("udta", in: file, movie) {
      // The version and the flags of `meta` precede its boxes, except in QuickTime files.
      guard let meta = Box.find("meta", in: file, data), meta.count > 4,
        let list = Box.find("ilst", in: file, meta.lowerBound + 4..<meta.upperBound)
          ?? Box.find("ilst", in: file, meta)
      else { continue }
      var position = list.lowerBound
      for _ in 0..<Self.maximumAtoms {
        guard position + 8 <= list.upperBound, let length = file.bigEndian(at: position, bytes: 4), length >= 8 else {
          break
        }
        position += length
      }
      let rest = list.upperBound - position
      guard rest >= 8, let length = UInt32(exactly: rest), file.bigEndian(at: position, bytes: 4) ?? 0 >= 8 else {
        continue
      }
      replace(at: position, with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + Array("free".utf8))
    }
  }
}
