// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueTags

/// The positions that libavformat needs to seek in an MPEG or FLAC file. They are determined when a seek needs them,
/// and kept for the next one.
struct SeekIndex {
  private let demuxer: Demuxer
  private let codec: Codec
  /// The rate at the start of the file.
  private let rate: SampleRate
  /// The timestamp of the first decoded frame.
  private let firstTimestamp: Int64
  /// The offset of the first packet in the file, in bytes; negative if the container does not state it.
  private let firstPacketOffset: Int64
  private let length: MediaTime?
  /// The frames of an MPEG file up to the sample `end`.
  private var frames: (index: MPEGFrameIndex, end: Int64)?
  /// Whether the frames of a FLAC file are numbered throughout; nil if they were not examined.
  private var hasNumberedFrames: Bool?
  /// Whether libavformat seeks approximately from now on.
  private(set) var isApproximate = false

  /// The number of bytes of a file on a server that are read to find a position exactly.
  private static let maximumExactSize = 4.0 * 1024 * 1024

  init(
    _ demuxer: Demuxer, _ codec: Codec, _ rate: SampleRate, firstTimestamp: Int64, firstPacketOffset: Int64,
    length: MediaTime?
  ) {
    self.demuxer = demuxer
    self.codec = codec
    self.rate = rate
    self.firstTimestamp = firstTimestamp
    self.firstPacketOffset = firstPacketOffset
    self.length = length
  }

  /// Prepares a seek to the frame `target`, after which the frame `first` is wanted. Returns the frame to which
  /// libavformat is to seek, which is `target` or an earlier one. Returns nil if timestamps do not state the position:
  /// if they count frames and the rate changes, or if they restart.
  mutating func prepare(to target: Int64, for first: Int64) -> Int64? {
    guard let file = demuxer.file, firstPacketOffset >= 0 else { return target }
    switch demuxer.formatName {
    case "flac": return prepareFLAC(file, to: target)
    case "aac":
      let seconds = rate.time(of: Frames(target)).seconds
      return ADTSHeaders.haveConstantRate(file, from: firstPacketOffset, lasting: seconds) ? target : nil
    case "mp3" where codec.isMPEG: return prepareMPEG(file, to: target, for: first)
    default: return target
    }
  }

  private mutating func prepareFLAC(_ file: FileInput, to target: Int64) -> Int64? {
    guard let header = FLACStreamInfo(file, at: FileFormat(file)?.audioStart ?? 0) else { return target }
    // Of a file on a server, only as much is read as necessary.
    if !file.isRemote, !isNumbered(file, header) { return nil }
    if let frame = FLACFrameSearch(file, header, from: firstPacketOffset, for: target) {
      frame.add(to: demuxer, firstTimestamp: firstTimestamp, rate: rate)
      return frame.sample
    }
    return isNumbered(file, header) ? target : nil
  }

  private mutating func isNumbered(_ file: FileInput, _ header: FLACStreamInfo) -> Bool {
    let known = hasNumberedFrames ?? FLACNumbering.isReliable(file, header, from: firstPacketOffset)
    hasNumberedFrames = known
    return known
  }

  private mutating func prepareMPEG(_ file: FileInput, to target: Int64, for first: Int64) -> Int64? {
    if file.isRemote, MPEGFrameIndex.isUnnecessary(file) { return target }
    if file.isRemote, let length, isFar(target, of: length, in: file) {
      seekApproximately(to: target, of: length, in: file)
      return target
    }
    // Of a file on a server, only as much is read as necessary.
    let end = file.isRemote ? target + codec.preroll(at: rate) + Int64(rate.hertz) : .max
    guard let index = frames(of: file, upTo: end) else { return target }
    return !index.isJoined || Int64(index.count * index.samples) > first ? target : nil
  }

  /// Returns the index of the frames of `file` at least up to the sample `end`, which libavformat has, too.
  private mutating func frames(of file: FileInput, upTo end: Int64) -> MPEGFrameIndex? {
    if let frames, frames.end >= end { return frames.index }
    guard let index = MPEGFrameIndex(file, from: firstPacketOffset, upTo: end) else { return nil }
    index.add(to: demuxer, firstTimestamp: firstTimestamp, rate: rate)
    frames = (index, end)
    return index
  }

  /// Returns whether finding the frame `target` exactly would take reading too much of a file on a server.
  private func isFar(_ target: Int64, of length: MediaTime, in file: FileInput) -> Bool {
    guard let size = file.size, length > .zero else { return false }
    return Double(size) * rate.time(of: Frames(target)).seconds / length.seconds > Self.maximumExactSize
  }

  /// Lets libavformat find the frame `target` by the table of contents, or by the bit rate.
  private mutating func seekApproximately(to target: Int64, of length: MediaTime, in file: FileInput) {
    demuxer.allowApproximateSeeks()
    isApproximate = true
    // The seek begins a little before the target.
    let wanted = max(0, target - Int64(rate.hertz))
    let total = rate.frames(in: length).count
    guard let frame = MPEGFrameEstimate(file, from: firstPacketOffset, near: wanted, of: total) else { return }
    frame.add(to: demuxer, firstTimestamp: firstTimestamp, rate: rate)
  }
}
