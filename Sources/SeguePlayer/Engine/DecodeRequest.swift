internal import SegueSystem
internal import SegueWorkerProtocol

/// A request to decode an item of the plan: it carries what the engine needs to open the item at any later time.
struct DecodeRequest {
  let item: Transport.Item
  /// The sample rate to which the audio is resampled; nil for the original one.
  let rate: SampleRate?
  let speed: PlaybackSpeed
  /// The maximum duration of a crossfade with the next track.
  var fadeOut = MediaTime.zero
  /// The maximum duration of a crossfade with the track before it, if the same worker decodes both.
  var fadeIn = MediaTime.zero
  /// Calls its argument with the gain, possibly before it returns.
  let findGain: @MainActor (@escaping @MainActor (GainParameters) -> Void) -> Void

  /// Returns `source` with these options, whatever it had before. `isJoined`: whether the worker joins it to the track
  /// before.
  func applied(to source: MediaSource, gain: GainParameters, isJoined: Bool) -> MediaSource {
    var source = source
    (source.gain, source.rate, source.speed) = (gain, rate, speed)
    (source.fadeIn, source.fadeOut) = (isJoined ? fadeIn : .zero, fadeOut)
    return source
  }
}
