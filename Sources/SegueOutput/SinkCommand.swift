public import SegueRing
public import SegueSystem

/// A command to an output. Commands are executed in the order in which they are sent.
public enum SinkCommand: Sendable {
  /// Drops all generations, stops the old sound at once, and plays this generation from the ring as soon as enough of
  /// it, which the output decides, or its end marker is there. `paused`: prepares everything without a sound.
  case play(Generation, SharedRing, paused: Bool)
  /// Plays this generation without a gap after the end of `after`. Other generations that follow `after` are dropped,
  /// and PCM of them that the server has got is discarded. If `after` is over when the command arrives, this generation
  /// starts at once and replaces what is playing.
  case enqueue(Generation, SharedRing, after: Generation)
  /// Plays nothing after this generation: generations that follow it are dropped, the end is drained, and `finished` is
  /// emitted. If the generation is over when the command arrives, what plays in its place ends at once.
  case finish(after: Generation)
  /// Declares that the ring gets no more PCM or markers of this generation.
  case endOfInput(Generation)
  /// Pauses at once, or at the end of a fade; `pauseFading` is emitted in that case.
  case pause
  case resume
  /// Stops the sound at once, or at the end of a fade. The stream stays, corked and empty.
  case stop
  /// Stops, and closes the stream; after a fade if there is one. The connection stays.
  case release
  /// Sets the length of the fade on `pause` and `stop`, and of the fade back on `resume`. Zero, the initial value,
  /// means no fade.
  case fadeLength(MediaTime)
  /// Ends a fade that is in progress.
  case endFade
  /// Sets the volume to 0…100 percent of the server's linear scale, where 100 is its norm. The volume is kept for the
  /// next stream. The relations between the channels, which a mixer can set, stay.
  ///
  /// The sender numbers these commands and those for the mute upwards. The sink returns the number of the last one with
  /// each volume, so that the sender recognizes volumes from before its command.
  case volume(percent: Int, number: UInt64 = 0)
  /// Mutes the stream and those that follow, or removes the mute, even that of a call.
  case mute(Bool, number: UInt64 = 0)
  /// Sets the relations between the channels with which the next volume is set, if no volume was set or reported
  /// before. They are a text that only the output understands; nil if all channels are equal.
  case balance(String?)
  /// Selects the sink of this name, or the server's default if the name is nil. A running stream moves there.
  case device(String?)
  /// Sets the track's title, artist and file, which other programs show for the stream.
  case properties(title: String?, artist: String?, file: String?)
  /// Requests the list of sinks. `sinks` or `sinksUnavailable` with the same token is the response.
  case listSinks(token: UInt64)
  /// Writes what is passed on to be played to a tap, too; nil ends that.
  case tap(SoundTap?)
}
