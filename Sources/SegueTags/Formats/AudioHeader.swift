// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// The audio properties in the headers of a file, for formats whose headers are as reliable as decoding.
///
/// It exists for speed. Otherwise a scan would open each file with libavformat and decode its first audio, which takes
/// from 1.7 times the CPU time (AIFF) to seven times (Vorbis); see contrib/decisions/11-header-readers.md. A scan of
/// WMA gains nothing, but libavformat states no duration for a truncated WMA file.
struct AudioHeader {
  private let file: FileInput
  private let kind: FileFormat.Kind
  private var codec = Codec.unknown
  /// Whether the audio is in the hybrid mode of WavPack.
  private var isHybrid = false
  private var rate: SampleRate
  private var channels: Int
  private var bits: Int?
  /// The bit rate in bits per second that the headers state.
  private var bitRate: Int?
  private var length: MediaTime?
  private var gapless = Audio.Gapless.exact
  private var mpeg: MPEGFirstFrame?
  private var movie: MovieHeader?
  /// The part of the stated audio that the file contains.
  private var coverage = Coverage.whole

  /// Creates the properties from those that TagLib or `CommentHeader` read. MPEG audio headers are read here because
  /// the length that TagLib derives from them includes delay and padding. If only decoding shows the properties,
  /// returns nil.
  init?(_ file: FileInput, _ format: FileFormat, _ stated: AudioProperties) {
    self.file = file
    kind = format.kind
    if kind == .mpeg {
      guard let start = MPEGFirstFrame(file, at: format.audioStart) else { return nil }
      mpeg = start
      rate = SampleRate(UInt32(start.header.rate))
      channels = start.header.channels
      codec = .mpeg(layer: start.header.layer)
      bitRate = start.bitRate
      return
    }
    guard (1...1_000_000).contains(stated.sampleRate), (1...64).contains(stated.channelCount) else { return nil }
    rate = SampleRate(UInt32(stated.sampleRate))
    channels = stated.channelCount
    guard readProperties(stated, at: format.audioStart) else { return nil }
  }

  private mutating func readProperties(_ stated: AudioProperties, at start: Int64) -> Bool {
    let depth = stated.bitsPerSample
    switch kind {
    case .flac:
      // If there are several STREAMINFO blocks, only libavformat knows which one is right.
      guard stated.frames > 0, depth <= FFmpegLibrary.maximumFLACSampleSize,
        FLACStreamInfo(file, at: start)?.total == Int64(stated.frames)
      else { return false }
      (codec, bits) = (.flac, depth)
      coverage = FLACLastFrame.coverage(file, from: start)
      length = rate.time(of: Frames(stated.frames))
    case .wavPack:
      // A file with samples of 8 bits may contain DSD, which is decoded at another rate.
      // A first block without samples does not state the mode.
      guard stated.frames > 0, depth > 8, let count = file.littleEndian(at: start + 20, bytes: 4), count > 0 else {
        return false
      }
      codec = .wavPack
      isHybrid = codec.isHybrid(file.bytes(at: start, count: 32))
      bits = isHybrid ? nil : depth
      coverage = WavPackBlocks.coverage(file, from: start)
      length = rate.time(of: Frames(stated.frames))
    case .vorbis:
      guard !stated.isChained, let end = OggPages.last(file)?.granule, OggStreamStart.isWhole(vorbis: file),
        OggSurvey.of(file, .thorough).isPlain
      else { return false }
      codec = .vorbis
      bitRate = stated.bitRate > 0 ? stated.bitRate * 1000 : nil
      length = rate.time(of: Frames(end))
    case .opus:
      guard !stated.isChained, let end = OggPages.last(file)?.granule, let skip = OggStreamStart.preSkip(file),
        let start = OggStreamStart.firstGranule(ofOpus: file), start + skip <= end,
        OggSurvey.of(file, .thorough).isPlain
      else { return false }
      codec = .opus
      rate = SampleRate(48_000)
      length = rate.time(of: Frames(end - start - skip))
    case .mp4:
      return readMovie(stated, depth)
    case .wave:
      switch stated.codec {
      case .pcm: return !DTSInWave.isIn(file) && readPCM(.wavePCM(bits: depth), depth)
      case .float: return readPCM(.waveFloat(bits: depth), depth)
      case .other, .aac, .alac, .littleEndianPCM, .wma1, .wma2: return false
      }
    case .aiff:
      guard stated.codec == .pcm || stated.codec == .littleEndianPCM else { return false }
      return readPCM(.aiffPCM(bits: depth, isLittleEndian: stated.codec == .littleEndianPCM), depth)
    case .asf:
      guard stated.codec == .wma1 || stated.codec == .wma2, stated.milliseconds > 0 else {
        return false
      }
      codec = stated.codec == .wma1 ? .wma1 : .wma2
      bitRate = stated.bitRate * 1000
      length = MediaTime(nanoseconds: Int64(stated.milliseconds) * 1_000_000)
      coverage = ASFHeader(file)?.share.map(Coverage.share) ?? .unknown
      gapless = .approximate
    case .mpeg, .speex, .oggFLAC, .dsf, .dsdiff, .monkeysAudio, .musepack, .trueAudio:
      return false
    }
    return true
  }

