internal import CFFmpeg
package import SegueSystem

/// A codec of libavcodec, with properties that libavcodec does not report.
package struct Codec: Equatable {
  let id: AVCodecID

  /// The short name that FFmpeg uses.
  package var name: String { String(cString: avcodec_get_name(id)) }

  /// Whether encoded audio has exactly the samples of its source, in number and position, and decodes to the same
  /// samples wherever decoding begins. This holds for all lossless codecs and for the hybrid mode of WavPack. It does
  /// not hold for DTS: its lossless extension supplements a lossy core, whose filter bank adds a delay.
  package var isSampleAccurate: Bool {
    guard let descriptor = avcodec_descriptor_get(id), id != AV_CODEC_ID_DTS else { return false }
    return descriptor.pointee.props & AV_CODEC_PROP_LOSSLESS != 0 || isPCM || isDSD
  }

  /// Returns whether the audio is lossless. `decoder` has decoded its first packet, and `isHybrid` is the result of
  /// `isHybrid(_:)` for that packet.
  package func isLossless(_ decoder: Decoder, isHybrid: Bool) -> Bool {
    id == AV_CODEC_ID_DTS ? decoder.decodesLosslessDTS : isSampleAccurate && !isHybrid
  }

  /// Returns whether `bytes` begin with a block of the hybrid mode of WavPack, which is lossy without the file of
  /// corrections that libavcodec does not read (WavPack 4 & 5 Binary File / Block Format, 2.0).
  package func isHybrid(_ bytes: some Collection<UInt8>) -> Bool {
    // The flags are a little-endian number at offset 24.
    self == .wavPack && bytes.dropFirst(24).first.map { $0 & 8 != 0 } ?? false
  }

  /// Whether all packets in an MP4 file decode to the same number of frames, except the last one.
  package var hasConstantPackets: Bool {
    [AV_CODEC_ID_AAC, AV_CODEC_ID_ALAC, AV_CODEC_ID_MP3, AV_CODEC_ID_MP2, AV_CODEC_ID_AC3].contains(id)
  }

  package var isPCM: Bool {
    // The identifiers of PCM codecs are contiguous and end before the first ADPCM codec.
    (AV_CODEC_ID_FIRST_AUDIO.rawValue..<AV_CODEC_ID_ADPCM_IMA_QT.rawValue).contains(id.rawValue)
  }

  /// Whether the codec is a variant of ADPCM. Their identifiers are contiguous and end before the first codec of AMR.
  private var isADPCM: Bool {
    (AV_CODEC_ID_ADPCM_IMA_QT.rawValue..<AV_CODEC_ID_AMR_NB.rawValue).contains(id.rawValue)
  }

  /// Returns the number of frames that each block in a WAV file decodes to; nil for codecs without blocks of equal
  /// length.
  package func framesPerBlock(_ demuxer: Demuxer) -> Int64? {
    let (block, channels) = (demuxer.blockAlign, demuxer.statedChannelCount)
    guard block > 0, channels > 0 else { return nil }
    // A byte has two samples. The header of a block has two samples of each channel, one, or none.
    let frames: Int64? =
      switch id {
      case AV_CODEC_ID_ADPCM_MS: (block - 7 * channels) * 2 / channels + 2
      case AV_CODEC_ID_ADPCM_IMA_WAV where demuxer.parameters.bits_per_coded_sample == 4:
        (block - 4 * channels) * 2 / channels + 1
      case AV_CODEC_ID_ADPCM_YAMAHA: block * 2 / channels
      case AV_CODEC_ID_GSM_MS where block == 65 && channels == 1: 320
      default: nil
      }
    return frames.flatMap { $0 > 0 ? $0 : nil }
  }

  package var isDSD: Bool {
    switch id {
    case AV_CODEC_ID_DSD_LSBF, AV_CODEC_ID_DSD_MSBF, AV_CODEC_ID_DSD_LSBF_PLANAR, AV_CODEC_ID_DSD_MSBF_PLANAR: true
    default: false
    }
  }

  /// Returns the bits of a source sample of lossless audio; nil if they are unknown.
  package func bitDepth(_ decoder: Decoder, _ demuxer: Demuxer) -> Int? {
    if isDSD { return 1 }
    if let bits = decoder.bitsPerRawSample { return bits }
    let exact = Int(av_get_exact_bits_per_sample(id))
    if exact > 0 { return exact }
    let stated = demuxer.parameters.bits_per_raw_sample
    return stated > 0 ? Int(stated) : nil
  }

  /// Returns the number of frames that must be decoded after a seek before the output equals that of decoding from the
  /// start.
  package func preroll(at rate: SampleRate) -> Int64 {
    // The decimation filter remembers a few bytes, which are far fewer than this.
    if isDSD { return 4096 }
    if isSampleAccurate { return 0 }
    return switch id {
    // RFC 7845, 4.6 recommends 80 ms at 48 kHz. Four times that is used because the predictors converge slowly.
    case AV_CODEC_ID_OPUS: 4 * 3840
    // A block overlaps the previous block; the longest blocks have 8192 samples.
    case AV_CODEC_ID_VORBIS: 2 * 8192
    // A frame of up to 2048 samples overlaps the previous one, and SBR and parametric stereo depend on one more. The
    // number is a generous multiple.
    case AV_CODEC_ID_AAC: 8 * 2048
    // The excitation of AMR depends on all earlier frames, although less and less.
    case AV_CODEC_ID_AMR_NB, AV_CODEC_ID_AMR_WB: 8 * Int64(rate.hertz)
    // The bit reservoir of MP3 reaches back 511 bytes, which is about five frames at 32 kbit/s. The filter bank also
    // depends on earlier frames.
    default: Int64(rate.hertz) / 2
    }
  }

  /// Returns the distance between possible frame positions: each position is a multiple of it. `firstCount` is the
  /// length of the first frame.
  package func grid(firstCount: Int) -> Int64 {
    switch id {
    // The shortest frame takes 2.5 ms, which are 120 samples at 48 kHz.
    case AV_CODEC_ID_OPUS: 120
    // A packet decodes to a quarter of the sum of two block lengths, each of which is at least 128.
    case AV_CODEC_ID_VORBIS: 64
    default: Int64(firstCount)
    }
  }

  /// Whether the position of the first frame that is decoded after a seek is uncertain. WMA packets begin in the middle
  /// of a frame, and libavcodec's Musepack decoder continues its count from the packet before the seek. For codecs with
  /// blocks of several frames, libavformat derives positions in WAV files from a rounded bit rate, and the state of
  /// some, such as Yamaha's ADPCM, depends on all earlier samples. For such codecs a seek decodes from the start, at
  /// about a thousand times the speed of playback.
  package var needsDecodingFromStart: Bool {
    if isADPCM { return true }
    return switch id {
    case AV_CODEC_ID_GSM, AV_CODEC_ID_GSM_MS, AV_CODEC_ID_TRUESPEECH, AV_CODEC_ID_MACE3, AV_CODEC_ID_MACE6: true
    case AV_CODEC_ID_WMAV1, AV_CODEC_ID_WMAV2, AV_CODEC_ID_WMAPRO, AV_CODEC_ID_WMALOSSLESS, AV_CODEC_ID_WMAVOICE,
      AV_CODEC_ID_MUSEPACK8:
      true
    default: false
    }
  }
}

