// Thread: the loop.

internal import SegueSystem
internal import SegueWire

/// The output of the session that has the turn. It is empty between turns; all sessions share its memory.
@MainActor
final class TurnOutput {
  private var json = JSONWriter()
  private let memory: SessionMemory

  init(memory: SessionMemory) { self.memory = memory }

  var isEmpty: Bool { json.isEmpty }
  var count: Int { json.count }

  func write(_ body: (inout JSONWriter) -> Void) { body(&json) }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { json.withBytes(body) }

  /// Empties the output. The memory of a large response is freed.
  func removeAll() {
    if json.count > Self.largeOutput { memory.markLargeAllocation() }
    if json.count > Self.maximumKeptCapacity { json = JSONWriter() } else { json.removeAll() }
  }

  private static let maximumKeptCapacity = 256 * 1024
  private static let largeOutput = 1 << 20
}

/// An account of the memory that the sessions hold: input that was not carried out yet and output that was not sent
/// yet.
@MainActor
final class SessionMemory {
  /// The number of bytes that all sessions hold together.
  private(set) var total = 0
  private var shouldTrim = false

  /// Whether the sessions together hold more than the limit.
  var isOverLimit: Bool { total > Self.limit }

  /// Records that a session holds `new` bytes and no longer `old` bytes.
  func replace(_ old: Int, with new: Int) { total += new - old }

  /// Records that a large amount of memory was used and freed, so that `trimIfNeeded` returns it to the system.
  func markLargeAllocation() { shouldTrim = true }

  func trimIfNeeded() {
    guard shouldTrim else { return }
    shouldTrim = false
    CurrentProcess.trimHeap()
  }

  /// The limit is sufficient for a hundred sessions whose backlogs are full (`ClientConnection.maximumBacklog`).
  private static let limit = 128 << 20
}
