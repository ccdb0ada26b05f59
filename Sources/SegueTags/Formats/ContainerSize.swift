// Decoding thread only.
internal import SegueFFmpeg

/// The size that a container states for itself. It is used for containers that do not state the size of the audio.
enum ContainerSize {
  /// Returns the part of a Matroska segment that `file` contains, which is less than 1 if the file is truncated. If the
  /// size of the segment is unknown, returns nil.
  static func matroskaShare(_ file: SourceFile) -> Double? {
    guard let size = file.size, let (_, header) = element(file, at: 0, 0x1A45_DFA3),
      let (start, length) = element(file, at: header, 0x1853_8067).map({ ($0.body, $0.end - $0.body) }), length > 0
    else { return nil }
    return min(1, Double(size - start) / Double(length))
  }

  /// Finds the EBML element (RFC 8794) with a four-byte identifier. If its size is unknown, returns nil.
  private static func element(_ file: SourceFile, at position: Int64, _ id: Int64) -> (body: Int64, end: Int64)? {
    guard file.bigEndian(at: position, bytes: 4) == id, let first = file.bigEndian(at: position + 4, bytes: 1),
      first > 0
    else { return nil }
    let width = UInt8(first).leadingZeroBitCount + 1
    guard let coded = file.bigEndian(at: position + 4, bytes: width) else { return nil }
    let mask = Int64(1) << (7 * Int64(width)) - 1
    let body = position + 4 + Int64(width)
    return coded & mask == mask ? nil : (body, body + coded & mask)
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
