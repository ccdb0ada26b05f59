internal import CPulse

/// The relations between the volumes of channels, which mixers call balance and fade.
struct ChannelBalance: Equatable {
  private struct Channel: Equatable {
    /// A `pa_channel_position_t`.
    let position: Int32
    /// The volume in relation to that of the loudest channel, which has `PA_VOLUME_NORM`.
    let share: pa_volume_t
  }

  private let channels: [Channel]

  private static let maximumChannels = Int(PA_CHANNELS_MAX)
  /// The difference that is an effect of rounding, because mixers scale volumes in whole numbers.
  private static let tolerance: pa_volume_t = 2

  /// Returns nil if all channels have the same volume, or if all are silent, which says nothing about their relations.
  init?(_ volumes: pa_cvolume, on map: pa_channel_map) {
    var volumes = volumes
    guard pa_cvolume_max(&volumes) != PA_VOLUME_MUTED else { return nil }
    pa_cvolume_scale(&volumes, PA_VOLUME_NORM)
    channels = zip(Self.positions(of: map), Self.values(of: volumes)).map { Channel(position: $0, share: $1) }
    if channels.allSatisfy({ $0.share == PA_VOLUME_NORM }) { return nil }
  }

  /// Parses the representation that `text` returns.
  init?(text: String) {
    var channels: [Channel] = []
    for part in text.split(separator: " ", maxSplits: Self.maximumChannels) {
      let fields = part.split(separator: "=")
      guard fields.count == 2, let share = pa_volume_t(String(fields[1])), share <= PA_VOLUME_NORM else { return nil }
      let position = pa_channel_position_from_string(String(fields[0]))
      guard position.rawValue >= 0 else { return nil }
      channels.append(Channel(position: position.rawValue, share: share))
    }
    guard (1...Self.maximumChannels).contains(channels.count) else { return nil }
    self.channels = channels
  }

  /// A representation for a file, with the names of PulseAudio: `front-left=65536 front-right=32768`.
  var text: String {
    channels.map { channel in
      String(cString: pa_channel_position_to_string(pa_channel_position_t(channel.position))) + "=\(channel.share)"
    }.joined(separator: " ")
  }

  /// Returns volumes in these relations for the channels of `map`, the loudest of which has the volume `level`.
  func volumes(level: pa_volume_t, on map: pa_channel_map) -> pa_cvolume {
    var volumes = pa_cvolume()
    var (source, target) = (pa_channel_map(), map)
    pa_cvolume_set(&volumes, UInt32(channels.count), PA_VOLUME_NORM)
    pa_channel_map_init(&source)
    source.channels = UInt8(channels.count)
    withUnsafeMutableBytes(of: &volumes.values) { values in
      withUnsafeMutableBytes(of: &source.map) { positions in
        for (index, channel) in channels.enumerated() {
          values.assumingMemoryBound(to: pa_volume_t.self)[index] = channel.share
          positions.assumingMemoryBound(to: pa_channel_position_t.self)[index] = pa_channel_position_t(channel.position)
        }
      }
    }
    pa_cvolume_remap(&volumes, &source, &target)
    pa_cvolume_scale(&volumes, level)
    return volumes
  }

  /// Returns whether two lists of volumes are equal, apart from rounding.
  static func areEqual(_ one: pa_cvolume, _ other: pa_cvolume) -> Bool {
    one.channels == other.channels
      && zip(values(of: one), values(of: other)).allSatisfy { max($0, $1) - min($0, $1) <= tolerance }
  }

  private static func values(of volumes: pa_cvolume) -> [pa_volume_t] {
    withUnsafeBytes(of: volumes.values) { Array($0.bindMemory(to: pa_volume_t.self).prefix(Int(volumes.channels))) }
  }

  private static func positions(of map: pa_channel_map) -> [Int32] {
    withUnsafeBytes(of: map.map) { bytes in
      bytes.bindMemory(to: pa_channel_position_t.self).prefix(Int(map.channels)).map(\.rawValue)
    }
  }
}
