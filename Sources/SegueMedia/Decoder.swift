internal import CFFmpeg

/// A codec at work: packets in, frames out.
final class Decoder {
  private let context: UnsafeMutablePointer<AVCodecContext>

  init(for demuxer: Demuxer) throws(MediaError) {
    let parameters = demuxer.parameters
    // 'drms' and 'enca': iTunes' and Common Encryption's sample entries.
    if [0x736D_7264, 0x6163_6E65].contains(parameters.codec_tag) {
      throw .unplayable("encrypted: its seller allows it in certain players only")
    }
    let name = String(cString: avcodec_get_name(parameters.codec_id))
    guard let codec = Self.codec(parameters.codec_id), let context = avcodec_alloc_context3(codec) else {
      throw .unplayable("no decoder for its codec (\(name))")
    }
    self.context = context
    guard avcodec_parameters_to_context(context, demuxer.stream.pointee.codecpar) >= 0 else {
      throw .unplayable("broken \(name) header")
    }
    context.pointee.pkt_timebase = demuxer.timeBase
    // One trimmer only, ours: the decoder hands delay and padding out instead of cutting them.
    context.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL
    // Threads would cost more in switching than they bring at a thousand times real time.
    context.pointee.thread_count = 1
    let code = avcodec_open2(context, codec, nil)
    guard code >= 0 else { throw MediaError(code: code, doing: "decode") }
  }

  /// The decoder of libspeex is preferred: FFmpeg 7.1's own one puts silence between the frames of a packet.
  private static func codec(_ id: AVCodecID) -> UnsafePointer<AVCodec>? {
    let preferred = id == AV_CODEC_ID_SPEEX ? avcodec_find_decoder_by_name("libspeex") : nil
    return preferred ?? avcodec_find_decoder(id)
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&context)
  }

  /// nil for codecs that have none.
  var bitsPerRawSample: Int? {
    context.pointee.bits_per_raw_sample > 0 ? Int(context.pointee.bits_per_raw_sample) : nil
  }

  enum Answer {
    case frame
    /// Send a packet first.
    case wantsPacket
    /// Everything sent has come out.
    case ended
    /// What was sent could not be decoded; go on.
    case broken
  }

  func receive(_ frame: Frame) -> Answer {
    let code = avcodec_receive_frame(context, frame.pointer)
    switch code {
    case 0...: return .frame
    case segue_averror_eagain: return .wantsPacket
    case segue_averror_eof: return .ended
    default: return .broken
    }
  }

  /// Takes a packet, or nil for the end. False if it could make nothing of it: a broken packet, to be passed over.
  func send(_ packet: Packet?) -> Bool { avcodec_send_packet(context, packet?.pointer) >= 0 }

  /// Forgets what was sent, for a jump.
  func flush() { avcodec_flush_buffers(context) }
}