  private mutating func readPCM(_ found: Codec?, _ depth: Int) -> Bool {
    guard let found, let chunk = AudioChunk(file), depth > 0 else { return false }
    (codec, bits) = (found, depth)
    bitRate = Int(rate.hertz) * channels * depth
    length = rate.time(of: Frames(chunk.samples.count / (depth / 8 * channels)))
    return true
  }

  private mutating func readMovie(_ stated: AudioProperties, _ depth: Int) -> Bool {
    switch stated.codec {
    case .alac: (codec, bits) = (.alac, depth)
    case .aac:
      // At low rates, the file probably uses SBR, which doubles the rate and which the header need not state.
      guard let config = MovieHeader.aac(file), config.type == 2, !(config.hasSBR ?? (config.rate <= 24_000)) else {
        return false
      }
      codec = .aac
      (rate, channels) = (SampleRate(UInt32(config.rate)), config.channels)
    case .other, .pcm, .littleEndianPCM, .float, .wma1, .wma2: return false
    }
    guard let header = MovieHeader(file, track: nil), let scale = Int32(exactly: header.timescale), header.length > 0
    else { return false }
    length = rate.time(of: TimeBase(ticksPerSecond: scale).frames(header.length, at: rate))
    // The first packet of an encoder decodes to no audio. Only if the header states the encoder's delay is it certain
    // that the length takes this packet into account.
    let isCertain =
      stated.codec == .alac
      || header.start > 0 && header.countsFrames(inPacketsOf: MPEG4Audio.packetLength, rate)
    coverage = isCertain ? header.coverage : .unknown
    movie = header
    bitRate = stated.bitRate > 0 ? stated.bitRate * 1000 : nil
    gapless = stated.codec == .alac || header.start > 0 ? .exact : .approximate
    return true
  }

  /// The audio of a file as its headers state it.
  struct StatedAudio {
    let audio: Audio
    /// The duration of the audio that the file contains.
    let duration: MediaTime?
    let durationKind: DurationKind
    /// The duration that the headers state, even if the file is truncated.
    let promised: MediaTime?
  }

  /// Returns the stated properties. The tags are included because iTunes writes the exact length of the encoded audio
  /// there.
  func stated(_ tags: FileTags) -> StatedAudio {
    var (length, coverage, gapless) = (length, coverage, gapless)
    let tag = movie != nil || mpeg?.statesDelay == false ? tags.iTunSMPB : nil
    var durationKind = DurationKind.estimated
    if let tag, let count = tag.count, movie?.allows(tag) ?? true {
      length = rate.time(of: Frames(count))
      gapless = .exact
      coverage = mpeg?.coverage(of: tag, in: file) ?? movie?.coverage ?? .unknown
    } else if let mpeg {
      let frames = mpeg.length(of: file)
      length = frames.count.map { rate.time(of: Frames($0)) }
      coverage = frames.kind == .exact ? .whole : .unknown
      gapless = frames.gapless
    }
    let promised = length
    if let stated = length, stated > .zero { (length, durationKind) = coverage.applied(to: stated) }
    let average = length.flatMap { length in
      length > .zero ? Int(min(Double(file.size ?? 0) * 8 / length.seconds, 1e9)) : nil
    }
    let audio = Audio(
      codec: codec.name, container: container, sampleRate: Int(rate.hertz), channels: channels, bitDepth: bits,
      bitRate: bitRate ?? average, lossless: codec.isSampleAccurate && !isHybrid,
      gapless: codec.isSampleAccurate ? .exact : gapless)
    return StatedAudio(audio: audio, duration: length, durationKind: durationKind, promised: promised)
  }

  private var container: String {
    switch kind {
    case .mpeg: "mp3"
    case .flac: "flac"
    case .wavPack: "wv"
    case .mp4: "mp4"
    case .wave: "wav"
    case .aiff: "aiff"
    case .asf: "asf"
    case .vorbis, .opus, .speex, .oggFLAC, .dsf, .dsdiff, .monkeysAudio, .musepack, .trueAudio: "ogg"
    }
  }
}