extension Codec {
  /// A codec that is not known.
  package static let unknown = Codec(id: AV_CODEC_ID_NONE)
  package static let aac = Codec(id: AV_CODEC_ID_AAC)
  package static let alac = Codec(id: AV_CODEC_ID_ALAC)
  package static let flac = Codec(id: AV_CODEC_ID_FLAC)
  package static let mp3 = Codec(id: AV_CODEC_ID_MP3)
  package static let opus = Codec(id: AV_CODEC_ID_OPUS)
  package static let speex = Codec(id: AV_CODEC_ID_SPEEX)
  package static let vorbis = Codec(id: AV_CODEC_ID_VORBIS)
  package static let wavPack = Codec(id: AV_CODEC_ID_WAVPACK)
  package static let wma1 = Codec(id: AV_CODEC_ID_WMAV1)
  package static let wma2 = Codec(id: AV_CODEC_ID_WMAV2)

  /// Returns the codec of MPEG audio of a layer from 1 to 3.
  package static func mpeg(layer: Int) -> Codec {
    Codec(id: layer == 1 ? AV_CODEC_ID_MP1 : layer == 2 ? AV_CODEC_ID_MP2 : AV_CODEC_ID_MP3)
  }

  /// Whether this is MPEG audio of any layer.
  package var isMPEG: Bool { [AV_CODEC_ID_MP1, AV_CODEC_ID_MP2, AV_CODEC_ID_MP3].contains(id) }

  /// Returns the codec of integer PCM with `bits` per sample as WAV files store it; nil if there is none.
  package static func wavePCM(bits: Int) -> Codec? {
    switch bits {
    case 8: Codec(id: AV_CODEC_ID_PCM_U8)
    case 16: Codec(id: AV_CODEC_ID_PCM_S16LE)
    case 24: Codec(id: AV_CODEC_ID_PCM_S24LE)
    case 32: Codec(id: AV_CODEC_ID_PCM_S32LE)
    default: nil
    }
  }

  /// Returns the codec of floating-point PCM with `bits` per sample as WAV files store it; nil if there is none.
  package static func waveFloat(bits: Int) -> Codec? {
    switch bits {
    case 32: Codec(id: AV_CODEC_ID_PCM_F32LE)
    case 64: Codec(id: AV_CODEC_ID_PCM_F64LE)
    default: nil
    }
  }

  /// Returns the codec of PCM with `bits` per sample as AIFF files store it; nil if there is none.
  package static func aiffPCM(bits: Int, isLittleEndian: Bool) -> Codec? {
    switch (isLittleEndian, bits) {
    case (false, 8): Codec(id: AV_CODEC_ID_PCM_S8)
    case (false, 16): Codec(id: AV_CODEC_ID_PCM_S16BE)
    case (false, 24): Codec(id: AV_CODEC_ID_PCM_S24BE)
    case (false, 32): Codec(id: AV_CODEC_ID_PCM_S32BE)
    case (true, 16): Codec(id: AV_CODEC_ID_PCM_S16LE)
    default: nil
    }
  }
}
