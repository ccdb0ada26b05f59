// Thread: the decoding thread.
internal import CFFmpeg
internal import Glibc
internal import SegueWire

/// Bytes that libavformat reads through an I/O context.
protocol ByteSource: AnyObject {
  /// The size in bytes; nil if it is unknown.
  var size: Int64? { get }
  /// Whether the bytes can be read at any position. If not, each read begins at the end of the previous one.
  var isSeekable: Bool { get }
  /// Reads bytes at `position`. Returns their number, 0 at the end, and a negative error number of libav* if reading
  /// fails.
  func read(at position: Int64, into target: UnsafeMutableRawBufferPointer) -> Int
}

/// An I/O context of libavformat, and its position in the bytes that it reads.
final class IOContext {
  let pointer: UnsafeMutablePointer<AVIOContext>
  private let source: any ByteSource
  /// The position at which libavformat reads next.
  private(set) var position: Int64 = 0

  /// The size of a read. It is large enough that a file takes few calls, and small enough that probing a header reads
  /// little.
  private static let bufferSize: Int32 = 32 * 1024

  /// Creates a context that reads `source` from its beginning.
  init(_ source: any ByteSource) throws(MediaError) {
    guard let buffer = av_malloc(Int(Self.bufferSize)) else { throw .unplayable("out of memory") }
    let isSeekable = source.isSeekable
    let context = avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Self.bufferSize, 0, nil, readSource, nil,
      isSeekable ? seekSource : nil)
    guard let context else {
      av_free(buffer)
      throw .unplayable("out of memory")
    }
    context.pointee.seekable = isSeekable ? AVIO_SEEKABLE_NORMAL : 0
    pointer = context
    self.source = source
    // Proof: the context is freed in `deinit`, and libavformat reads from it only within calls of its owner.
    pointer.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
  }

  deinit { segue_free_io(pointer) }

  fileprivate func read(into target: UnsafeMutableRawBufferPointer) -> Int32 {
    let count = source.read(at: position, into: target)
    guard count > 0 else { return count == 0 ? segue_averror_eof : Int32(clamping: count) }
    position += Int64(count)
    return Int32(clamping: count)
  }

  fileprivate func seek(to offset: Int64, whence: Int32) -> Int64 {
    if whence & AVSEEK_SIZE != 0 { return source.size ?? -1 }
    let base: Int64
    switch whence & ~AVSEEK_FORCE {
    case SEEK_SET: base = 0
    case SEEK_CUR: base = position
    case SEEK_END: base = source.size ?? 0
    default: return Int64(-EINVAL)
    }
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= 0 else { return Int64(-EINVAL) }
    position = target
    return target
  }
}

// libavformat calls these functions on the decoding thread, within calls of the demuxer that holds the context.

private nonisolated func readSource(
  context: UnsafeMutableRawPointer?, target: UnsafeMutablePointer<UInt8>?, count: Int32
) -> Int32 {
  guard let context, let target else { return -EINVAL }
  return Unmanaged<IOContext>.fromOpaque(context).takeUnretainedValue()
    .read(into: UnsafeMutableRawBufferPointer(start: target, count: Int(count)))
}

private nonisolated func seekSource(context: UnsafeMutableRawPointer?, position: Int64, whence: Int32) -> Int64 {
  guard let context else { return Int64(-EINVAL) }
  return Unmanaged<IOContext>.fromOpaque(context).takeUnretainedValue().seek(to: position, whence: whence)
}
