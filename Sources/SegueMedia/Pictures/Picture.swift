// Decoding thread only.
internal import CFFmpeg
internal import SegueLink
internal import SegueSystem
internal import SegueWire

/// A picture as pixels.
final class Picture {
  let frame: UnsafeMutablePointer<AVFrame>

  /// Holds the frame from now on.
  private init(owning frame: UnsafeMutablePointer<AVFrame>) { self.frame = frame }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&frame)
  }

  /// Decodes the first picture in `bytes`. One with more than `CoverInfo.maximumPixels` is refused by its header.
  convenience init(decoding bytes: UnsafeRawBufferPointer, _ format: CoverInfo.Format) throws(MediaError) {
    guard let id = format.codec, let codec = avcodec_find_decoder(id) else { throw Self.unreadable }
    var context = avcodec_alloc_context3(codec)
    var packet = av_packet_alloc()
    var frame = av_frame_alloc()
    defer {
      avcodec_free_context(&context)
      av_packet_free(&packet)
      av_frame_free(&frame)
    }
    guard let context, let packet, let result = frame, av_new_packet(packet, Int32(bytes.count)) == 0 else {
      throw Self.noMemory
    }
    // What follows the bytes is zero, as the decoders want it.
    packet.pointee.data.update(from: bytes.assumingMemoryBound(to: UInt8.self).baseAddress!, count: bytes.count)
    context.pointee.max_pixels = Int64(CoverInfo.maximumPixels)
    // A locked-in worker has one thread.
    context.pointee.thread_count = 1
    guard avcodec_open2(context, codec, nil) == 0, avcodec_send_packet(context, packet) == 0 else {
      throw Self.unreadable
    }
    var status = avcodec_receive_frame(context, result)
    if status == segue_averror_eagain {
      avcodec_send_packet(context, nil)
      status = avcodec_receive_frame(context, result)
    }
    guard status == 0, result.pointee.width > 0, result.pointee.height > 0 else { throw Self.unreadable }
    // It is the new object's now.
    frame = nil
    self.init(owning: result)
  }

  var size: PictureSize { PictureSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height)) }

  var pixels: AVPixelFormat { AVPixelFormat(frame.pointee.format) }

  /// Some of it may show what is behind it.
  var isTransparent: Bool {
    guard let descriptor = av_pix_fmt_desc_get(pixels) else { return false }
    return descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
  }

  /// The same at another size, with other pixels.
  func scaled(to size: PictureSize, _ pixels: AVPixelFormat) throws(MediaError) -> Picture {
    guard let made = av_frame_alloc() else { throw Self.noMemory }
    let result = Picture(owning: made)
    made.pointee.width = Int32(size.width)
    made.pointee.height = Int32(size.height)
    made.pointee.format = pixels.rawValue
    guard av_frame_get_buffer(made, 0) == 0 else { throw Self.noMemory }
    let status = segue_scale(frame, made)
    if status == segue_averror_einval { throw Self.unreadable }
    guard status >= 0 else { throw Self.noMemory }
    return result
  }

  static let unreadable = MediaError.failed(Failure(.unplayable, "no picture that can be decoded"))
  static let noMemory = MediaError.failed(Failure(.tooLarge, "the picture takes too much memory"))
}

extension CoverInfo.Format {
  fileprivate var codec: AVCodecID? {
    switch self {
    case .jpeg: AV_CODEC_ID_MJPEG
    case .png: AV_CODEC_ID_PNG
    case .gif: AV_CODEC_ID_GIF
    case .webp: AV_CODEC_ID_WEBP
    case .bmp: AV_CODEC_ID_BMP
    case .other: nil
    }
  }
}
