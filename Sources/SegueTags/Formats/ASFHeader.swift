// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueWire

/// The facts in the header of an ASF file that libavformat does not return (Advanced Systems Format, 3.2, 3.3 and 5.2).
struct ASFHeader {
  /// The length of the audio; nil if it is not known, as in a recording of a broadcast. libavformat estimates the
  /// length of a file that is a twentieth shorter than stated.
  private(set) var length: MediaTime?
  /// Whether a stream is encrypted.
  private(set) var isEncrypted = false
  /// Whether the header was written before the packets, so that it states neither their size nor their length.
  private var isBroadcast = false
  /// The part of the packets that the file contains; nil if their size is not stated.
  private(set) var share: Double?

  private static let maximumObjects: Int64 = 256
  /// The size of the data object before its packets.
  private static let dataHeaderSize: Int64 = 50
  /// The first eight bytes of the GUIDs of ASF_Data_Object, ASF_File_Properties_Object and
  /// ASF_Stream_Properties_Object.
  private static let data: Int64 = 0x3626_B275_8E66_CF11
  private static let fileProperties: Int64 = -0x5E23_5473_B856_30EF
  private static let streamProperties = Int64(bitPattern: 0x9107_DCB7_B7A9_CF11)

  /// Returns nil if `file` is not an ASF file.
  init?(_ file: FileInput) {
    guard FileFormat(file)?.kind == .asf, let size = file.size, let objects = file.littleEndian(at: 24, bytes: 4) else {
      return nil
    }
    var position: Int64 = 30
    for _ in 0..<min(objects, Self.maximumObjects) {
      guard let length = file.littleEndian(at: position + 16, bytes: 8), length >= 24, length < size else { break }
      switch file.bigEndian(at: position, bytes: 8) {
      case Self.fileProperties: readProperties(file, at: position)
      case Self.streamProperties:
        // The topmost flag is the Encrypted Content Flag.
        isEncrypted = isEncrypted || file.littleEndian(at: position + 72, bytes: 2).map { $0 & 0x8000 != 0 } ?? false
      default: break
      }
      position += length
    }
    readData(file, size)
  }

  /// Reads the size of the data object, which follows the header.
  private mutating func readData(_ file: FileInput, _ size: Int64) {
    guard !isBroadcast, let start = file.littleEndian(at: 16, bytes: 8), start >= 30, start < size,
      file.bigEndian(at: start, bytes: 8) == Self.data,
      let length = file.littleEndian(at: start + 16, bytes: 8), length > Self.dataHeaderSize
    else { return }
    share = min(1, Double(size - start - Self.dataHeaderSize) / Double(length - Self.dataHeaderSize))
  }

  private mutating func readProperties(_ file: FileInput, at position: Int64) {
    guard let flags = file.littleEndian(at: position + 88, bytes: 4) else { return }
    isBroadcast = flags & 1 != 0
    // The duration, in units of 100 ns, includes the preroll, in milliseconds.
    guard !isBroadcast, let duration = file.littleEndian(at: position + 64, bytes: 8), duration > 0,
      let preroll = file.littleEndian(at: position + 80, bytes: 8), (0..<1 << 20).contains(preroll)
    else { return }
    let audible = min(duration, 1 << 55) - preroll * 10_000
    if audible > 0 { length = MediaTime(nanoseconds: audible * 100) }
  }
}
