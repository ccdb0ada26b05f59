// Thread: the pulse thread.

/// A circular buffer with a copy of the PCM that was written last, so that PCM that has not been played yet can be
/// written again with another gain.
final class PCMHistory {
  private let bytes: UnsafeMutableRawBufferPointer
  /// The offset of the next byte to be written.
  private var end = 0
  /// The number of bytes that are kept.
  private(set) var count = 0

  var capacity: Int { bytes.count }

  /// Creates a buffer with the content of `old`, whose capacity must be smaller.
  init(capacity: Int, keeping old: PCMHistory? = nil) {
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

  /// Removes the last `removed` bytes.
  func removeLast(_ removed: Int) {
    guard removed <= count else { return removeAll() }
    count -= removed
    end = (end + capacity - removed) % capacity
  }

  func removeAll() {
    count = 0
    end = 0
  }

  /// Fills `memory` with the bytes that begin `distance` bytes before the end. Precondition: that many bytes are kept.
  func copy(from distance: Int, into memory: UnsafeMutableRawBufferPointer) {
    precondition(memory.count <= distance && distance <= count, "the history does not reach back that far")
    let start = (end + capacity - distance) % capacity
    let first = min(memory.count, capacity - start)
    memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + first]))
    UnsafeMutableRawBufferPointer(rebasing: memory[first...])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<(memory.count - first)]))
  }
}
