internal import SegueSystem

/// A trimmer of decoded frames. It is the only place that cuts off frames: it counts the position of the decoder, and
/// determines which frames are wanted.
///
/// Frame 0 of the file is the first frame after the encoder delay. Delay has negative positions, and padding begins at
/// `limit`. A track is a file or a range of it. The frames of a track count from the beginning of the range.
struct Trimmer {
  private(set) var rate: SampleRate
  /// The position in the file of the track's frame 0.
  private var start: Int64
  /// The position in the file of the first wanted frame.
  private(set) var first: Frames
  /// The position in the file at which the track ends; nil if it is the end of the file.
  private var rangeEnd: Int64?
  /// The position in the file at which its audio ends; nil if only decoding shows it.
  private var fileEnd: Int64?
  /// The position in the file of the next decoded frame.
  private var position: Int64
  /// The position in the file of the first decoded frame, which is zero or negative.
  let origin: Int64
  /// The position in the file after the last decoded frame that is not padding.
  private var reached: Int64
  /// Whether the next decoded frame is the first one after a seek.
  private var isAfterSeek = false

  /// Creates a trimmer for a track of which all frames are wanted. The track is the range of the file from `start` to
  /// `end`, and the audio of the file ends at `limit`. Decoding starts at frame `position` of the file.
  init(rate: SampleRate, start: Frames, end: Frames?, limit: Frames?, position: Int64) {
    self.rate = rate
    self.start = start.count
    first = start
    rangeEnd = end?.count
    fileEnd = limit?.count
    self.position = position
    origin = position
    reached = start.count
  }

  /// Makes the next `count` frames of the track unwanted. Nothing may have been decoded.
  mutating func skip(_ count: Frames) { first = first + count }

  /// The wanted part of a decoded frame, and its position in the track.
  struct Cut: Equatable {
    var offset: Int
    var count: Int
    var trackFrame: Frames
  }

  /// Advances by `count` decoded frames, of which the first `delay` and the last `padding` are not part of the file's
  /// audio.
  mutating func take(count: Int, delay: Int64 = 0, padding: Int64) -> Cut {
    // After a seek, a codec may mark frames that it cannot decode correctly. They are not delay: they have a position
    // in the file.
    let delay = isAfterSeek ? 0 : min(delay, Int64(count))
    isAfterSeek = false
    // Delay and padding have no duration. In a chain of streams, the next stream begins at the end of the audio of this
    // one.
    let begin = position - delay
    let firstAudible = position
    position += Int64(count) - delay - min(padding, Int64(count) - delay)
    let end = min(position, limit ?? .max)
    reached = max(reached, end)
    let from = max(firstAudible, first.count)
    return Cut(offset: Int(from - begin), count: max(0, Int(end - from)), trackFrame: Frames(from - start))
  }

  /// The position in the file after the last wanted frame; nil if only the end of the file shows it.
  private var limit: Int64? { [rangeEnd, fileEnd].compactMap { $0 }.min() }

  /// Drops the stated end of the audio if the next `count` frames, which are not padding, exceed it.
  mutating func liftLimit(before count: Int) {
    if let end = fileEnd, position + Int64(count) > end { fileEnd = nil }
  }

  /// Whether no further frame is wanted.
  var isComplete: Bool { limit.map { position >= $0 } ?? false }

  /// Whether the end of the range is reached; false if the track ends where the file does.
  var hasReachedRangeEnd: Bool { rangeEnd.map { position >= $0 } ?? false }

  /// The number of frames of the track up to the last decoded frame.
  var end: Frames { Frames(reached - start) }

  /// Whether frames of the file after the delay were decoded.
  var isPastStart: Bool { position > 0 }

  /// The time in the track up to which it was decoded.
  var time: MediaTime { rate.time(of: Frames(max(0, position - start))) }

  /// The time in the track of the next wanted frame.
  var nextTime: MediaTime { rate.time(of: Frames(max(reached, first.count) - start)) }

  /// Sets the position in the file of the next decoded frame, after a seek.
  mutating func seek(to position: Int64) {
    self.position = position
    isAfterSeek = true
  }

  /// Changes the rate of the file from the next frame on.
  mutating func change(to new: SampleRate) {
    func rescale(_ frame: Int64) -> Int64 { new.frames(in: rate.time(of: Frames(frame))).count }
    start = rescale(start)
    first = Frames(rescale(first.count))
    rangeEnd = rangeEnd.map(rescale)
    fileEnd = fileEnd.map(rescale)
    position = rescale(position)
    reached = rescale(reached)
    rate = new
  }
}
