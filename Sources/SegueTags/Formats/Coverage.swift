// Decoding thread only.
internal import SegueSystem
internal import SegueWire

/// Whether the audio that a file's header promises is in the file.
enum Coverage: Equatable {
  /// The end of the file confirms the header's length to the frame.
  case whole
  /// The file holds about this share of what the header promises.
  case share(Double)
  /// The file does not show it.
  case unknown

  /// The length that follows from the header's `length`, and how surely.
  func applied(to length: MediaTime) -> (MediaTime, DurationKind) {
    switch self {
    case .whole: (length, .exact)
    case .share(let share): (MediaTime(seconds: min(length.seconds * share, MediaTime.maximum.seconds)), .estimated)
    case .unknown: (length, .estimated)
    }
  }

  /// `found` of the `promised` bytes or frames are in the file.
  init(_ found: Int64, of promised: Int64) {
    self = promised <= 0 ? .unknown : found == promised ? .whole : .share(max(0, Double(found)) / Double(promised))
  }
}
