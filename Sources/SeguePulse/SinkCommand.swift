public import SegueRing
public import SegueSystem

/// What the sink is told to do. Orders are carried out in the order they were sent.
public enum SinkCommand: Sendable {
  /// Drops everything, silences the old sound at once, and plays this generation from the ring as soon as about 100 ms
  /// of it, or its end mark, is there. `paused`: gets ready without a sound.
  case play(Generation, SharedRing, paused: Bool)
  /// What comes after the end of `after`, without a gap. What was to come there before is dropped, and taken back where
  /// the server has already got PCM of it. If `after` is over by then, this starts at once, in place of what is heard.
  case enqueue(Generation, SharedRing, after: Generation)
  /// Nothing comes after this generation: what was to come is dropped, the end is drained, and `finished` follows. If it
  /// is over by then, what is heard in its place ends at once.
  case finish(after: Generation)
  /// No more PCM nor mark will come for this generation: what is in the ring is all of it.
  case endOfInput(Generation)
  /// The sound stands, at once or at the end of a fade; `pauseFading` says where in that case.
  case pause
  case resume
  /// Silence, at once or at the end of a fade. The stream stays, corked and empty.
  case stop
  /// Closes the stream, if it fades at the end of that. The connection stays.
  case release
  /// How long the sound fades on `pause` and `stop`, and comes back on `resume`; zero, as in the beginning: not at all.
  case fadeLength(MediaTime)
  /// Ends a fade that is under way.
  case endFade
  /// 0…100 percent of the server's linear scale, where 100 is its norm; kept for the next stream if there is none.
  case volume(percent: Int)
  case mute(Bool)
  /// The name of a sink, or nil for the server's default. A running stream moves there.
  case device(String?)
  /// What other programs show of the stream: the track's title, artist and file.
  case properties(title: String?, artist: String?, file: String?)
  /// Answered by `sinks` or `sinksUnavailable` of the same token.
  case listSinks(token: UInt64)
}
