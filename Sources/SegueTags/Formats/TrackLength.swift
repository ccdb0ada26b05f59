package import SegueFFmpeg
package import SegueSystem
package import SegueWire

/// How long the audio of a source is, before any of it but the first frame was decoded, and how surely.
package struct TrackLength {
  /// Frames the container states beyond doubt: what decodes beyond them is padding.
  package var limit: Frames?
  /// The likely length.
  package var length: MediaTime?
  package var kind = DurationKind.estimated
  /// The length that the headers promise, where a part of the file is missing; else nil.
  package private(set) var promised: MediaTime?
  /// Frames of delay that only a tag knows of and libavformat does not mark.
  package var tagDelay: Int64 = 0
  package var gapless = Audio.Gapless.approximate

  /// `first` is the first decoded frame, `rate` that of the decoded frames, `firstPacket` the offset of the first packet
  /// in the file.
  package init(_ demuxer: Demuxer, codec: Codec, rate: SampleRate, first: Frame, firstPacket: Int64, tags: FileTags) {
    let delay = first.skip?.front ?? 0
    // This is the start of the frame in the stream. It is not 0 if the file is a piece of a stream, or if nothing can be
    // decoded of what comes before.
    let begin = first.pts.flatMap { pts in
      pts > 0 ? min(demuxer.timeBase.frames(pts, at: rate).count, 1 << 60) : pts == 0 ? 0 : nil
    }
    if let duration = demuxer.streamDuration, duration > 0 {
      length = rate.time(of: demuxer.timeBase.frames(duration, at: rate))
    } else if let duration = demuxer.containerDuration, duration > 0 {
      length = MediaTime(nanoseconds: duration.multipliedReportingOverflow(by: 1000).partialValue)
    }
    if codec.isLossless { gapless = .exact }
    switch demuxer.formatName {
    case "mov,mp4,m4a,3gp,3g2,mj2":
      stateMovie(demuxer, rate, tags, delay)
    case "mp3": stateMPEG(demuxer, rate, tags, delay, firstPacket)
    case "ogg": stateOgg(demuxer, codec, rate, first, begin ?? 0)
    case "flac": confirm(demuxer, FLACLastFrame.coverage)
    case "wv": confirm(demuxer, WavPackLastBlock.coverage)
    case "tta": confirm(demuxer, TTATable.coverage)
    case "ape": confirm(demuxer, APEDescriptor.coverage)
    case "mpc", "mpc8": stateMusepack(demuxer, rate)
    case "dsf": stateDSF(demuxer, rate)
    case "caf": stateCAF(demuxer, rate, delay)
    case "wav", "aiff", "au", "w64", "rf64": stateSamples(demuxer, codec, rate, firstPacket)
    case "matroska,webm":
      if codec == .opus, delay > 0 { gapless = .exact }
      shorten(demuxer.file.flatMap(ContainerSize.matroskaShare))
    case "asf": shorten(demuxer.file.flatMap(ContainerSize.asfShare))
    default: break
    }
    if kind == .exact, let begin, begin > 0, ["flac", "wv", "tta", "ape"].contains(demuxer.formatName) {
      // The audio before this frame is damaged.
      shift(by: begin, rate)
      kind = .estimated
    }
    if demuxer.isLive {
      length = nil
      kind = .unbounded
    }
    // A header cannot mean years, nor nothing: then the frames speak for themselves.
    let longest = rate.frames(in: .maximum)
    if let stated = limit, !(Frames(Int64(1))..<longest).contains(stated) { limit = nil }
    if !(0..<Self.mostDelay * Int64(rate.hertz)).contains(tagDelay) { tagDelay = 0 }
    if let stated = length, !(MediaTime(nanoseconds: 1)..<MediaTime.maximum).contains(stated) {
      length = nil
      kind = .estimated
    }
  }

  /// In seconds: more than any encoder's.
  package static let mostDelay: Int64 = 4

  private mutating func stateMovie(_ demuxer: Demuxer, _ rate: SampleRate, _ tags: FileTags, _ delay: Int64) {
    let header = demuxer.file.flatMap { MovieHeader($0, track: demuxer.streamID) }
    if let tag = tags.iTunSMPB, let count = tag.count, header?.allows(tag) ?? true {
      limit = Frames(count)
      tagDelay = delay == 0 ? tag.delay : 0
      gapless = .exact
    } else if let header, let scale = Int32(exactly: header.timescale) {
      let count = TimeBase(ticksPerSecond: scale).frames(header.length, at: rate)
      // The header counts the frames that libavformat marks as delay without an edit.
      limit = header.start == 0 ? max(.zero, count - Frames(delay)) : count
      if delay > 0 { gapless = .exact }
    } else if let duration = demuxer.streamDuration, duration > 0 {
      limit = demuxer.timeBase.frames(duration, at: rate)
      if delay > 0 { gapless = .exact }
    }
    guard let limit else { return }
    let coverage = demuxer.file == nil ? .whole : header?.coverage ?? .unknown
    state(rate.time(of: limit), as: coverage)
  }

  /// Takes what follows from the header's `stated` length and from how much of that the file holds.
  private mutating func state(_ stated: MediaTime, as coverage: Coverage) {
    (length, kind) = coverage.applied(to: stated)
    if case .share(let share) = coverage, share < 1 { promised = stated }
  }

  /// Believes the header's length as far as `coverage` finds the audio in the file; of the network's there is no end to
  /// look at.
  private mutating func confirm(_ demuxer: Demuxer, _ coverage: (SourceFile, Int64) -> Coverage) {
    guard let stated = length else { return }
    guard let file = demuxer.file else {
      kind = .exact
      return
    }
    state(stated, as: coverage(file, FileFormat(file)?.audioStart ?? 0))
  }

  /// Shortens the length that the container states to `share` of it, the part that the file holds.
  private mutating func shorten(_ share: Double?) {
    guard let share, share < 1, let stated = length else { return }
    state(stated, as: Coverage.share(share))
  }

  private mutating func stateMPEG(
    _ demuxer: Demuxer, _ rate: SampleRate, _ tags: FileTags, _ delay: Int64, _ firstPacket: Int64
  ) {
    kind = .estimated
    guard let file = demuxer.file else { return }
    let found = GaplessTag.Xing.read(file)
    guard let header = found?.header ?? MPEGFrameIndex.header(in: file, at: firstPacket) else { return }
    if delay == 0, let tag = tags.iTunSMPB, let count = tag.count {
      tagDelay = tag.delay + GaplessTag.layer3Delay
      limit = Frames(count)
      gapless = .exact
      let frames = MPEGLength(file, header, at: firstPacket, tag: nil, most: .max, isMarked: false)
      state(rate.time(of: Frames(count)), as: frames.coverage(of: tag))
      return
    }
    let frames = MPEGLength(
      file, header, at: found?.offset ?? firstPacket, tag: found?.tag, most: .max, isMarked: delay > 0)
    gapless = frames.gapless
    guard let count = frames.count else { return }
    length = rate.time(of: Frames(count))
    kind = frames.kind
    // libavformat leaves some of the padding on where that is short.
    if kind == .exact, gapless == .exact { limit = Frames(count) }
  }

  /// `begin` is where the first frame lies by libavformat, which counts the granules of Opus without the pre-skip, and
  /// those of FLAC from 0.
  private mutating func stateOgg(
    _ demuxer: Demuxer, _ codec: Codec, _ rate: SampleRate, _ first: Frame, _ begin: Int64
  ) {
    // In a chain libavformat knows the padding of the last link only, and that not always.
    guard let file = demuxer.file, !OggPages.isChained(file), let duration = demuxer.streamDuration,
      duration > 0
    else {
      length = nil
      return
    }
    // The last granule is the limit also because libavformat, where a file has one page only, marks a block too much as
    // padding. Where other streams lie beside the audio, the last page may be one of theirs.
    let end =
      demuxer.streamCount == 1 ? OggPages.last(file)?.granule : demuxer.timeBase.frames(duration, at: rate).count
    guard let end else { return }
    // The last page of a stream states where its padding begins, and not where the page does.
    let isWhole = codec != .vorbis || OggStreamStart.isWhole(vorbis: file)
    if !isWhole, OggPages.firstAudio(file)?.position == OggPages.last(file)?.position {
      length = nil
      return
    }
    let delay = first.skip?.front ?? 0
    let start =
      switch codec {
      // libavformat does not look where a stream begins by its first granule, if that is less than the pre-skip.
      case .opus: delay + (OggStreamStart.firstGranule(ofOpus: file) ?? (begin > 0 ? begin + delay : 0))
      // libavformat gives the first block of a short stream a length that it has not. From FFmpeg 8 on, libavcodec also
      // decodes the block that has none before it, and marks it as delay.
      case .vorbis: isWhole ? 0 : begin + delay
      case .flac: FLACLastFrame.firstSample(inOgg: file)
      default: begin
      }
    limit = Frames(max(0, end - start))
    length = limit.map(rate.time(of:))
    gapless = .exact
    guard codec == .speex else {
      kind = .exact
      return
    }
    // The decoder delays by a quarter of its frame more than the encoder counts; some encoders end before that is over.
    let frame = Int64(first.count) / Self.framesPerPacket(ofSpeex: file)
    tagDelay = frame / 4
    if OggPages.firstAudio(file)?.position == OggPages.last(file)?.position {
      // No page tells the encoder's delay: it is that of narrow band, of wide band or of ultra-wide band.
      tagDelay += frame <= 160 ? 40 : frame <= 320 ? 143 : 349
    } else {
      tagDelay -= min(0, first.pts ?? 0)
    }
    kind = .estimated
  }

  /// By the first packet of a Speex stream (The Speex Codec Manual, 7.3).
  private static func framesPerPacket(ofSpeex file: SourceFile) -> Int64 {
    OggPages.Page(file, at: 0).flatMap { file.littleEndian(at: $0.body + 64, bytes: 4) }.map { $0.clamped(to: 1...64) }
      ?? 1
  }

  /// Takes from the length what comes before the first frame.
  private mutating func shift(by frames: Int64, _ rate: SampleRate) {
    limit = limit.map { Frames(max(0, $0.count - frames)) }
    length = length.map { max(.zero, $0 - rate.time(of: Frames(frames))) }
  }

  private mutating func stateMusepack(_ demuxer: Demuxer, _ rate: SampleRate) {
    tagDelay = MusepackHeader.decoderDelay
    gapless = .exact
    guard let header = demuxer.file.flatMap(MusepackHeader.init) else { return }
    tagDelay += header.silence
    limit = Frames(max(0, header.count - header.silence))
    state(rate.time(of: limit ?? .zero), as: header.coverage)
  }

  /// A header's size of uncompressed samples can be anything; the file's is a fact.
  private mutating func stateSamples(_ demuxer: Demuxer, _ codec: Codec, _ rate: SampleRate, _ firstPacket: Int64) {
    guard let file = demuxer.file, let size = file.size else {
      if length != nil, codec.isLossless { kind = .exact }
      return
    }
    // A byte of DSD is a frame of what it decodes to.
    let frame = codec.isDSD ? demuxer.statedChannelCount : codec.isPCM ? demuxer.blockAlign : 0
    guard frame > 0 else { return }
    if let chunk = AudioChunk(file) {
      length = rate.time(of: Frames(Int64(chunk.samples.count) / frame))
      kind = .exact
    } else {
      let most = rate.time(of: Frames((size - max(0, firstPacket)) / frame))
      // Some demuxers read on to the end of the file.
      kind = length == most ? .exact : .estimated
      length = min(length ?? most, most)
    }
  }

  private mutating func stateCAF(_ demuxer: Demuxer, _ rate: SampleRate, _ delay: Int64) {
    guard let header = demuxer.file.flatMap(CAFHeader.init), let count = header.count else { return }
    limit = Frames(count)
    tagDelay = delay == 0 ? header.delay : 0
    if header.delay > 0 { gapless = .exact }
    state(rate.time(of: Frames(count)), as: header.coverage)
  }

  /// The header counts bits of one channel; the last block is padded.
  private mutating func stateDSF(_ demuxer: Demuxer, _ rate: SampleRate) {
    guard let file = demuxer.file, let count = file.littleEndian(at: 64), count > 0, let size = file.size,
      let channels = file.littleEndian(at: 52, bytes: 4), let block = file.littleEndian(at: 72, bytes: 4),
      (1...64).contains(channels), (1...1 << 20).contains(block)
    else { return }
    let bytes = count / 8
    limit = Frames(bytes)
    // The chunk of samples begins at 80 with a header of 12 bytes.
    let there = (size - 92) / (block * channels) * block
    state(rate.time(of: Frames(bytes)), as: Coverage(min(there, bytes), of: bytes))
  }
}
