// Pulse thread only.

/// A copy of the PCM that was written last, so that what has not been heard yet can be written again, otherwise.
final class History {
  /// Where the next byte goes, around and around.
  private let bytes: UnsafeMutableRawBufferPointer
  private var end = 0
  /// How many of the last bytes are there.
  private(set) var count = 0

  var capacity: Int { bytes.count }

  /// Begins with what `old` has, which must be smaller.
  init(capacity: Int, keeping old: History? = nil) {
    bytes = .allocate(byteCount: capacity, alignment: 16)
    guard let old else { return }
    old.copy(from: old.count, into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<old.count]))
    count = old.count
    end = old.count
  }

  deinit { bytes.deallocate() }

  func append(_ pcm: UnsafeMutableRawBufferPointer) {
    var rest = UnsafeRawBufferPointer(pcm)[max(0, pcm.count - capacity)...]
    count = min(count + rest.count, capacity)
    while !rest.isEmpty {
      let piece = rest.prefix(capacity - end)
      UnsafeMutableRawBufferPointer(rebasing: bytes[end...]).copyMemory(from: UnsafeRawBufferPointer(rebasing: piece))
      end = (end + piece.count) % capacity
      rest = rest.dropFirst(piece.count)
    }
  }

  /// The last `dropped` bytes were taken back.
  func removeLast(_ dropped: Int) {
    guard dropped <= count else { return removeAll() }
    count -= dropped
    end = (end + capacity - dropped) % capacity
  }

  func removeAll() {
    count = 0
    end = 0
  }

  /// Fills `memory` with what begins `distance` bytes before the end. Precondition: there is as much.
  func copy(from distance: Int, into memory: UnsafeMutableRawBufferPointer) {
    precondition(memory.count <= distance && distance <= count, "that is not kept")
    let start = (end + capacity - distance) % capacity
    let first = min(memory.count, capacity - start)
    memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + first]))
    UnsafeMutableRawBufferPointer(rebasing: memory[first...])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<(memory.count - first)]))
  }
}
