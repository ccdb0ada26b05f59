internal import CFFmpeg
package import SegueSystem
internal import SegueWire

/// A decoder of libavcodec. It receives packets and returns frames.
package final class Decoder {
  private let context: UnsafeMutablePointer<AVCodecContext>
  /// The rest of the last packet, if the decoder takes only one of the frames in a packet.
  private let rest = Packet()
  /// The frame of `rest` that is sent to the decoder.
  private let part = Packet()

  package init(for demuxer: Demuxer) throws(MediaError) {
    let parameters = demuxer.parameters
    // 'drms', 'enca' and 'aavd' are the sample entries of iTunes' DRM, of Common Encryption and of Audible's DRM.
    if [0x736D_7264, 0x6163_6E65, 0x6476_6161].contains(parameters.codec_tag) {
      throw .unplayable("the file is encrypted (DRM)")
    }
    let name = String(cString: avcodec_get_name(parameters.codec_id))
    guard let codec = Self.codec(parameters.codec_id), let context = avcodec_alloc_context3(codec) else {
      throw .unplayable("no decoder for its codec (\(name))")
    }
    self.context = context
    guard avcodec_parameters_to_context(context, demuxer.stream.pointee.codecpar) >= 0 else {
      throw .unplayable("malformed \(name) header")
    }
    context.pointee.pkt_timebase = demuxer.stream.pointee.time_base
    // The decoder reports delay and padding instead of cutting them off. Only `Trimmer` cuts.
    context.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL
    // Decoding runs at a thousand times the speed of playback. More threads would cost more than they save.
    context.pointee.thread_count = 1
    let code = avcodec_open2(context, codec, nil)
    guard code >= 0 else { throw MediaError(code: code, doing: "decode") }
  }

  /// Returns the decoder of a codec. libspeex is preferred for Speex because FFmpeg 7.1's own decoder inserts silence
  /// between the frames of a packet.
  private static func codec(_ id: AVCodecID) -> UnsafePointer<AVCodec>? {
    let preferred = id == AV_CODEC_ID_SPEEX ? avcodec_find_decoder_by_name("libspeex") : nil
    return preferred ?? avcodec_find_decoder(id)
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&context)
  }

  /// The bits of a source sample; nil for codecs that do not report them.
  var bitsPerRawSample: Int? {
    context.pointee.bits_per_raw_sample > 0 ? Int(context.pointee.bits_per_raw_sample) : nil
  }

  /// Whether the frames that were decoded last include the lossless extension of DTS.
  var decodesLosslessDTS: Bool {
    // These are the profiles DTS_HD_MA, DTS_HD_MA_X and DTS_HD_MA_X_IMAX. FFmpeg 5 has only the first one.
    (60...62).contains(context.pointee.profile)
  }

  package enum Output {
    case frame
    /// The decoder needs another packet first.
    case needsPacket
    /// The decoder has returned all frames of the packets that it received.
    case ended
    /// A packet could not be decoded. The next ones may be decodable.
    case undecodable
  }

  package func receive(_ frame: Frame) -> Output {
    while true {
      let code = avcodec_receive_frame(context, frame.pointer)
      switch code {
      case 0...: return .frame
      case segue_averror_eagain:
        guard !rest.bytes.isEmpty else { return .needsPacket }
        guard sendPart() else { return .undecodable }
      case segue_averror_eof: return .ended
      default: return .undecodable
      }
    }
  }

  /// Sends a packet, or nil at the end of the stream. Returns false if the packet is undecodable and is to be skipped.
  package func send(_ packet: Packet?) -> Bool {
    guard let packet, let size = Self.frameSize(context.pointee.codec_id, packet.bytes), size < packet.bytes.count,
      av_packet_ref(rest.pointer, packet.pointer) >= 0
    else { return avcodec_send_packet(context, packet?.pointer) >= 0 }
    return sendPart()
  }

  /// Sends the next frame of `rest`.
  private func sendPart() -> Bool {
    let bytes = rest.bytes
    let size = min(bytes.count, Self.frameSize(context.pointee.codec_id, bytes) ?? bytes.count)
    guard av_packet_ref(part.pointer, rest.pointer) >= 0 else {
      rest.unref()
      return false
    }
    part.pointer.pointee.size = Int32(size)
    let isDecodable = avcodec_send_packet(context, part.pointer) >= 0
    part.unref()
    guard size < bytes.count else {
      rest.unref()
      return isDecodable
    }
    rest.pointer.pointee.data += size
    rest.pointer.pointee.size -= Int32(size)
    rest.pointer.pointee.pts = segue_av_nopts_value
    return isDecodable
  }

  /// Returns the size of the frame of AMR that begins with the first of `bytes` (RFC 4867, 5.3), of which a packet in
  /// an MP4 file may have several. libavcodec decodes only the first. Returns nil for other codecs, and for no bytes.
  private static func frameSize(_ codec: AVCodecID, _ bytes: UnsafeRawBufferPointer) -> Int? {
    let sizes: [Int] =
      switch codec {
      case AV_CODEC_ID_AMR_NB: [13, 14, 16, 18, 20, 21, 27, 32, 6]
      case AV_CODEC_ID_AMR_WB: [18, 24, 33, 37, 41, 47, 51, 59, 61, 6]
      default: []
      }
    guard let first = bytes.first, !sizes.isEmpty else { return nil }
    let mode = Int(first >> 3 & 0xF)
    return mode < sizes.count ? sizes[mode] : 1
  }

  /// Discards the decoder's state before a seek.
  package func flush() {
    rest.unref()
    avcodec_flush_buffers(context)
  }
}

