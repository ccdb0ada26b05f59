// Thread: the creator's. The thread waits for the worker, usually for a few milliseconds.

internal import Glibc
public import SegueSystem
internal import SegueWorkerProtocol

/// A converter of text in legacy charsets to UTF-8. A `segue-worker` process detects the charset and converts the text,
/// as for tags, so that the libraries that do this never process untrusted bytes in the daemon. The worker starts with
/// the first text and ends with this object.
public final class CharsetConverter {
  private let program: FilePath
  private let niceness: Int32
  private var worker: BlockingWorker?

  /// The time limit for a request. It includes the start of the worker, which may take long on a slow disk.
  private static let timeout = MediaTime.seconds(5)
  /// The maximum ratio of the sizes in UTF-8 and in any other charset.
  private static let maximumGrowth = 3

  /// `program`: the path of the worker program. `niceness`: the priority of the worker.
  public init(program: FilePath, niceness: Int32 = 0) {
    self.program = program
    self.niceness = niceness
  }

  /// Returns `text` in UTF-8, with the same number of lines; nil if it is too long or the worker fails.
  public func utf8(of text: [UInt8]) -> [UInt8]? {
    guard !text.isEmpty, text.count <= WorkerRequest.maximumTranscodeSize else { return nil }
    // A user, or the kernel for want of memory, may have killed the worker. The text need not be the cause.
    return convert(text) ?? convert(text)
  }

  private func convert(_ text: [UInt8]) -> [UInt8]? {
    do {
      if let converted = try request(text) { return converted }
    } catch {
      Log.warning("the charset of a playlist cannot be detected: \(error)")
    }
    worker = nil
    return nil
  }

  /// Returns what the worker makes of `text`; nil if it does not respond.
  private func request(_ text: [UInt8]) throws -> [UInt8]? {
    let worker = try self.worker ?? BlockingWorker(program, niceness: niceness)
    self.worker = worker
    let source = try MemoryFile.create("segue-text", size: text.count)
    try text.withUnsafeBytes { try MemoryFile.write($0, to: source) }
    let capacity = Self.maximumGrowth * text.count
    let target = try MemoryFile.create("segue-utf8", size: capacity)
    let size = worker.request(.transcode, descriptors: [source.raw, target.raw], timeout: Self.timeout) {
      response -> Int? in
      guard case .transcoded(let size) = response, size <= capacity else { return nil }
      return size
    }
    return try size.map { try MemoryFile.read($0, from: target) }
  }
}
