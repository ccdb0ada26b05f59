internal import Glibc

/// A framer that splits a stream of bytes into lines. LF ends a line, a CR before it is dropped, and the bytes before
/// the end of the stream are a line too. Every byte is examined once, however the stream is divided into reads.
public struct LineFramer: Sendable {
  /// The maximum length of a request without its end, in bytes (segue-ipc(7), TRANSPORT).
  public static let maximumLineLength = 1 << 20

  private let limit: Int
  private let keptCapacity: Int
  private var bytes: [UInt8] = []
  /// The start of the first line that was not returned yet.
  private var start = 0
  /// The position up to which there is no LF.
  private var searched = 0
  private var isEnded = false

  /// - Parameters:
  ///   - limit: The maximum length of a line without its end, in bytes.
  ///   - keptCapacity: The maximum capacity of an empty buffer, in bytes.
  public init(limit: Int = Self.maximumLineLength, keptCapacity: Int = 64 << 10) {
    self.limit = limit
    self.keptCapacity = keptCapacity
  }

  /// The number of bytes that were appended and not returned yet.
  public var pending: Int { bytes.count - start }

  /// Whether the stream contains a line longer than the limit. No line after it is returned.
  public private(set) var isOverrun = false

  public mutating func append(_ chunk: UnsafeRawBufferPointer) {
    if start > bytes.count / 2 {
      // This moves fewer bytes than were returned since the last move, so the work per byte is constant.
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes.append(contentsOf: chunk)
  }

  /// Marks the end of the stream: the remaining bytes are the last line.
  public mutating func end() { isEnded = true }

  /// Whether there is a complete line, or one that is too long.
  public var hasLine: Bool { mutating get { isOverrun || nextEnd() != nil } }

  /// Calls `body` with the next complete line. Returns nil if there is none, or if the line is too long.
  public mutating func next<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    guard let line = nextRange() else { return nil }
    defer { if start == bytes.count { reset() } }
    return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[line])) }
  }

  private mutating func nextRange() -> Range<Int>? {
    guard !isOverrun else { return nil }
    guard var end = nextEnd() else {
      // A CR at the end may belong to the end of the line.
      let length = bytes.last == UInt8(ascii: "\r") ? pending - 1 : pending
      isOverrun = length > limit
      return nil
    }
    let begin = start
    start = min(end + 1, bytes.count)
    searched = start
    if end > begin, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    guard end - begin <= limit else {
      isOverrun = true
      return nil
    }
    return begin..<end
  }

  /// Returns the offset of the end of the next line, which is not part of it; nil if it is not there yet.
  private mutating func nextEnd() -> Int? {
    let found = bytes.withUnsafeBytes { bytes -> Int? in
      guard let base = bytes.baseAddress, let end = memchr(base + searched, 0x0A, bytes.count - searched) else {
        return nil
      }
      return UnsafeRawPointer(end) - base
    }
    searched = found ?? bytes.count
    return found ?? (isEnded && start < bytes.count ? bytes.count : nil)
  }

  /// Empties the buffer after the last line. A client that is connected for days does not keep the memory of a hundred
  /// lines that arrived together.
  private mutating func reset() {
    bytes.removeAll(keepingCapacity: bytes.capacity <= keptCapacity)
    start = 0
    searched = 0
  }
}