/// A converter from decoded frames to the interleaved PCM of the ring. Integers are converted losslessly: samples of 8
/// bits become samples of 16 bits, and samples of more than 16 bits become samples of 32 bits. All floating-point
/// samples become 32-bit floats, in which NaN and infinity become silence.
package final class Interleaver {
  private var scratch: UnsafeMutableRawBufferPointer = .allocate(byteCount: 64 * 1024, alignment: 64)

  /// The rates of audio: from the lowest one that audio interfaces play (DirectSound's DSBFREQUENCY_MIN) to that of
  /// DSD512 after decimation by eight.
  private static let rates = SampleRate(100)...SampleRate(2_822_400)

  package init() {}

  deinit { scratch.deallocate() }

  /// Returns the format to which `frame` is converted; nil for formats that a decoder of audio should never produce.
  package static func target(of frame: Frame) -> AudioFormat? {
    let sample: SampleFormat
    switch frame.sampleFormat {
    case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P, AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P: sample = .signed16
    case AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P, AV_SAMPLE_FMT_S64, AV_SAMPLE_FMT_S64P: sample = .signed32
    case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP: sample = .float32
    default: return nil
    }
    let format = AudioFormat(sample: sample, rate: frame.rate, channels: frame.layout)
    return format.channels.isValid && rates.contains(format.rate) ? format : nil
  }

  /// Returns the reason why `frame` is not converted, if that is the rate or the number of channels that a header
  /// states.
  package static func refusal(of frame: Frame) -> MediaError? {
    if frame.rate.hertz > 0, !rates.contains(frame.rate) {
      return .unplayable("audio with a sample rate of \(frame.rate) is not supported")
    }
    if frame.channelCount > 0, !frame.layout.isValid {
      return .unplayable("audio with \(frame.channelCount) channels is not supported")
    }
    return nil
  }

  /// Returns `count` frames from `start` on. The bytes are valid until the next call, or until `frame` is reused.
  package func interleave(_ frame: Frame, from start: Int, count: Int) -> UnsafeRawBufferPointer {
    switch frame.sampleFormat {
    case AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S32: slice(frame, start, count)
    case AV_SAMPLE_FMT_S16P where frame.channelCount == 1, AV_SAMPLE_FMT_S32P where frame.channelCount == 1:
      slice(frame, start, count)
    case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P:
      convertSamples(frame, start, count) { (x: UInt8) in (Int16(x) - 128) << 8 }
    case AV_SAMPLE_FMT_S16P: convertSamples(frame, start, count) { (x: Int16) in x }
    case AV_SAMPLE_FMT_S32P: convertSamples(frame, start, count) { (x: Int32) in x }
    case AV_SAMPLE_FMT_S64, AV_SAMPLE_FMT_S64P:
      convertSamples(frame, start, count) { (x: Int64) in Int32(truncatingIfNeeded: x >> 32) }
    case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP: convertSamples(frame, start, count) { (x: Float) in x.isFinite ? x : 0 }
    case AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP:
      // A finite double may become infinite as a float.
      convertSamples(frame, start, count) { (x: Double) in
        let narrow = Float(x)
        return narrow.isFinite ? narrow : 0
      }
    default: UnsafeRawBufferPointer(start: nil, count: 0)
    }
  }

  private func slice(_ frame: Frame, _ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
    let stride = Int(av_get_bytes_per_sample(frame.sampleFormat)) * frame.channelCount
    let data = UnsafeRawPointer(frame.pointer.pointee.extended_data[0])
    return UnsafeRawBufferPointer(start: data.map { $0 + start * stride }, count: count * stride)
  }

  @inline(__always)
  private func convertSamples<Source, Target>(
    _ frame: Frame, _ start: Int, _ count: Int, _ convert: (Source) -> Target
  ) -> UnsafeRawBufferPointer {
    let channels = frame.channelCount
    let size = count * channels * MemoryLayout<Target>.stride
    let target = scratchMemory(for: size).bindMemory(to: Target.self, capacity: count * channels)
    guard let planes = frame.pointer.pointee.extended_data else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let isPlanar = av_sample_fmt_is_planar(frame.sampleFormat) != 0
    func plane(_ index: Int) -> UnsafePointer<Source>? {
      planes[index].map { UnsafeRawPointer($0).assumingMemoryBound(to: Source.self) }
    }
    if !isPlanar || channels == 1 {
      guard let source = plane(0) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
      let first = source + start * channels
      for index in 0..<count * channels { target[index] = convert(first[index]) }
    } else if channels == 2, let left = plane(0), let right = plane(1) {
      for index in 0..<count {
        target[2 * index] = convert(left[start + index])
        target[2 * index + 1] = convert(right[start + index])
      }
    } else {
      for channel in 0..<channels {
        guard let source = plane(channel) else { continue }
        for index in 0..<count { target[index * channels + channel] = convert(source[start + index]) }
      }
    }
    return UnsafeRawBufferPointer(start: target, count: size)
  }

  private func scratchMemory(for size: Int) -> UnsafeMutableRawPointer {
    if size > scratch.count {
      scratch.deallocate()
      scratch = .allocate(byteCount: size, alignment: 64)
    }
    // An allocation of more than zero bytes has an address.
    return scratch.baseAddress.unsafelyUnwrapped
  }
}
