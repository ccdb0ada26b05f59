// Decoding thread only.
internal import CFFmpeg
internal import Glibc

/// The bytes of a resource that is not a local file.
package protocol ByteStream: AnyObject {
  /// The size in bytes; nil if it is unknown.
  var size: Int64? { get }
  /// Whether `seek` can succeed.
  var isSeekable: Bool { get }
  /// Reads bytes at the current position. Blocks until there are some. Returns 0 at the end.
  func read(into target: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int
  /// Sets the position.
  func seek(to position: Int64) throws(MediaError)
}

/// A network stream as libavformat reads it: the stream itself, and what its content names, such as the segments of HLS.
/// libavformat opens nothing by itself.
package final class StreamInput {
  private let url: String
  private let stream: any ByteStream
  private let openPart: (String) throws(MediaError) -> any ByteStream
  private let isInterrupted: () -> Bool
  /// The contexts of parts that libavformat has not closed. It does not close all of them.
  private var parts: [UnsafeMutablePointer<AVIOContext>: Reader] = [:]
  private let reader: Reader
  /// The error of the last read that failed. libavformat passes only its number on.
  fileprivate var error: MediaError?

  /// The size of a read.
  private static let bufferSize: Int32 = 32 * 1024

  /// - Parameters:
  ///   - url: The URL of `stream`, to which the references in it are relative.
  ///   - isInterrupted: Whether to give up waiting. The demuxer of HLS calls it while it waits for the next manifest.
  ///   - openPart: Opens a URL that the stream names.
  package init(
    url: String, _ stream: any ByteStream, isInterrupted: @escaping () -> Bool,
    openPart: @escaping (String) throws(MediaError) -> any ByteStream
  ) {
    self.isInterrupted = isInterrupted
    self.url = url
    self.stream = stream
    self.openPart = openPart
    reader = Reader(stream)
  }

  /// Takes the error of the last read that failed, if there is one since the last call.
  func takeError() -> MediaError? {
    defer { error = nil }
    return error
  }

  var name: String { url }
  /// The size of the stream in bytes; nil if it is unknown.
  var size: Int64? { stream.size }
  var isSeekable: Bool { stream.isSeekable }

  /// Creates the context of the stream, which the caller frees with `segue_free_io`, and lets `format` open parts.
  func makeContext(for format: UnsafeMutablePointer<AVFormatContext>) -> UnsafeMutablePointer<AVIOContext>? {
    reader.input = self
    format.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    format.pointee.io_open = openStreamPart
    format.pointee.io_close2 = closeStreamPart
    format.pointee.interrupt_callback = AVIOInterruptCB(
      callback: checkInterruption, opaque: Unmanaged.passUnretained(self).toOpaque())
    return Self.context(of: reader)
  }

  /// Frees the contexts of the parts that libavformat has not closed.
  func closeParts() {
    for context in parts.keys { segue_free_io(context) }
    parts = [:]
  }

  fileprivate var mustStop: Bool { isInterrupted() }

  private static func context(of reader: Reader) -> UnsafeMutablePointer<AVIOContext>? {
    guard let buffer = av_malloc(Int(bufferSize)) else { return nil }
    let isSeekable = reader.stream.isSeekable
    let context = avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), bufferSize, 0, Unmanaged.passUnretained(reader).toOpaque(),
      readStream, nil, isSeekable ? seekStream : nil)
    if context == nil { av_free(buffer) }
    context?.pointee.seekable = isSeekable ? AVIO_SEEKABLE_NORMAL : 0
    return context
  }

  fileprivate func open(part url: String) -> UnsafeMutablePointer<AVIOContext>? {
    do throws(MediaError) {
      let part = Reader(try openPart(url))
      part.input = self
      guard let context = Self.context(of: part) else { return nil }
      parts[context] = part
      return context
    } catch {
      self.error = error
      return nil
    }
  }

  fileprivate func close(part context: UnsafeMutablePointer<AVIOContext>) {
    guard parts.removeValue(forKey: context) != nil else { return }
    segue_free_io(context)
  }

  /// The position of libavformat in a stream.
  fileprivate final class Reader {
    let stream: any ByteStream
    unowned var input: StreamInput!
    private var position: Int64 = 0

    init(_ stream: any ByteStream) { self.stream = stream }

    func read(into target: UnsafeMutablePointer<UInt8>, count: Int32) -> Int32 {
      do throws(MediaError) {
        let count = try stream.read(into: UnsafeMutableRawBufferPointer(start: target, count: Int(count)))
        position += Int64(count)
        return count == 0 ? segue_averror_eof : Int32(count)
      } catch {
        input.error = error
        return segue_averror_exit
      }
    }

    func seek(to offset: Int64, whence: Int32) -> Int64 {
      if whence & AVSEEK_SIZE != 0 { return stream.size ?? -1 }
      let base: Int64
      switch whence & ~AVSEEK_FORCE {
      case SEEK_SET: base = 0
      case SEEK_CUR: base = position
      case SEEK_END: base = stream.size ?? 0
      default: return Int64(-EINVAL)
      }
      let (target, overflow) = base.addingReportingOverflow(offset)
      guard !overflow, target >= 0 else { return Int64(-EINVAL) }
      if target == position { return target }
      do throws(MediaError) {
        try stream.seek(to: target)
        position = target
        return target
      } catch {
        input.error = error
        return Int64(segue_averror_exit)
      }
    }
  }
}

// libavformat calls these functions on the decoding thread, within calls of the demuxer that holds the input.

private nonisolated func readStream(
  context: UnsafeMutableRawPointer?, target: UnsafeMutablePointer<UInt8>?, count: Int32
) -> Int32 {
  guard let context, let target else { return -EINVAL }
  return Unmanaged<StreamInput.Reader>.fromOpaque(context).takeUnretainedValue().read(into: target, count: count)
}

private nonisolated func seekStream(context: UnsafeMutableRawPointer?, position: Int64, whence: Int32) -> Int64 {
  guard let context else { return Int64(-EINVAL) }
  return Unmanaged<StreamInput.Reader>.fromOpaque(context).takeUnretainedValue().seek(to: position, whence: whence)
}

private nonisolated func checkInterruption(_ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let context else { return 0 }
  return Unmanaged<StreamInput>.fromOpaque(context).takeUnretainedValue().mustStop ? 1 : 0
}

private nonisolated func openStreamPart(
  format: UnsafeMutablePointer<AVFormatContext>?, io: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
  url: UnsafePointer<CChar>?, flags: Int32, options: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  guard let opaque = format?.pointee.opaque, let io, let url, flags & AVIO_FLAG_WRITE == 0 else { return -EINVAL }
  let input = Unmanaged<StreamInput>.fromOpaque(opaque).takeUnretainedValue()
  io.pointee = input.open(part: String(cString: url))
  return io.pointee == nil ? -EIO : 0
}

private nonisolated func closeStreamPart(
  format: UnsafeMutablePointer<AVFormatContext>?, io: UnsafeMutablePointer<AVIOContext>?
) -> Int32 {
  guard let opaque = format?.pointee.opaque, let io else { return 0 }
  Unmanaged<StreamInput>.fromOpaque(opaque).takeUnretainedValue().close(part: io)
  return 0
}
