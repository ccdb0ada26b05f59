internal import SegueSystem

/// The one place that cuts: knows which track frame comes next out of the decoder, and which of them are wanted.
///
/// Track frame 0 is the first frame that is no encoder delay; delay lies below zero, padding at and beyond `limit`.
struct Trimmer {
  private(set) var rate: SampleRate
  /// The first frame wanted.
  private var first: Int64
  /// One past the last frame wanted; nil while only the end of the file says.
  private var limit: Int64?
  /// The track frame the next decoded frame starts with; nil after a jump, until a timestamp tells.
  private(set) var position: Int64?

  init(rate: SampleRate, first: Frames, limit: Frames?, position: Int64?) {
    self.rate = rate
    self.first = first.count
    self.limit = limit?.count
    self.position = position
  }

  /// The part of a decoded frame that is wanted, and the track frame it starts with.
  struct Cut: Equatable {
    var offset: Int
    var count: Int
    var trackFrame: Frames
  }

  /// Places `count` decoded frames, the last `padding` of which are none of the track's.
  mutating func take(count: Int, padding: Int64) -> Cut {
    let start = position ?? 0
    let end = start + Int64(count)
    position = end
    let from = max(start, first)
    let to = min(end - min(padding, Int64(count)), limit ?? .max)
    return Cut(offset: Int(from - start), count: max(0, Int(to - from)), trackFrame: Frames(from))
  }

  /// Nothing that is wanted will come any more.
  var isComplete: Bool {
    guard let position, let limit else { return false }
    return position >= limit
  }

  /// After a jump: the next decoded frame starts with this track frame, or with one that is not known yet.
  mutating func jump(to position: Int64?) { self.position = position }

  /// The track goes on at another rate.
  mutating func change(to new: SampleRate) {
    func rescale(_ frame: Int64) -> Int64 { new.frames(in: rate.time(of: Frames(frame))).count }
    first = rescale(first)
    limit = limit.map(rescale)
    position = position.map(rescale)
    rate = new
  }
}
