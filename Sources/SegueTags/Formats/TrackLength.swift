package import SegueFFmpeg
package import SegueSystem
package import SegueWire

/// The length of the audio of a source, and how certain it is, before more than the first frame is decoded.
package struct TrackLength {
  /// The number of frames; nil if it is not certain. Everything that is decoded after them is padding.
  package private(set) var limit: Frames?
  /// The stated or estimated length.
  package private(set) var length: MediaTime?
  package private(set) var kind = DurationKind.estimated
  /// The length that the headers state, if a part of the file is missing; otherwise nil.
  package private(set) var promised: MediaTime?
  /// The delay in frames that only a tag states, and that libavformat does not mark.
  package private(set) var tagDelay: Int64 = 0
  package private(set) var gapless = Audio.Gapless.approximate
  /// The reason why less may be decoded than is promised.
  package private(set) var shortfall = Shortfall.truncation
  /// Whether everything that is promised was there when the file was encoded.
  package private(set) var isPromiseCertain = false
  /// The reason why the audio ends early, if the last bytes of the file show that more follows; nil if they do not.
  package private(set) var earlyEnd: Shortfall?
  /// Whether the file has fewer bytes than its container states.
  package private(set) var lacksBytes = false
  /// Whether the timestamps of libavformat count the frames that are decoded. If not, a seek cannot rely on them.
  package private(set) var hasReliableTimestamps = true
  /// Whether timestamps restart within the file, which libavformat does not always notice.
  package private(set) var hasSeveralLinks = false
  /// Whether the frames that libavformat marks as padding are.
  package private(set) var hasReliablePadding = true
  /// The position in the file before which `limit` is not reached if it is correct.
  package private(set) var limitOffset: Int64 = 0

  /// Determines the length of the stream that `demuxer` has opened. `first` is the first decoded frame, `rate` is the
  /// rate of the decoded frames, and `firstPacket` is the offset of the first packet in the file.
  package init(
    _ demuxer: Demuxer, codec: Codec, rate: SampleRate, first: Frame, firstPacket: Int64, tags: FileTags,
    _ examination: Examination
  ) {
    let delay = first.skip?.front ?? 0
    // The position of the first frame in the stream. It is greater than 0 if the file is a part of a stream, or if the
    // audio before the frame cannot be decoded.
    let begin = first.pts.flatMap { pts in
      pts > 0 ? min(demuxer.timeBase.frames(pts, at: rate).count, 1 << 60) : pts == 0 ? 0 : nil
    }
    if let duration = demuxer.streamDuration, duration > 0 {
      length = rate.time(of: demuxer.timeBase.frames(duration, at: rate))
    } else if let duration = demuxer.containerDuration, duration > 0 {
      length = MediaTime(nanoseconds: duration.multipliedReportingOverflow(by: 1000).partialValue)
    }
    if codec.isSampleAccurate { gapless = .exact }
    switch demuxer.formatName {
    case "mov,mp4,m4a,3gp,3g2,mj2":
      applyMovieHeader(demuxer, codec, rate, first, begin ?? 0, tags)
    case "mp3": applyMPEGHeader(demuxer, rate, tags, delay, firstPacket, examination)
    case "ogg": applyOggPages(demuxer, codec, rate, first, begin ?? 0, examination)
    case "flac" where length == nil: applyFLACFrames(demuxer, rate)
    case "flac": confirm(demuxer, FLACLastFrame.coverage)
    case "wv":
      confirm(demuxer, WavPackBlocks.coverage)
      isPromiseCertain = promised != nil
    case "tta": confirm(demuxer, TTATable.coverage, rate)
    case "ape": confirm(demuxer, APEDescriptor.coverage, rate)
    case "mpc", "mpc8": applyMusepackHeader(demuxer, rate)
    case "dsf": applyDSFHeader(demuxer, rate)
    case "caf": applyCAFHeader(demuxer, rate, delay, Int64(first.count))
    case "wav", "aiff", "au", "w64", "rf64": applyUncompressedSize(demuxer, codec, rate, firstPacket, examination)
    case "matroska,webm":
      if codec == .opus, delay > 0 { gapless = .exact }
      reduce(demuxer.file.flatMap(ContainerSize.matroskaShare), demuxer)
    case "asf": applyASFHeader(demuxer)
    default: break
    }
    if kind == .exact, let begin, begin > 0, ["flac", "wv", "tta", "ape"].contains(demuxer.formatName) {
      // The audio before this frame is damaged.
      shift(by: begin, rate)
      kind = .estimated
    }
    if let begin, begin > 0, ["matroska,webm", "asf"].contains(demuxer.formatName) {
      // The stated length may be the time at the end, which is not that of the audio if the first frame is not at zero.
      promised = promised.map { max(.zero, $0 - rate.time(of: Frames(begin))) }
    }
    if demuxer.isLive {
      length = nil
      kind = .unbounded
    }
    // A length of zero or of years, or a delay of seconds, is an error in the header, and is ignored.
    let longest = rate.frames(in: .maximum)
    if let stated = limit, !(Frames(Int64(1))..<longest).contains(stated) { limit = nil }
    if !(0..<Self.maximumDelay * Int64(rate.hertz)).contains(tagDelay) { tagDelay = 0 }
    if let stated = length, !(MediaTime(nanoseconds: 1)..<MediaTime.maximum).contains(stated) {
      length = nil
      kind = .estimated
    }
    if let stated = promised, stated >= MediaTime.maximum { promised = nil }
  }

  /// The maximum delay in seconds, which is greater than that of any encoder.
  package static let maximumDelay: Int64 = 4

  /// - Parameter begin: The position of the first frame, which is greater than 0 in a segment of a longer stream.
  private mutating func applyMovieHeader(
    _ demuxer: Demuxer, _ codec: Codec, _ rate: SampleRate, _ first: Frame, _ begin: Int64, _ tags: FileTags
  ) {
    let delay = first.skip?.front ?? 0
    let before = TimeBase(rate).convert(begin, to: demuxer.timeBase)
    let header = demuxer.file.flatMap {
      MovieHeader($0, track: demuxer.streamID, fallback: demuxer.streamDuration.map { $0.subtractingSaturated(before) })
    }
    if let header {
      hasReliableTimestamps = header.countsFrames(
        inPacketsOf: codec.hasConstantPackets ? Int64(first.count) : nil, rate)
    }
    if let tag = tags.iTunSMPB, let count = tag.count, header?.allows(tag) ?? true {
      limit = Frames(count)
      tagDelay = delay == 0 ? tag.delay : 0
      gapless = .exact
    } else if let header, let scale = Int32(exactly: header.timescale) {
      let count = TimeBase(ticksPerSecond: scale).frames(header.length, at: rate)
      // If there is no edit list, the header includes the frames that libavformat marks as delay.
      limit = header.start == 0 ? max(.zero, count - Frames(delay)) : count
      if delay > 0 { gapless = .exact }
    } else if let duration = demuxer.streamDuration, duration > 0 {
      limit = demuxer.timeBase.frames(duration, at: rate)
      if delay > 0 { gapless = .exact }
    }
    earlyEnd = header?.earlyEnd
    guard let stated = limit else { return }
    let coverage = demuxer.file == nil ? .whole : header?.coverage ?? .unknown
    apply(rate.time(of: stated), as: hasReliableTimestamps ? coverage : .unknown)
    // A wrong length must not cut anything off.
    if !hasReliableTimestamps { limit = nil }
  }

  /// Applies the `stated` length of the header, reduced to the part that the file contains.
  private mutating func apply(_ stated: MediaTime, as coverage: Coverage) {
    (length, kind) = coverage.applied(to: stated)
    if case .share(let share) = coverage, share < 1 { promised = stated }
    // All of the end is there.
    if coverage == .whole { shortfall = .missingPart }
  }

  /// Applies the length of the header, reduced to the part of the audio that `coverage` finds in the file. The end of a
  /// network stream cannot be examined. If only the length states the size of the last frame, `rate` is that of the
  /// audio.
  private mutating func confirm(
    _ demuxer: Demuxer, _ coverage: (FileInput, Int64) -> Coverage, _ rate: SampleRate? = nil
  ) {
    guard let stated = length else { return }
    guard let file = demuxer.file else {
      kind = .exact
      return
    }
    apply(stated, as: coverage(file, FileFormat(file)?.audioStart ?? 0))
    guard let rate else { return }
    isPromiseCertain = promised != nil
    // A damaged last frame decodes to one of the usual size.
    if kind == .exact { limit = rate.frames(in: stated) }
  }

  /// Derives the length of a FLAC file, whose header does not state it, from the number of its last frame.
  private mutating func applyFLACFrames(_ demuxer: Demuxer, _ rate: SampleRate) {
    guard let file = demuxer.file, !file.isRemote,
      let count = FLACLastFrame.count(file, from: FileFormat(file)?.audioStart ?? 0)
    else { return }
    length = rate.time(of: Frames(count.samples))
    kind = count.isCertain ? .exact : .estimated
  }

  /// Reduces the length that the container states to `share`, the part that the file contains.
  private mutating func reduce(_ share: Double?, _ demuxer: Demuxer) {
    guard let share, let stated = length else { return }
    if share < 1 {
      lacksBytes = true
      apply(stated, as: Coverage.share(share))
    } else if demuxer.streamCount == 1 {
      // Beside others, the audio may be shorter than the container states.
      (promised, shortfall) = (stated, .missingPart)
    }
  }

  private mutating func applyASFHeader(_ demuxer: Demuxer) {
    guard let header = demuxer.file.flatMap(ASFHeader.init) else { return }
    if let stated = header.length { length = stated }
    reduce(header.share, demuxer)
    if lacksBytes { earlyEnd = .truncation }
  }

  /// The number of bytes of a file on a server in which MPEG frames are counted.
  private static let remoteCountingLimit: Int64 = 64 * 1024

  private mutating func applyMPEGHeader(
    _ demuxer: Demuxer, _ rate: SampleRate, _ tags: FileTags, _ delay: Int64, _ firstPacket: Int64,
    _ examination: Examination
  ) {
    kind = .estimated
    guard let file = demuxer.file else { return }
    let found = GaplessTag.Xing.read(file)
    let countingLimit = file.isRemote ? Self.remoteCountingLimit : .max
    guard let header = found?.header ?? MPEGFrameIndex.header(in: file, at: firstPacket) else { return }
    if delay == 0, let tag = tags.iTunSMPB, let count = tag.count {
      let frames = MPEGLength(file, header, at: firstPacket, tag: nil, limit: countingLimit, trims: false, examination)
      // Another file may follow.
      if frames.exceeds(tag) { return apply(frames, rate) }
      tagDelay = tag.delay + GaplessTag.layer3Delay
      limit = Frames(count)
      gapless = .exact
      apply(
        rate.time(of: Frames(count)), as: file.isRemote && frames.kind != .exact ? .unknown : frames.coverage(of: tag))
      return
    }
    let frames = MPEGLength(
      file, header, at: found?.offset ?? firstPacket, tag: found?.tag, limit: countingLimit, trims: delay > 0,
      examination)
    apply(frames, rate)
  }

  private mutating func apply(_ frames: MPEGLength, _ rate: SampleRate) {
    gapless = frames.gapless
    hasReliablePadding = frames.endsWithPadding
    guard let count = frames.count else { return }
    length = rate.time(of: Frames(count))
    kind = frames.kind
    // libavformat does not cut off all of the padding if there is little of it, and decodes what looks like frames in
    // the tags after the audio.
    if kind == .exact { limit = Frames(count) }
    promised = frames.promised.map { rate.time(of: Frames($0)) }
    (shortfall, isPromiseCertain) = (.missingPart, promised != nil)
  }

  private mutating func applyOggPages(
    _ demuxer: Demuxer, _ codec: Codec, _ rate: SampleRate, _ first: Frame, _ begin: Int64,
    _ examination: Examination
  ) {
    length = nil
    guard let file = demuxer.file else { return }
    let found = OggLength(file, demuxer, codec, rate, first, begin: begin, examination)
    (limit, length, kind, promised, tagDelay) = (found.limit, found.length, found.kind, found.promised, found.tagDelay)
    (shortfall, hasReliableTimestamps, limitOffset) = (found.shortfall, found.hasReliableTimestamps, found.limitOffset)
    (hasReliablePadding, hasSeveralLinks) = (found.hasReliableTimestamps, found.hasSeveralLinks)
    if limit != nil { gapless = .exact }
    earlyEnd = OggPages.earlyEnd(file)
  }

  /// Subtracts the frames before the first frame from the length.
  private mutating func shift(by frames: Int64, _ rate: SampleRate) {
    limit = limit.map { Frames(max(0, $0.count - frames)) }
    length = length.map { max(.zero, $0 - rate.time(of: Frames(frames))) }
  }

  private mutating func applyMusepackHeader(_ demuxer: Demuxer, _ rate: SampleRate) {
    tagDelay = MusepackHeader.decoderDelay
    gapless = .exact
    guard let header = demuxer.file.flatMap(MusepackHeader.init) else { return }
    tagDelay += header.silence
    limit = Frames(max(0, header.count - header.silence))
    apply(rate.time(of: limit ?? .zero), as: header.coverage)
  }

  /// Derives the length of uncompressed audio from the size of the file, since the size in the header may be wrong.
  private mutating func applyUncompressedSize(
    _ demuxer: Demuxer, _ codec: Codec, _ rate: SampleRate, _ firstPacket: Int64, _ examination: Examination
  ) {
    guard let file = demuxer.file, let size = file.size else {
      if length != nil, codec.isSampleAccurate { kind = .exact }
      return
    }
    let chunk = AudioChunk(file)
    applySamples(file, size, chunk, demuxer, codec, rate, firstPacket, examination)
    if let chunk, chunk.statedRatio > 1, let length {
      let stated = min(Double(length.nanoseconds) * chunk.statedRatio, Double(MediaTime.maximum.nanoseconds))
      (promised, isPromiseCertain) = (MediaTime(nanoseconds: Int64(stated.rounded())), true)
    }
  }

  private mutating func applySamples(
    _ file: FileInput, _ size: Int64, _ chunk: AudioChunk?, _ demuxer: Demuxer, _ codec: Codec, _ rate: SampleRate,
    _ firstPacket: Int64, _ examination: Examination
  ) {
    if codec.isMPEG, let chunk, let header = MPEGFrameIndex.header(in: file, at: firstPacket) {
      let frames = MPEGLength(
        file, header, at: firstPacket, to: chunk.samples.upperBound, tag: nil, limit: .max, trims: false, examination)
      return apply(frames, rate)
    }
    if let frames = codec.framesPerBlock(demuxer), demuxer.formatName == "wav", let chunk {
      return applyBlocks(file, chunk, of: frames, demuxer.blockAlign, rate)
    }
    // For DSD, a byte of each channel decodes to one frame.
    let frame = codec.isDSD ? demuxer.statedChannelCount : codec.isPCM ? demuxer.blockAlign : 0
    guard frame > 0 else { return }
    if let chunk {
      let count = Frames(Int64(chunk.samples.count) / frame)
      length = rate.time(of: count)
      kind = .exact
      if chunk.isOpenEnded { limit = count }
    } else {
      let fileLength = rate.time(of: Frames((size - max(0, firstPacket)) / frame))
      // Some demuxers read up to the end of the file.
      kind = length == fileLength ? .exact : .estimated
      length = min(length ?? fileLength, fileLength)
    }
  }

  /// Derives the length of a WAV file from the number of its blocks of `frames` frames and `size` bytes. Only the last
  /// block may have padding. If the chunk "fact" states another length, it is wrong.
  private mutating func applyBlocks(
    _ file: FileInput, _ chunk: AudioChunk, of frames: Int64, _ size: Int64, _ rate: SampleRate
  ) {
    let blocks = Int64(chunk.samples.count) / size
    let all = blocks * frames
    let isWhole = Int64(chunk.samples.count) % size == 0
    let stated = FileFormat(file).flatMap { ChunkedFile(file, $0) }?.chunks.first { $0.name == "fact" && $0.size >= 4 }
      .flatMap { file.littleEndian(at: $0.offset, bytes: 4) }
    let isPlausible = stated.map { all - frames < $0 && $0 <= all } ?? false
    let count = Frames(isPlausible ? stated ?? all : all)
    length = rate.time(of: count)
    // A part of a block decodes to some frames.
    kind = isPlausible || isWhole ? .exact : .estimated
    if kind == .exact { limit = count }
  }

  private mutating func applyCAFHeader(
    _ demuxer: Demuxer, _ rate: SampleRate, _ delay: Int64, _ framesInPacket: Int64
  ) {
    guard let header = demuxer.file.flatMap(CAFHeader.init), let count = header.count else { return }
    limit = Frames(count)
    tagDelay = delay == 0 ? header.delay : 0
    if header.delay > 0 { gapless = .exact }
    apply(rate.time(of: Frames(count)), as: header.coverage)
    if header.coverage == .unknown, header.statesPackets(of: framesInPacket) {
      (promised, shortfall) = (length, .missingPart)
    }
    if header.isTruncated { earlyEnd = .truncation }
  }

  /// Derives the length from the header of a DSF file, which counts the bits of one channel. The last block is padded.
  private mutating func applyDSFHeader(_ demuxer: Demuxer, _ rate: SampleRate) {
    guard let file = demuxer.file, let count = file.littleEndian(at: 64), count >= 0, let size = file.size,
      let channels = file.littleEndian(at: 52, bytes: 4), let block = file.littleEndian(at: 72, bytes: 4),
      (1...64).contains(channels), (1...1 << 20).contains(block)
    else { return }
    let bytes = count / 8
    // The sample chunk begins at 80 with a header of 12 bytes.
    let there = (size - 92) / (block * channels) * block
    // Only the last block is padded. If there are others after it, the number is wrong.
    guard there - bytes < block, bytes > 0 else {
      length = rate.time(of: Frames(there))
      return
    }
    limit = Frames(bytes)
    apply(rate.time(of: Frames(bytes)), as: Coverage(min(there, bytes), of: bytes))
  }
}

/// The size that a container states for itself. It is used for containers that do not state the size of the audio.
enum ContainerSize {
  /// Returns the part of a Matroska segment that `file` contains, which is less than 1 if the file is truncated. If the
  /// size of the segment is unknown, returns nil.
  static func matroskaShare(_ file: FileInput) -> Double? {
    guard let size = file.size, let segment = EBMLElement.segment(of: file), let length = segment.size, length > 0
    else { return nil }
    return min(1, Double(size - segment.body) / Double(length))
  }
}
