internal import CFFmpeg

/// An AVPacket, which is reused for every packet of a track.
package final class Packet {
  let pointer: UnsafeMutablePointer<AVPacket>

  package init() {
    guard let pointer = av_packet_alloc() else { fatalError("out of memory") }
    self.pointer = pointer
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVPacket>? = pointer
    av_packet_free(&pointer)
  }

  package func unref() { av_packet_unref(pointer) }

  /// The offset of the packet in the file, in bytes; negative if the container does not state it.
  package var position: Int64 { pointer.pointee.pos }

  /// The bytes of the packet. They are valid until the packet is reused.
  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: pointer.pointee.data, count: pointer.pointee.data == nil ? 0 : Int(pointer.pointee.size))
  }

  /// Removes the first `count` bytes.
  package func removeFirst(_ count: Int) {
    precondition(count <= bytes.count, "a packet has fewer bytes")
    pointer.pointee.data += count
    pointer.pointee.size -= Int32(count)
    if position >= 0 { pointer.pointee.pos += Int64(count) }
  }

  /// Whether the bytes of the packet are encrypted (Common Encryption, ISO/IEC 23001-7).
  package var isEncrypted: Bool { av_packet_get_side_data(pointer, AV_PKT_DATA_ENCRYPTION_INFO, nil) != nil }

  /// Whether the decoded audio of the packet begins with an encoder's delay. Such a packet begins a stream.
  package var hasDelay: Bool {
    var size = 0
    guard let data = av_packet_get_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES, &size), size >= 8 else { return false }
    return SkipSamples.read(data).map { $0.front > 0 } ?? false
  }
}

/// The numbers of samples at the front and at the back of a decoded packet that are delay and padding
/// (AV_PKT_DATA_SKIP_SAMPLES: two little-endian 32-bit integers).
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
  /// The timestamp; nil for AV_NOPTS_VALUE.
  var timestamp: Int64? { self == segue_av_nopts_value ? nil : self }
}
