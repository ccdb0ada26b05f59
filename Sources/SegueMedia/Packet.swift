internal import CFFmpeg

/// One AVPacket, used again and again.
final class Packet {
  let pointer: UnsafeMutablePointer<AVPacket>

  init() {
    guard let pointer = av_packet_alloc() else { fatalError("out of memory") }
    self.pointer = pointer
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVPacket>? = pointer
    av_packet_free(&pointer)
  }

  func unref() { av_packet_unref(pointer) }

  /// Presentation time in the stream's time base, if the container says.
  var pts: Int64? { pointer.pointee.pts.timestamp }

  /// Whether what it decodes to begins with an encoder's delay: the packet begins a stream.
  var hasDelay: Bool {
    var size = 0
    guard let data = av_packet_get_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES, &size), size >= 8 else { return false }
    return SkipSamples.read(data).map { $0.front > 0 } ?? false
  }
}

/// Samples that are delay at the front and padding at the back of what a packet decodes to
/// (AV_PKT_DATA_SKIP_SAMPLES: little-endian u32 each).
enum SkipSamples {
  static func read(_ bytes: UnsafePointer<UInt8>?) -> (front: Int64, back: Int64)? {
    guard let bytes else { return nil }
    let raw = UnsafeRawPointer(bytes)
    let front = UInt32(littleEndian: raw.loadUnaligned(as: UInt32.self))
    let back = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    return (Int64(front), Int64(back))
  }
}

extension Int64 {
  /// nil for AV_NOPTS_VALUE.
  var timestamp: Int64? { self == segue_av_nopts_value ? nil : self }
}
