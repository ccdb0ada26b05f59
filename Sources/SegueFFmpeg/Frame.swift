internal import CFFmpeg
package import SegueSystem

/// An AVFrame of decoded audio, which is reused for every frame of a track.
package final class Frame {
  let pointer: UnsafeMutablePointer<AVFrame>

  package init() {
    guard let pointer = av_frame_alloc() else { fatalError("out of memory") }
    self.pointer = pointer
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVFrame>? = pointer
    av_frame_free(&pointer)
  }

  package var count: Int { Int(pointer.pointee.nb_samples) }
  package var pts: Int64? { pointer.pointee.best_effort_timestamp.timestamp ?? pointer.pointee.pts.timestamp }
  package var rate: SampleRate { SampleRate(UInt32(clamping: pointer.pointee.sample_rate)) }
  var sampleFormat: AVSampleFormat { AVSampleFormat(pointer.pointee.format) }
  var channelCount: Int { Int(pointer.pointee.ch_layout.nb_channels) }
  var layout: ChannelLayout { ChannelLayout(pointer.pointee.ch_layout) }

  /// The delay and the padding in this frame as libavformat found them. The decoder reports them instead of cutting
  /// them off because of AV_CODEC_FLAG2_SKIP_MANUAL.
  package var skip: (front: Int64, back: Int64)? {
    guard let data = av_frame_get_side_data(pointer, AV_FRAME_DATA_SKIP_SAMPLES), data.pointee.size >= 8 else {
      return nil
    }
    return SkipSamples.read(data.pointee.data)
  }
}

extension ChannelLayout {
  fileprivate init(_ layout: AVChannelLayout) {
    let count = UInt8(clamping: layout.nb_channels)
    var mask = layout.order == AV_CHANNEL_ORDER_NATIVE ? layout.u.mask : 0
    if mask == 0, count == 1 { mask = ChannelLayout.mono.mask }
    if mask == 0, count == 2 { mask = ChannelLayout.stereo.mask }
    self.init(count: count, mask: mask)
  }
}
