internal import CFFmpeg
internal import SegueSystem

/// What is to be known of a codec beyond what libavcodec tells.
struct Codec {
  let id: AVCodecID

  /// FFmpeg's short name.
  var name: String { String(cString: avcodec_get_name(id)) }

  var isLossless: Bool {
    guard let descriptor = avcodec_descriptor_get(id) else { return false }
    let properties = descriptor.pointee.props
    // WavPack and the like are both; without a statement to the contrary they are lossless.
    return properties & AV_CODEC_PROP_LOSSLESS != 0 || isPCM || isDSD
  }

  var isPCM: Bool {
    // libavcodec keeps the PCM codecs together, up to the first ADPCM.
    (AV_CODEC_ID_FIRST_AUDIO.rawValue..<AV_CODEC_ID_ADPCM_IMA_QT.rawValue).contains(id.rawValue)
  }

  var isDSD: Bool {
    switch id {
    case AV_CODEC_ID_DSD_LSBF, AV_CODEC_ID_DSD_MSBF, AV_CODEC_ID_DSD_LSBF_PLANAR, AV_CODEC_ID_DSD_MSBF_PLANAR: true
    default: false
    }
  }

  /// Bits of a source sample, for codecs that have any.
  func bitDepth(_ decoder: Decoder, _ parameters: AVCodecParameters) -> Int? {
    guard isLossless else { return nil }
    if isDSD { return 1 }
    if let bits = decoder.bitsPerRawSample { return bits }
    let exact = Int(av_get_exact_bits_per_sample(id))
    if exact > 0 { return exact }
    return parameters.bits_per_raw_sample > 0 ? Int(parameters.bits_per_raw_sample) : nil
  }

  /// What has to be decoded before a frame for it to come out as if decoded from the start.
  func preroll(at rate: SampleRate) -> Int64 {
    // The decimation filter's memory is a few bytes; this is plenty.
    if isDSD { return 4096 }
    if isLossless { return 0 }
    return switch id {
    // RFC 7845 section 4.6: 80 ms at 48 kHz; four times that, since the predictors converge slowly.
    case AV_CODEC_ID_OPUS: 4 * 3840
    // A block overlaps the one before; the longest are 8192.
    case AV_CODEC_ID_VORBIS: 2 * 8192
    // One frame of overlap, one of SBR and parametric stereo, in frames of up to 2048.
    case AV_CODEC_ID_AAC: 8 * 2048
    // The bit reservoir reaches back 511 bytes: at 32 kbit/s some five frames. And the filter bank's memory.
    default: Int64(rate.hertz) / 2
    }
  }

  /// Frames start at multiples of this, given the length of the first.
  func grid(firstCount: Int) -> Int64 {
    switch id {
    // 2.5 ms at 48 kHz.
    case AV_CODEC_ID_OPUS: 120
    // A quarter of the sum of two blocks of at least 128.
    case AV_CODEC_ID_VORBIS: 64
    default: Int64(firstCount)
    }
  }

  /// Whether it is not certain, after a jump, which frame is decoded first: WMA's packets start in the middle of one,
  /// and libavcodec's Musepack decoder goes on counting in the packet it was taken from. A seek decodes from the start
  /// then, at some thousand times the speed of playing.
  var needsDecodingFromStart: Bool {
    switch id {
    case AV_CODEC_ID_WMAV1, AV_CODEC_ID_WMAV2, AV_CODEC_ID_WMAPRO, AV_CODEC_ID_WMALOSSLESS, AV_CODEC_ID_WMAVOICE,
      AV_CODEC_ID_MUSEPACK8:
      true
    default: false
    }
  }
}
