internal import SegueSystem

/// The care with which a file is examined before its audio is decoded, if its headers do not state its length.
package enum Examination {
  /// For playback: the length of a file that cannot be read in a moment is estimated.
  case brief
  /// For facts about the file, for which no sound waits.
  case thorough

  /// The number of bytes that are always examined, which takes no longer than reading the tags of other files.
  static let smallSize: Int64 = 2 << 20

  /// The time after which nothing is read beyond the first `smallSize` bytes. It is less than the time after which the
  /// daemon ends a worker that does not respond.
  var limit: MediaTime {
    switch self {
    case .brief: .milliseconds(150)
    case .thorough: .seconds(2)
    }
  }
}
