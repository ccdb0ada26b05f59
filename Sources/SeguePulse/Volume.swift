internal import CPulse
internal import SegueSystem

/// A volume from 0 to 100 percent of PulseAudio's linear scale, as mixers show it. 100 is `PA_VOLUME_NORM`; the server
/// may report more.
struct Volume: Equatable {
  var percent: Int

  init(percent: Int) { self.percent = percent.clamped(to: 0...1000) }

  /// Creates the volume of the loudest channel, as mixers show it.
  init(_ volume: pa_cvolume) {
    var volume = volume
    percent = Int((UInt64(pa_cvolume_max(&volume)) * 100 + UInt64(PA_VOLUME_NORM) / 2) / UInt64(PA_VOLUME_NORM))
  }

  private var raw: pa_volume_t {
    pa_volume_t((UInt64(percent) * UInt64(PA_VOLUME_NORM) + 50) / 100)
  }

  /// Returns the same volume for every channel.
  func channelVolumes(_ channels: UInt8) -> pa_cvolume {
    var volume = pa_cvolume()
    pa_cvolume_set(&volume, UInt32(channels), raw)
    return volume
  }

  /// Returns `old` scaled to this volume, with the balance between the channels preserved.
  func scaling(_ old: pa_cvolume) -> pa_cvolume {
    var volume = old
    if pa_cvolume_max(&volume) == PA_VOLUME_MUTED { return channelVolumes(old.channels) }
    pa_cvolume_scale(&volume, raw)
    return volume
  }
}
