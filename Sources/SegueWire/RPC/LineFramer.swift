internal import Glibc

/// Cuts a stream of bytes into lines: LF ends one, a CR before it is dropped, and what stands before the end of the
/// stream is a line too. Every byte is looked at once, however the stream is sliced.
public struct LineFramer: Sendable {
  /// The longest line, its end not counted (PROTOCOL.md, Transport).
  public static let maximumLineLength = 1 << 20

  private var bytes: [UInt8] = []
  /// Where the first line not yet handed out begins.
  private var start = 0
  /// Up to where no LF has been found.
  private var searched = 0
  private var isEnded = false

  public init() {}

  /// Bytes that came and were not handed out.
  public var pending: Int { bytes.count - start }

  /// A line longer than `maximumLineLength` has begun; nothing after it can be trusted to be the start of another.
  public private(set) var isOverrun = false

  public mutating func append(_ chunk: UnsafeRawBufferPointer) {
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
      start = 0
      searched = 0
    } else if start > bytes.count / 2 {
      // Moves less than it has handed out since the last move: constant work a byte.
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes.append(contentsOf: chunk)
  }

  /// Nothing more comes: what is left is the last line.
  public mutating func end() { isEnded = true }

  /// Hands the next whole line to `body`; nil when there is none yet, or when it is too long.
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
      isOverrun = pending > Self.maximumLineLength
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
