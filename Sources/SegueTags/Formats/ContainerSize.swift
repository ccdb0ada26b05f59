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

  /// Returns the part of an ASF file (Advanced Systems Format, 3.2) that `file` contains, by the size in its file
  /// properties.
  static func asfShare(_ file: SourceFile) -> Double? {
    guard let size = file.size, let objects = file.littleEndian(at: 24, bytes: 4) else { return nil }
    var position: Int64 = 30
    for _ in 0..<min(objects, 256) {
      guard let length = file.littleEndian(at: position + 16, bytes: 8), (24..<size).contains(length) else {
        return nil
      }
      // ASF_File_Properties_Object
      if file.bigEndian(at: position, bytes: 8) == -0x5E23_5473_B856_30EF {
        guard let stated = file.littleEndian(at: position + 40, bytes: 8), stated > 0 else { return nil }
        return min(1, Double(size) / Double(stated))
      }
      position += length
    }
    return nil
  }
}
