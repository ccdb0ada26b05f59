// Decoding thread only.
internal import CFFmpeg
internal import CTagLib
internal import SegueLink
internal import SegueSystem
internal import SegueWire

/// What a file's headers say of its audio, for the forms whose headers say it as surely as decoding would.
struct AudioHeader {
  private let file: SourceFile
  private let kind: FileFormat.Kind
  private var codec: AVCodecID = AV_CODEC_ID_NONE
  private var rate: SampleRate
  private var channels: Int
  private var bits: Int?
  /// Bits a second, as the headers state it.
  private var bitRate: Int?
  private var length: MediaTime?
  private var gapless = Audio.Gapless.exact
  private var mpeg: MPEGFirstFrame?
  private var movie: MovieHeader?
  /// Whether the audio that the headers promise is there.
  private var coverage = Coverage.whole

  /// `said`: of the headers, by whoever read them. MPEG audio's headers are read here, since TagLib does not count its
  /// padding. nil if only decoding tells.
  init?(_ file: SourceFile, _ format: FileFormat, _ said: segue_tags_audio) {
    self.file = file
    kind = format.kind
    if kind == .mpeg {
      guard let start = MPEGFirstFrame(file, at: format.audioStart) else { return nil }
      mpeg = start
      rate = SampleRate(UInt32(start.header.rate))
      channels = start.header.channels
      codec = AV_CODEC_ID_MP3
      bitRate = start.bitRate
      return
    }
    guard (1...1_000_000).contains(said.sample_rate), (1...64).contains(said.channels) else { return nil }
    rate = SampleRate(UInt32(said.sample_rate))
    channels = Int(said.channels)
    guard state(said, at: format.audioStart) else { return nil }
  }

  private mutating func state(_ said: segue_tags_audio, at start: Int64) -> Bool {
    let depth = Int(said.bits_per_sample)
    switch kind {
    case .flac:
      guard said.frames > 0 else { return false }
      (codec, bits) = (AV_CODEC_ID_FLAC, depth)
      coverage = FLACLastFrame.coverage(file, from: start)
      length = rate.time(of: Frames(said.frames))
    case .wavPack:
      // One of bytes may be DSD, which comes out at another rate.
      guard said.frames > 0, depth > 8 else { return false }
      (codec, bits) = (AV_CODEC_ID_WAVPACK, depth)
      coverage = WavPackLastBlock.coverage(file, from: start)
      length = rate.time(of: Frames(said.frames))
    case .vorbis:
      guard said.is_chained == 0, let end = OggPages.last(file)?.granule, OggStreamStart.isWhole(vorbis: file) else {
        return false
      }
      codec = AV_CODEC_ID_VORBIS
      bitRate = said.bit_rate > 0 ? Int(said.bit_rate) * 1000 : nil
      length = rate.time(of: Frames(end))
    case .opus:
      guard said.is_chained == 0, let end = OggPages.last(file)?.granule, let skip = OggStreamStart.skipped(file),
        let start = OggStreamStart.firstGranule(ofOpus: file), start + skip <= end
      else { return false }
      codec = AV_CODEC_ID_OPUS
      rate = SampleRate(48_000)
      length = rate.time(of: Frames(end - start - skip))
    case .mp4:
      return stateMovie(said, depth)
    case .wave:
      let name: AVCodecID? =
        switch (said.codec, depth) {
        case (SEGUE_CODEC_PCM, 8): AV_CODEC_ID_PCM_U8
        case (SEGUE_CODEC_PCM, 16): AV_CODEC_ID_PCM_S16LE
        case (SEGUE_CODEC_PCM, 24): AV_CODEC_ID_PCM_S24LE
        case (SEGUE_CODEC_PCM, 32): AV_CODEC_ID_PCM_S32LE
        case (SEGUE_CODEC_FLOAT, 32): AV_CODEC_ID_PCM_F32LE
        case (SEGUE_CODEC_FLOAT, 64): AV_CODEC_ID_PCM_F64LE
        default: nil
        }
      return statePCM(said, name, depth)
    case .aiff:
      let name: AVCodecID? =
        switch (said.codec, depth) {
        case (SEGUE_CODEC_PCM, 8): AV_CODEC_ID_PCM_S8
        case (SEGUE_CODEC_PCM, 16): AV_CODEC_ID_PCM_S16BE
        case (SEGUE_CODEC_PCM, 24): AV_CODEC_ID_PCM_S24BE
        case (SEGUE_CODEC_PCM, 32): AV_CODEC_ID_PCM_S32BE
        case (SEGUE_CODEC_PCM_LITTLE, 16): AV_CODEC_ID_PCM_S16LE
        default: nil
        }
      return statePCM(said, name, depth)
    case .asf:
      guard said.codec == SEGUE_CODEC_WMA1 || said.codec == SEGUE_CODEC_WMA2, said.milliseconds > 0 else {
        return false
      }
      codec = said.codec == SEGUE_CODEC_WMA1 ? AV_CODEC_ID_WMAV1 : AV_CODEC_ID_WMAV2
      bitRate = Int(said.bit_rate) * 1000
      length = MediaTime(nanoseconds: Int64(said.milliseconds) * 1_000_000)
      coverage = ContainerSize.asfShare(file).map(Coverage.share) ?? .unknown
      gapless = .approximate
    default:
      return false
    }
    return true
  }

