internal import Glibc

/// A framer that splits a stream of bytes into lines. LF ends a line, a CR before it is dropped, and the bytes before
/// the end of the stream are a line too. Every byte is examined once, however the stream is divided into reads.
public struct LineFramer: Sendable {
  /// The maximum length of a line without its end, in bytes (segue-ipc(7), TRANSPORT).
  public static let maximumLineLength = 1 << 20

  private var bytes: [UInt8] = []
  /// The start of the first line that was not returned yet.
  private var start = 0
  /// The position up to which there is no LF.
  private var searched = 0
  private var isEnded = false

  public init() {}

  /// The number of bytes that were appended and not returned yet.
  public var pending: Int { bytes.count - start }

  /// Whether the stream contains a line longer than `maximumLineLength`. No line after it is returned.
  public private(set) var isOverrun = false

  public mutating func append(_ chunk: UnsafeRawBufferPointer) {
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
      start = 0
      searched = 0
    } else if start > bytes.count / 2 {
      // This moves fewer bytes than were returned since the last move, so the work per byte is constant.
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes.append(contentsOf: chunk)
  }

  /// Marks the end of the stream: the remaining bytes are the last line.
  public mutating func end() { isEnded = true }

  /// Calls `body` with the next complete line. Returns nil if there is none, or if the line is too long.
  public mutating func next<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    guard let line = nextRange() else { return nil }
    return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[line])) }
  }

  private mutating func nextRange() -> Range<Int>? {
    guard !isOverrun else { return nil }
    let found = bytes.withUnsafeBytes { bytes -> Int? in
      guard let base = bytes.baseAddress, let end = memchr(base + searched, 0x0A, bytes.count - searched) else {
        return nil
      }
      return UnsafeRawPointer(end) - base
    }
    guard var end = found ?? (isEnded && start < bytes.count ? bytes.count : nil) else {
      searched = bytes.count
      // A CR at the end may belong to the end of the line.
      let length = bytes.last == UInt8(ascii: "\r") ? pending - 1 : pending
      isOverrun = length > Self.maximumLineLength
      return nil
    }
    let begin = start
    start = min(end + 1, bytes.count)
    searched = start
    if end > begin, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    guard end - begin <= Self.maximumLineLength else {
      isOverrun = true
      return nil
    }
    return begin..<end
  }

  private static let keptCapacity = 64 * 1024
}
