internal import CPulse
internal import SegueSystem

/// A volume as people set it: 0…100 percent of PulseAudio's linear scale, as mixers show it. 100 is `PA_VOLUME_NORM`; the
/// server may report more.
struct Volume: Equatable {
  var percent: Int

  init(percent: Int) { self.percent = percent.clamped(to: 0...1000) }

  /// The loudest channel decides, as mixers show it.
  init(_ volume: pa_cvolume) {
    var volume = volume
    percent = Int((UInt64(pa_cvolume_max(&volume)) * 100 + UInt64(PA_VOLUME_NORM) / 2) / UInt64(PA_VOLUME_NORM))
  }

  private var raw: pa_volume_t {
    pa_volume_t((UInt64(percent) * UInt64(PA_VOLUME_NORM) + 50) / 100)
  }

  /// The same for every channel.
  func spread(over channels: UInt8) -> pa_cvolume {
    var volume = pa_cvolume()
    pa_cvolume_set(&volume, UInt32(channels), raw)
    return volume
  }

  /// This loud, with the balance between the channels kept as it was.
  func scaling(_ old: pa_cvolume) -> pa_cvolume {
    var volume = old
    if pa_cvolume_max(&volume) == PA_VOLUME_MUTED { return spread(over: old.channels) }
    pa_cvolume_scale(&volume, raw)
    return volume
  }
}
