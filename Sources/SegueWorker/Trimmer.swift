internal import SegueSystem

/// The one place that cuts: knows which frame of the file comes next out of the decoder, and which of them are wanted.
///
/// File frame 0 is the first that is no encoder delay; delay lies below zero, padding at and beyond `limit`. A track is
/// the whole file or a range of it; its own frames count from where the range starts.
struct Trimmer {
  private(set) var rate: SampleRate
  /// The file frame that is the track's frame 0.
  private var start: Int64
  /// The first file frame wanted.
  private(set) var first: Frames
  /// One past the last file frame wanted; nil while only the end of the file says.
  private var limit: Int64?
  /// The file frame the next decoded frame starts with.
  private var position: Int64
  /// The file frame the very first decoded frame started with: zero or below.
  let origin: Int64
  /// One past the last frame that was decoded and is no padding.
  private var reached: Int64
  /// Whether a jump led to the next decoded frame.
  private var isAtJump = false

  /// `skipped` frames of the track are not wanted. Decoding starts with file frame `position`.
  init(rate: SampleRate, start: Frames, skipped: Frames, limit: Frames?, position: Int64) {
    self.rate = rate
    self.start = start.count
    first = start + skipped
    self.limit = limit?.count
    self.position = position
    origin = position
    reached = start.count
  }

  /// The part of a decoded frame that is wanted, and the frame of the track it starts with.
  struct Cut: Equatable {
    var offset: Int
    var count: Int
    var trackFrame: Frames
  }

  /// Places `count` decoded frames, the first `delay` and the last `padding` of which are none of the file's.
  mutating func take(count: Int, delay: Int64 = 0, padding: Int64) -> Cut {
    // A codec may mark what it cannot decode rightly where a jump led to. That is no delay: it has its time in the file.
    let delay = isAtJump ? 0 : min(delay, Int64(count))
    isAtJump = false
    // Delay and padding take no time: in a chain of streams the next begins where the true frames of this one end.
    let begin = position - delay
    let heard = position
    position += Int64(count) - delay - min(padding, Int64(count) - delay)
    let end = min(position, limit ?? .max)
    reached = max(reached, end)
    let from = max(heard, first.count)
    return Cut(offset: Int(from - begin), count: max(0, Int(end - from)), trackFrame: Frames(from - start))
  }

  /// Nothing that is wanted will come any more.
  var isComplete: Bool { limit.map { position >= $0 } ?? false }

  /// How many frames the track has, as far as it was decoded.
  var end: Frames { Frames(reached - start) }

  /// Whether frames of the file that are no delay were decoded before.
  var isPastStart: Bool { position > 0 }

  /// How far the track was decoded.
  var time: MediaTime { rate.time(of: Frames(max(0, position - start))) }

  /// After a jump: the next decoded frame starts with this file frame.
  mutating func jump(to position: Int64) {
    self.position = position
    isAtJump = true
  }

  /// The file goes on at another rate.
  mutating func change(to new: SampleRate) {
    func rescale(_ frame: Int64) -> Int64 { new.frames(in: rate.time(of: Frames(frame))).count }
    start = rescale(start)
    first = Frames(rescale(first.count))
    limit = limit.map(rescale)
    position = rescale(position)
    reached = rescale(reached)
    rate = new
  }
}
