internal import SegueWire

/// A batch that is being answered.
struct BatchProgress {
  var requests: RequestBatch
  /// The answer's bracket is open: nothing but answers of this batch may be written.
  var hasAnswers = false
}
