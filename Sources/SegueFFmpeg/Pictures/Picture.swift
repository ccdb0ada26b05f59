// Thread: the decoding thread.
internal import CFFmpeg
internal import SegueSystem
internal import SegueWire
package import SegueWorkerProtocol

/// A decoded picture.
package final class Picture {
  let frame: UnsafeMutablePointer<AVFrame>

  /// Takes ownership of `frame`.
  private init(owning frame: UnsafeMutablePointer<AVFrame>) { self.frame = frame }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&frame)
  }

  /// Decodes the first picture in `bytes`. If the header states more than `CoverInfo.maximumPixels`, throws an error.
  package convenience init(decoding bytes: UnsafeRawBufferPointer, _ format: CoverInfo.Format) throws(MediaError) {
    guard let id = format.codec, let codec = avcodec_find_decoder(id) else { throw Self.undecodable }
    var context = avcodec_alloc_context3(codec)
    var packet = av_packet_alloc()
    var frame = av_frame_alloc()
    defer {
      avcodec_free_context(&context)
      av_packet_free(&packet)
      av_frame_free(&frame)
    }
    guard let context, let packet, let result = frame, av_new_packet(packet, Int32(bytes.count)) == 0 else {
      throw Self.outOfMemory
    }
    // av_new_packet adds the zeros that decoders require after the bytes.
    packet.pointee.data.update(from: bytes.assumingMemoryBound(to: UInt8.self).baseAddress!, count: bytes.count)
    context.pointee.max_pixels = Int64(CoverInfo.maximumPixels)
    // A sandboxed worker has one thread.
    context.pointee.thread_count = 1
    guard avcodec_open2(context, codec, nil) == 0, avcodec_send_packet(context, packet) == 0 else {
      throw Self.undecodable
    }
    var status = avcodec_receive_frame(context, result)
    if status == segue_averror_eagain {
      avcodec_send_packet(context, nil)
      status = avcodec_receive_frame(context, result)
    }
    guard status == 0, result.pointee.width > 0, result.pointee.height > 0 else { throw Self.undecodable }
    // The new object owns the frame.
    frame = nil
    self.init(owning: result)
  }

  package var size: PictureSize { PictureSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height)) }

  /// Whether the pixel format has an alpha channel.
  package var isTransparent: Bool {
    guard let descriptor = av_pix_fmt_desc_get(AVPixelFormat(frame.pointee.format)) else { return false }
    return descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
  }

  /// Returns a copy of the picture at another size, with the pixel format that `encoder` needs.
  package func scaled(to size: PictureSize, for encoder: PictureEncoder) throws(MediaError) -> Picture {
    guard let target = av_frame_alloc() else { throw Self.outOfMemory }
    let result = Picture(owning: target)
    target.pointee.width = Int32(size.width)
    target.pointee.height = Int32(size.height)
    target.pointee.format = encoder.pixelFormat.rawValue
    guard av_frame_get_buffer(target, 0) == 0 else { throw Self.outOfMemory }
    let status = segue_scale(frame, target)
    if status == segue_averror_einval { throw Self.undecodable }
    guard status >= 0 else { throw Self.outOfMemory }
    return result
  }

  static let undecodable = MediaError.failed(Failure(.unplayable, "the picture cannot be decoded"))
  static let outOfMemory = MediaError.failed(Failure(.tooLarge, "the picture is too large to decode"))
}

/// The size of a picture in pixels. Width and height are at least 1.
package struct PictureSize: Equatable {
  package var width: Int
  package var height: Int

  /// Returns the largest size with the same proportions that fits into a square of `edge` pixels, and that does not
  /// exceed this size.
  package func fitted(into edge: Int) -> PictureSize {
    let longer = max(width, height)
    guard longer > edge else { return self }
    return PictureSize(
      width: max(1, (width * edge + longer / 2) / longer), height: max(1, (height * edge + longer / 2) / longer))
  }
}

extension CoverInfo.Format {
  fileprivate var codec: AVCodecID? {
    switch self {
    case .jpeg: AV_CODEC_ID_MJPEG
    case .png: AV_CODEC_ID_PNG
    case .gif: AV_CODEC_ID_GIF
    case .webp: AV_CODEC_ID_WEBP
    case .bmp: AV_CODEC_ID_BMP
    case .ppm, .other: nil
    }
  }
}
