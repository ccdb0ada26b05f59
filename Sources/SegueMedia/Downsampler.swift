// Decoding thread only.
internal import CFFmpeg
internal import SegueSystem

/// Brings what no sound server takes (DSD at 128 times and more decodes to 705,600 Hz) down to a rate it does.
final class Downsampler {
  let source: AudioFormat
  let target: AudioFormat
  private var context: OpaquePointer?
  private var scratch: UnsafeMutableRawBufferPointer = .allocate(byteCount: 256 * 1024, alignment: 64)

  /// What `format` is brought down to: itself unless its rate is too high.
  static func target(of format: AudioFormat) -> AudioFormat {
    guard format.rate > .highestPlayed else { return format }
    var target = format
    target.rate = format.rate.hertz % 44_100 == 0 ? SampleRate(352_800) : .highestPlayed
    return target
  }

  /// nil if libswresample does not know how.
  init?(from source: AudioFormat) {
    self.source = source
    target = Self.target(of: source)
    let sample =
      switch source.sample {
      case .signed16: AV_SAMPLE_FMT_S16
      case .signed32: AV_SAMPLE_FMT_S32
      case .float32: AV_SAMPLE_FMT_FLT
      }
    var layout = AVChannelLayout()
    av_channel_layout_default(&layout, Int32(source.channels.count))
    var same = layout
    guard
      swr_alloc_set_opts2(
        &context, &layout, sample, Int32(target.rate.hertz), &same, sample, Int32(source.rate.hertz), 0, nil) >= 0,
      swr_init(context) >= 0
    else { return nil }
  }

  deinit {
    swr_free(&context)
    scratch.deallocate()
  }

  /// What has become of `bytes` and what came before; nil asks for the rest. Valid until the next call.
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
