// Thread: the decoding thread.
internal import CFFmpeg
internal import Glibc
package import SegueSystem
internal import SegueWire
package import SegueWorkerProtocol

/// A network stream as libavformat reads it: the stream itself, and what its content names, such as the segments of
/// HLS. libavformat opens nothing by itself.
package final class StreamInput {
  private let url: String
  /// Whether the server is that of a station.
  let isStation: Bool
  /// The kind of a manifest of HLS; nil for another stream.
  let manifest: FetchedResource.Manifest?
  private let stream: any RemoteBytes
  /// The time in the whole stream at which `stream` begins.
  let beginning: MediaTime
  private let openPart: (String, _ offset: Int64) throws(MediaError) -> any RemoteBytes
  private let isInterrupted: () -> Bool
  /// The contexts of parts that libavformat has not closed. It does not close all of them.
  private var parts: [UnsafeMutablePointer<AVIOContext>: IOContext] = [:]
  private var error: ReadError?

  /// The error of the last read that failed. libavformat passes only its number on.
  private struct ReadError {
    let error: MediaError
    let isOfPart: Bool
    /// Whether libavformat has returned packets since then. It leaves out segments that cannot be read.
    var isPassed = false
  }

  /// - Parameters:
  ///   - url: The URL of `stream`, to which the references in it are relative.
  ///   - isStation: Whether the server is that of a station, which sends for ever.
  ///   - manifest: The kind of a manifest of HLS; nil for another stream.
  ///   - beginning: The time in the whole stream at which `stream` begins.
  ///   - isInterrupted: Whether to give up waiting. The demuxer of HLS calls it while it waits for the next manifest.
  ///   - openPart: Opens the bytes of a URL that the stream names, from an offset on.
  package init(
    url: String, isStation: Bool, manifest: FetchedResource.Manifest?, _ stream: any RemoteBytes,
    beginning: MediaTime = .zero,
    isInterrupted: @escaping () -> Bool,
    openPart: @escaping (String, _ offset: Int64) throws(MediaError) -> any RemoteBytes
  ) {
    self.isInterrupted = isInterrupted
    self.url = url
    self.isStation = isStation
    self.manifest = manifest
    self.stream = stream
    self.beginning = beginning
    self.openPart = openPart
  }

  /// Takes the error of the last read that failed, if there is one since the last call.
  func takeError() -> MediaError? {
    defer { error = nil }
    return error?.error
  }

  /// Takes the reason why a part was left out that is followed by others, if there is one since the last call.
  func takeOmission() -> Failure? {
    guard let last = error, last.isPassed, case .failed(let failure) = last.error else { return nil }
    error = nil
    return failure
  }

  /// Records that libavformat has returned a packet.
  func recordPacket() { if error?.isOfPart == true { error?.isPassed = true } }

  var name: String { url }
  /// The size of the stream in bytes; nil if it is unknown.
  var size: Int64? { stream.size }
  var isSeekable: Bool { stream.isSeekable }

  /// Creates the context of the stream, and lets `format` open parts.
  func makeContext(for format: UnsafeMutablePointer<AVFormatContext>) throws(MediaError) -> IOContext {
    // Proof: the demuxer that owns `format` keeps this object until it has closed `format`.
    let context = Unmanaged.passUnretained(self).toOpaque()
    format.pointee.opaque = context
    format.pointee.io_open = openStreamPart
    format.pointee.io_close2 = closeStreamPart
    format.pointee.interrupt_callback = AVIOInterruptCB(callback: checkInterruption, opaque: context)
    return try IOContext(Reader(stream, of: self, isPart: false))
  }

  /// Frees the contexts of the parts that libavformat has not closed.
  func closeParts() { parts = [:] }

  fileprivate var mustStop: Bool { isInterrupted() }

  fileprivate func open(part url: String, at offset: Int64) -> UnsafeMutablePointer<AVIOContext>? {
    do throws(MediaError) {
      // The demuxer of HLS names the segments that it would decrypt by a protocol of libavformat.
      if url.hasPrefix("crypto") { throw .unplayable("encrypted HLS is not supported") }
      let context = try IOContext(Reader(try openPart(url, offset), of: self, isPart: true))
      parts[context.pointer] = context
      return context.pointer
    } catch {
      self.error = ReadError(error: error, isOfPart: true)
      return nil
    }
  }

  fileprivate func close(part context: UnsafeMutablePointer<AVIOContext>) { parts[context] = nil }

  /// The stream or a part of it.
  private final class Reader: ByteSource {
    private let bytes: any RemoteBytes
    private unowned let input: StreamInput
    private let isPart: Bool

    init(_ bytes: any RemoteBytes, of input: StreamInput, isPart: Bool) {
      self.bytes = bytes
      self.input = input
      self.isPart = isPart
    }

    var size: Int64? { bytes.size }
    var isSeekable: Bool { bytes.isSeekable }

    func read(at position: Int64, into target: UnsafeMutableRawBufferPointer) -> Int {
      do throws(MediaError) {
        return try bytes.read(at: position, into: target)
      } catch {
        input.error = ReadError(error: error, isOfPart: isPart)
        return Int(segue_averror_exit)
      }
    }
  }
}

// libavformat calls these functions on the decoding thread, within calls of the demuxer that holds the input.

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
  io.pointee = input.open(part: String(cString: url), at: offset(in: options?.pointee))
  return io.pointee == nil ? -EIO : 0
}

/// Returns the offset in `options` at which a part begins. The demuxer of HLS states it for segments that are ranges of
/// one file. It limits the number of bytes itself, and counts them from the offset.
private nonisolated func offset(in options: OpaquePointer?) -> Int64 {
  guard let text = av_dict_get(options, "offset", nil, 0)?.pointee.value else { return 0 }
  return Int64(String(cString: text)).map { $0.clamped(to: 0...FetchedResource.maximumSize) } ?? 0
}

private nonisolated func closeStreamPart(
  format: UnsafeMutablePointer<AVFormatContext>?, io: UnsafeMutablePointer<AVIOContext>?
) -> Int32 {
  guard let opaque = format?.pointee.opaque, let io else { return 0 }
  Unmanaged<StreamInput>.fromOpaque(opaque).takeUnretainedValue().close(part: io)
  return 0
}