  private mutating func statePCM(_ said: segue_tags_audio, _ name: AVCodecID?, _ depth: Int) -> Bool {
    guard let name, let chunk = AudioChunk(file), depth > 0 else { return false }
    (codec, bits) = (name, depth)
    bitRate = Int(rate.hertz) * channels * depth
    length = rate.time(of: Frames(chunk.samples.count / (depth / 8 * channels)))
    return true
  }

  private mutating func stateMovie(_ said: segue_tags_audio, _ depth: Int) -> Bool {
    switch said.codec {
    case SEGUE_CODEC_ALAC: (codec, bits) = (AV_CODEC_ID_ALAC, depth)
    case SEGUE_CODEC_AAC:
      // At low rates the other half is likely in SBR, which the header need not tell.
      guard let config = MovieHeader.aac(file), config.type == 2, !(config.hasSBR ?? (config.rate <= 24_000)) else {
        return false
      }
      codec = AV_CODEC_ID_AAC
      (rate, channels) = (SampleRate(UInt32(config.rate)), config.channels)
    default: return false
    }
    guard let header = MovieHeader(file, track: nil), let scale = Int32(exactly: header.timescale), header.length > 0
    else { return false }
    length = rate.time(of: TrackLength.frames(header.length, AVRational(num: 1, den: scale), rate))
    // An encoder's first packet decodes to nothing; only where its delay is stated is it known to be counted.
    coverage = said.codec == SEGUE_CODEC_ALAC || header.start > 0 ? header.coverage : .unknown
    movie = header
    bitRate = said.bit_rate > 0 ? Int(said.bit_rate) * 1000 : nil
    gapless = said.codec == SEGUE_CODEC_ALAC || header.start > 0 ? .exact : .approximate
    return true
  }

  /// A file's audio as its headers state it.
  struct Stated {
    let audio: Audio
    /// The length of what the file holds of it.
    let duration: MediaTime?
    let durationKind: DurationKind
    /// The length that the headers promise, whether the file holds all of it or not.
    let promised: MediaTime?
  }

  /// Returns what the headers state, `tags` counted in: iTunes notes the true length of what it encodes there.
  func stated(_ tags: FileTags) -> Stated {
    var (length, coverage, gapless) = (length, coverage, gapless)
    let tag = movie != nil || mpeg?.isMarked == false ? tags.iTunSMPB : nil
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
    let name = Codec(id: codec)
    let average = length.flatMap { length in
      length > .zero ? Int(min(Double(file.size ?? 0) * 8 / length.seconds, 1e9)) : nil
    }
    let audio = Audio(
      codec: name.name, container: container, sampleRate: Int(rate.hertz), channels: channels, bitDepth: bits,
      bitRate: bitRate ?? average, lossless: name.isLossless, gapless: name.isLossless ? .exact : gapless)
    return Stated(audio: audio, duration: length, durationKind: durationKind, promised: promised)
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
    default: "ogg"
    }
  }
}
