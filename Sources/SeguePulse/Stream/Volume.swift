internal import CPulse
internal import SegueSystem

/// The volume of a stream: that of its loudest channel, as mixers show it, and the relations of the other channels to
/// it.
struct Volume: Equatable {
  /// The volume of the loudest channel, where 100 percent is `PA_VOLUME_NORM`. The server may report more.
  private var level: pa_volume_t
  /// The relations between the channels; nil if all are equal.
  private(set) var balance: ChannelBalance?

  /// - Parameter percent: 0…100 percent of PulseAudio's linear scale.
  init(percent: Int, balance: ChannelBalance?) {
    level = pa_volume_t((UInt64(percent.clamped(to: 0...100)) * UInt64(PA_VOLUME_NORM) + 50) / 100)
    self.balance = balance
  }

  /// Creates the volume that the server reports for the channels of `map`.
  init(_ volumes: pa_cvolume, on map: pa_channel_map) {
    var volumes = volumes
    level = pa_cvolume_max(&volumes)
    balance = ChannelBalance(volumes, on: map)
  }

  /// The volume in percent, as mixers show it.
  var percent: Int { Int((UInt64(level) * 100 + UInt64(PA_VOLUME_NORM) / 2) / UInt64(PA_VOLUME_NORM)) }

  /// Returns the volumes for the channels of `map`, which may be others than those for which the balance was set.
  func volumes(on map: pa_channel_map) -> pa_cvolume {
    if let balance { return balance.volumes(level: level, on: map) }
    var volumes = pa_cvolume()
    pa_cvolume_set(&volumes, UInt32(map.channels), level)
    return volumes
  }

  /// Returns whether these are the volumes that a stream with the channels of `map` has, apart from rounding.
  func agrees(with volumes: pa_cvolume, on map: pa_channel_map) -> Bool {
    ChannelBalance.areEqual(self.volumes(on: map), volumes)
  }

  /// Adopts volumes that the server reports. Silence and a stream of fewer channels do not show the whole balance: it
  /// is kept unless the reported volumes contradict it.
  mutating func adopt(_ volumes: pa_cvolume, on map: pa_channel_map) {
    var volumes = volumes
    level = pa_cvolume_max(&volumes)
    if !agrees(with: volumes, on: map) { balance = ChannelBalance(volumes, on: map) }
  }
}
