// Thread: the decoding thread.
internal import CEBUR128
package import SegueSystem
package import SegueWire

/// A meter of a track's loudness (EBU R 128, by libebur128) and sample peak.
package final class LoudnessMeter {
  private var state: UnsafeMutablePointer<ebur128_state>?
  private var format: AudioFormat?
  private var peak = 0.0

  /// The reference level of ReplayGain 2.0, in LUFS.
  private static let reference = -18.0

  package init() {}

  deinit { if state != nil { ebur128_destroy(&state) } }

  /// Adds whole frames. Returns false if libebur128 does not support the format.
  package func add(_ format: AudioFormat, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard format == self.format || begin(format), let state else { return false }
    let frames = bytes.count / format.bytesPerFrame
    guard frames > 0, let base = bytes.baseAddress else { return true }
    let code =
      switch format.sample {
      case .signed16: ebur128_add_frames_short(state, base.assumingMemoryBound(to: Int16.self), frames)
      case .signed32: ebur128_add_frames_int(state, base.assumingMemoryBound(to: Int32.self), frames)
      case .float32: ebur128_add_frames_float(state, base.assumingMemoryBound(to: Float.self), frames)
      }
    return code == Int32(EBUR128_SUCCESS.rawValue)
  }

  /// Starts measuring audio of `format`, which may change within a track.
  private func begin(_ format: AudioFormat) -> Bool {
    let (channels, rate) = (UInt32(format.channels.count), UInt(format.rate.hertz))
    updatePeak()
    if let state {
      let code = ebur128_change_parameters(state, channels, rate)
      guard [EBUR128_SUCCESS.rawValue, EBUR128_ERROR_NO_CHANGE.rawValue].contains(UInt32(bitPattern: code)) else {
        return false
      }
    } else {
      let mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_SAMPLE_PEAK.rawValue | EBUR128_MODE_HISTOGRAM.rawValue
      state = ebur128_init(channels, rate, Int32(bitPattern: mode))
    }
    self.format = format
    setChannelWeights(format.channels)
    return state != nil
  }

  /// Sets the weight of each channel. Mono is played by two loudspeakers.
  private func setChannelWeights(_ layout: ChannelLayout) {
    guard let state else { return }
    if layout.count == 1 {
      ebur128_set_channel(state, 0, Int32(bitPattern: EBUR128_DUAL_MONO.rawValue))
      return
    }
    var index: UInt32 = 0
    for bit in 0..<64 where layout.mask & 1 << UInt64(bit) != 0 {
      let channel =
        switch bit {
        case 0: EBUR128_LEFT
        case 1: EBUR128_RIGHT
        case 2: EBUR128_CENTER
        case 3: EBUR128_UNUSED
        case 4, 9: EBUR128_LEFT_SURROUND
        case 5, 10: EBUR128_RIGHT_SURROUND
        default: EBUR128_CENTER
        }
      ebur128_set_channel(state, index, Int32(bitPattern: channel.rawValue))
      index += 1
    }
  }

  /// Includes the peaks since the last change of format, which libebur128 resets at a change.
  private func updatePeak() {
    guard let state, let format else { return }
    for channel in 0..<UInt32(format.channels.count) {
      var value = 0.0
      if ebur128_sample_peak(state, channel, &value) == Int32(EBUR128_SUCCESS.rawValue) { peak = max(peak, value) }
    }
  }

  /// Returns the gain of the last track of `album`, and of the whole album. Silent audio has no gain.
  package static func gain(of album: [LoudnessMeter]) -> ReplayGain {
    guard let track = album.last else { return ReplayGain() }
    track.updatePeak()
    var (trackLoudness, albumLoudness) = (-Double.infinity, -Double.infinity)
    if let state = track.state { ebur128_loudness_global(state, &trackLoudness) }
    var states = album.map(\.state).filter { $0 != nil }
    ebur128_loudness_global_multiple(&states, states.count, &albumLoudness)
    return ReplayGain(
      trackGain: reference - trackLoudness, trackPeak: track.peak, albumGain: reference - albumLoudness,
      albumPeak: album.map(\.peak).max())
  }
}
