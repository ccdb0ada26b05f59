internal import SegueLink
internal import SegueRing
internal import SegueSystem
internal import SegueWire

/// A delegate of the engine. It says how entries are decoded, and handles what happens to them.
@MainActor
protocol EngineDelegate: AnyObject {
  /// The time for which stream and worker are kept after a pause or stop.
  var gracePeriod: MediaTime { get }

  /// Returns the URI of an entry, nil if it is not in the queue any more.
  func uri(of entry: EntryID) -> String?

  /// Calls `then` with the gain of an entry, possibly before this returns.
  func findGain(of entry: EntryID, then: @escaping @MainActor (GainParameters) -> Void)

  /// Sets the rate and the fades of an entry. `previous`: the generation that the same worker decodes before it, nil if
  /// there is none.
  func setPlaybackOptions(of source: inout MediaSource, for entry: EntryID, after previous: Generation?)

  /// Handles an event that changes the state of playback.
  func handle(_ event: Transport.Event)

  /// Handles the description of a generation's file, which the worker has opened.
  func handleOpened(_ generation: Generation, _ info: MediaInfo)

  /// Handles the exact duration of a generation that was decoded to its end.
  func handleDuration(of generation: Generation, _ duration: MediaTime)

  /// Handles the failure because of which the rest of a generation's file, of which a part is played, cannot be decoded.
  func handleTruncation(of generation: Generation, _ failure: Failure)

  /// Handles a title of a live stream at the time at which it becomes audible.
  func handleStreamTitle(of generation: Generation, _ title: String)

  /// Handles that the final position of a pause that fades out is known.
  func handlePausePosition()

  /// Handles a change of the sink's `output`.
  func handleOutputChange()

  /// Handles that the sound server refused to open a stream.
  func handleRefusedStream(_ reason: String)

  /// Handles a change of the stream's volume at the sound server.
  func handleVolumeChange(_ volume: VolumeState)
}
