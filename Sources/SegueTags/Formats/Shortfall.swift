internal import SegueSystem

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
