// Decoding thread only.
internal import CFFmpeg
internal import SegueSystem

/// Makes PCM of one format into PCM of another: libswresample. Frame 0 of the one is frame 0 of the other.
final class Resampler {
  let source: AudioFormat
  let target: AudioFormat
  private var context: OpaquePointer?
  private var scratch: UnsafeMutableRawBufferPointer = .allocate(byteCount: 256 * 1024, alignment: 64)

  /// nil if libswresample does not know how.
  init?(from source: AudioFormat, to target: AudioFormat) {
    self.source = source
    self.target = target
    var input = source.channels.layout
    var output = target.channels.layout
    defer {
      av_channel_layout_uninit(&input)
      av_channel_layout_uninit(&output)
    }
    guard
      swr_alloc_set_opts2(
        &context, &output, target.sample.libav, Int32(target.rate.hertz), &input, source.sample.libav,
        Int32(source.rate.hertz), 0, nil) >= 0,
      mix(), swr_init(context) >= 0
    else { return nil }
  }

  /// One channel is heard as loud from both sides, as sound servers play it; of more channels than there are to be, no
  /// sum goes beyond full scale.
  private func mix() -> Bool {
    if source.channels.count == 1, target.channels.count == 2 { return swr_set_matrix(context, [1, 1], 1) >= 0 }
    return av_opt_set_double(UnsafeMutableRawPointer(context), "rematrix_maxval", 1, 0) >= 0
  }

  deinit {
    swr_free(&context)
    scratch.deallocate()
  }

  /// What has become of `bytes` and what came before; nil asks for the rest, some frames that wait for those after them.
  /// Valid until the next call.
  func convert(_ bytes: UnsafeRawBufferPointer?) -> UnsafeRawBufferPointer {
    let frames = (bytes?.count ?? 0) / source.bytesPerFrame
    let room = Int(swr_get_out_samples(context, Int32(frames)))
    let needed = max(1, room) * target.bytesPerFrame
    if needed > scratch.count {
      scratch.deallocate()
      scratch = .allocate(byteCount: needed, alignment: 64)
    }
    var output = scratch.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let input = bytes?.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let count = segue_resample(context, &output, Int32(room), input, Int32(frames))
    return UnsafeRawBufferPointer(rebasing: scratch[..<(max(0, Int(count)) * target.bytesPerFrame)])
  }
}

extension SampleFormat {
  fileprivate var libav: AVSampleFormat {
    switch self {
    case .signed16: AV_SAMPLE_FMT_S16
    case .signed32: AV_SAMPLE_FMT_S32
    case .float32: AV_SAMPLE_FMT_FLT
    }
  }
}

extension ChannelLayout {
  /// As libavutil's default has it where the positions are unknown.
  fileprivate var layout: AVChannelLayout {
    var layout = AVChannelLayout()
    if mask == 0 || av_channel_layout_from_mask(&layout, mask) < 0 { av_channel_layout_default(&layout, Int32(count)) }
    return layout
  }
}
