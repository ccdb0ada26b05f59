// Thread: the decoding thread.
internal import CFFmpeg
package import SegueSystem

/// A converter from one PCM format to another (libswresample). Frame 0 of the output corresponds to frame 0 of the
/// input.
package final class Resampler {
  package let source: AudioFormat
  package let target: AudioFormat
  private var context: OpaquePointer?
  private let scratch: UnsafeMutableRawBufferPointer = .allocate(byteCount: maximumOutput, alignment: 64)

  /// Whether there may be more output for the input so far.
  private var hasRemainder = false

  /// The maximum size of a part of the output in bytes. It is more than a packet of an album becomes.
  private static let maximumOutput = 256 * 1024

  /// Returns nil if libswresample cannot convert between the formats.
  package init?(from source: AudioFormat, to target: AudioFormat) {
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
      setMixingMatrix(), swr_init(context) >= 0
    else { return nil }
  }

  /// Sets the levels of the input channels in the output channels. Mono is played at full level on both channels, as
  /// sound servers play it. If there are more input than output channels, no sum exceeds full scale.
  private func setMixingMatrix() -> Bool {
    if source.channels.count == 1, target.channels.count == 2 { return swr_set_matrix(context, [1, 1], 1) >= 0 }
    return av_opt_set_double(UnsafeMutableRawPointer(context), "rematrix_maxval", 1, 0) >= 0
  }

  deinit {
    swr_free(&context)
    scratch.deallocate()
  }

  /// Converts the frames that were held back, and `bytes` after them. Returns the first part of the output, of at most
  /// `maximumOutput` bytes and at least one frame; `remainder()` returns the parts that follow. It is valid until the
  /// next call.
  ///
  /// At a low rate, a packet of a few kilobytes becomes gigabytes at the rate of a sound server.
  package func convert(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer { resample(bytes) }

  /// Returns the next part of the output for the input so far, as `convert`; an empty one if there is no more.
  package func remainder() -> UnsafeRawBufferPointer {
    // Without an address, libswresample would take no bytes for the end of the input.
    let none = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(scratch)[..<0])
    return hasRemainder ? resample(none) : none
  }

  /// Ends the input, and returns the next part of the frames that are still held back, as `convert`; an empty one if
  /// there is no more.
  package func drain() -> UnsafeRawBufferPointer { resample(nil) }

  private func resample(_ bytes: UnsafeRawBufferPointer?) -> UnsafeRawBufferPointer {
    var output = scratch.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let input = bytes?.baseAddress?.assumingMemoryBound(to: UInt8.self)
    // libswresample keeps a copy of the input for whose output there is no room.
    let capacity = scratch.count / target.bytesPerFrame
    let count = Int(
      segue_resample(context, &output, Int32(capacity), input, Int32((bytes?.count ?? 0) / source.bytesPerFrame)))
    hasRemainder = count == capacity
    return UnsafeRawBufferPointer(rebasing: scratch[..<(max(0, count) * target.bytesPerFrame)])
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
  /// The layout in the form of libavutil. If the positions of the channels are unknown, it is libavutil's default
  /// layout for their number.
  fileprivate var layout: AVChannelLayout {
    var layout = AVChannelLayout()
    if mask == 0 || av_channel_layout_from_mask(&layout, mask) < 0 { av_channel_layout_default(&layout, Int32(count)) }
    return layout
  }
}
