// Thread: the decoding thread.
internal import CFFmpeg
internal import SegueSystem
internal import SegueWire
package import SegueWorkerProtocol

/// An encoder of pictures.
package enum PictureEncoder {
  case jpeg
  case png(isTransparent: Bool)
  case ppm

  var pixelFormat: AVPixelFormat {
    switch self {
    case .jpeg: AV_PIX_FMT_YUVJ444P
    case .png(let isTransparent): isTransparent ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24
    case .ppm: AV_PIX_FMT_RGB24
    }
  }

  package var format: CoverInfo.Format {
    switch self {
    case .jpeg: .jpeg
    case .png: .png
    case .ppm: .ppm
    }
  }

  private var codec: AVCodecID {
    switch self {
    case .jpeg: AV_CODEC_ID_MJPEG
    case .png: AV_CODEC_ID_PNG
    case .ppm: AV_CODEC_ID_PPM
    }
  }

  /// The quantizer scale of libavcodec, of which 1 is the best. At 2 no loss is visible.
  private static let quality = 2 * FF_QP2LAMBDA

  /// Encodes `picture`, whose pixel format is that of this encoder, and passes the bytes to `body`.
  package func encode<Result>(
    _ picture: Picture, _ body: (UnsafeRawBufferPointer) throws(MediaError) -> Result
  ) throws(MediaError) -> Result {
    guard let codec = avcodec_find_encoder(codec) else {
      throw .failed(Failure(.unavailable, "this FFmpeg has no encoder for pictures"))
    }
    var context = avcodec_alloc_context3(codec)
    var packet = av_packet_alloc()
    defer {
      avcodec_free_context(&context)
      av_packet_free(&packet)
    }
    guard let context, let packet else { throw Picture.outOfMemory }
    context.pointee.width = picture.frame.pointee.width
    context.pointee.height = picture.frame.pointee.height
    context.pointee.pix_fmt = pixelFormat
    context.pointee.time_base = AVRational(num: 1, den: 1)
    context.pointee.thread_count = 1
    context.pointee.flags |= AV_CODEC_FLAG_QSCALE
    context.pointee.global_quality = Self.quality
    picture.frame.pointee.quality = Self.quality
    picture.frame.pointee.pts = 0
    guard avcodec_open2(context, codec, nil) == 0, avcodec_send_frame(context, picture.frame) == 0,
      avcodec_send_frame(context, nil) == 0, avcodec_receive_packet(context, packet) == 0
    else { throw Picture.outOfMemory }
    return try body(UnsafeRawBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
  }
}
