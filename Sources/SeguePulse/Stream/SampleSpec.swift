internal import CPulse
internal import SegueSystem

extension AudioFormat {
  /// The format for PulseAudio; nil if PulseAudio does not support it, for example above 384 kHz.
  var sampleSpec: pa_sample_spec? {
    let format =
      switch sample {
      case .signed16: segue_pa_sample_s16
      case .signed32: segue_pa_sample_s32
      case .float32: segue_pa_sample_float32
      }
    var spec = pa_sample_spec(format: format, rate: rate.hertz, channels: channels.count)
    return pa_sample_spec_valid(&spec) != 0 ? spec : nil
  }

  /// Returns the size of `time` in bytes, in whole frames.
  func bytes(in time: MediaTime) -> Int { Int(rate.frames(in: time).count) * bytesPerFrame }
}

extension ChannelLayout {
  /// The channel map for PulseAudio. The bits of the mask have the order of WAVEFORMATEXTENSIBLE. A layout without a
  /// mask gets PulseAudio's default for WAVE; a layout that has no default gets numbered positions.
  var channelMap: pa_channel_map {
    var map = pa_channel_map()
    map.channels = count
    let known = mask.nonzeroBitCount == Int(count) && mask >> UInt64(Self.positions.count) == 0
    if known, place({ Self.positions[$0] }, in: &map) { return map }
    if mask == 0, pa_channel_map_init_auto(&map, UInt32(count), PA_CHANNEL_MAP_WAVEEX) != nil { return map }
    map.channels = count
    withUnsafeMutableBytes(of: &map.map) { bytes in
      let slots = bytes.assumingMemoryBound(to: pa_channel_position_t.self)
      for index in 0..<Int(count) {
        slots[index] = pa_channel_position_t(PA_CHANNEL_POSITION_AUX0.rawValue + Int32(index))
      }
    }
    return map
  }

  private func place(_ position: (Int) -> pa_channel_position_t, in map: inout pa_channel_map) -> Bool {
    withUnsafeMutableBytes(of: &map.map) { bytes in
      let slots = bytes.assumingMemoryBound(to: pa_channel_position_t.self)
      var slot = 0
      for bit in 0..<64 where mask & 1 << UInt64(bit) != 0 {
        slots[slot] = position(bit)
        slot += 1
      }
    }
    // A single front channel is mono, which servers play on every loudspeaker.
    if count == 1, mask == ChannelLayout.mono.mask { map.map.0 = PA_CHANNEL_POSITION_MONO }
    return pa_channel_map_valid(&map) != 0
  }

  /// The positions in the order of the mask's bits.
  private static let positions = [
    PA_CHANNEL_POSITION_FRONT_LEFT, PA_CHANNEL_POSITION_FRONT_RIGHT, PA_CHANNEL_POSITION_FRONT_CENTER,
    PA_CHANNEL_POSITION_LFE, PA_CHANNEL_POSITION_REAR_LEFT, PA_CHANNEL_POSITION_REAR_RIGHT,
    PA_CHANNEL_POSITION_FRONT_LEFT_OF_CENTER, PA_CHANNEL_POSITION_FRONT_RIGHT_OF_CENTER,
    PA_CHANNEL_POSITION_REAR_CENTER, PA_CHANNEL_POSITION_SIDE_LEFT, PA_CHANNEL_POSITION_SIDE_RIGHT,
    PA_CHANNEL_POSITION_TOP_CENTER, PA_CHANNEL_POSITION_TOP_FRONT_LEFT, PA_CHANNEL_POSITION_TOP_FRONT_CENTER,
    PA_CHANNEL_POSITION_TOP_FRONT_RIGHT, PA_CHANNEL_POSITION_TOP_REAR_LEFT, PA_CHANNEL_POSITION_TOP_REAR_CENTER,
    PA_CHANNEL_POSITION_TOP_REAR_RIGHT,
  ]
}
