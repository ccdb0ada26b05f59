// Decoding thread only.
internal import SegueFFmpeg

/// The size that a container states for itself. It is used for containers that do not state the size of the audio.
enum ContainerSize {
  /// Returns the part of a Matroska segment that `file` contains, which is less than 1 if the file is truncated. If the
  /// size of the segment is unknown, returns nil.
  static func matroskaShare(_ file: SourceFile) -> Double? {
    guard let size = file.size, let segment = EBMLElement.segment(of: file), let length = segment.size, length > 0
    else { return nil }
    return min(1, Double(size - segment.body) / Double(length))
  }
}
