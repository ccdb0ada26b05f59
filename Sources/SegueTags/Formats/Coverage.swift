// Thread: the decoding thread.

internal import SegueSystem
internal import SegueWire

/// The part of the audio stated by a header that the file contains.
enum Coverage: Equatable {
  /// The end of the file confirms the stated length to the frame.
  case whole
  /// The file contains approximately this part of the stated audio.
  case share(Double)
  /// The file does not show which part it contains.
  case unknown

  /// Returns the length of the audio in the file, given the stated `length`, and how certain it is.
  func applied(to length: MediaTime) -> (MediaTime, DurationKind) {
    switch self {
    case .whole: (length, .exact)
    case .share(let share): (MediaTime(seconds: min(length.seconds * share, MediaTime.maximum.seconds)), .estimated)
    case .unknown: (length, .estimated)
    }
  }

  /// Creates the coverage of a file that contains `found` of `promised` bytes or frames.
  init(_ found: Int64, of promised: Int64) {
    self = promised <= 0 ? .unknown : found == promised ? .whole : .share(max(0, Double(found)) / Double(promised))
  }
}

/// The reason why less of a file may be decoded than its headers or tables state.
package enum Shortfall {
  /// The end of the file is missing.
  case truncation
  /// Some part of the file is missing.
  case missingPart
  /// The end of the file is not what belongs there.
  case damagedEnd
  /// A later part of the file has another format, which libavformat cannot change to.
  case formatChange
}
