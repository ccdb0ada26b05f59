internal import SegueWire

/// A batch that is being answered.
struct BatchProgress {
  private let requests: [JSON]
  private var done = 0
  /// The answer's bracket is open: nothing but answers of this batch may be written.
  var hasAnswers = false

  init(_ requests: [JSON]) { self.requests = requests }

  /// The next request to carry out; nil when all are done.
  mutating func next() -> JSON? {
    guard done < requests.count else { return nil }
    defer { done += 1 }
    return requests[done]
  }
}
