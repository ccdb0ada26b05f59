// Thread: the pulse thread. Writing allocates no memory of ours: PCM is copied from the ring into memory of libpulse,
// which sends it.
internal import CPulse
internal import SegueSystem

/// The writing end of a stream: it counts the bytes that the server has got, writes PCM, and writes PCM again that has
/// not been played yet.
final class StreamWriter {
  private let stream: OpaquePointer

  /// The bytes written since the last flush, without those that were discarded.
  private(set) var written = 0
  /// The number of bytes by which the next write starts before the server's write position.
  private var pendingStepBack = 0
  private var history: PCMHistory?

  init(_ stream: OpaquePointer) { self.stream = stream }

  /// The server's write position in bytes since the last flush. It differs from `written` while a step back is pending.
  var serverWritePosition: Int { written + pendingStepBack }

  /// Keeps a copy of the last `capacity` bytes at least. 0: keeps none.
  func keepHistory(_ capacity: Int) {
    if capacity == 0 {
      history = nil
    } else if history.map({ $0.capacity < capacity }) ?? true {
      history = PCMHistory(capacity: capacity, keeping: history)
    }
  }

  /// Writes up to `count` bytes in one or several pieces. `fill` provides each piece, and `shape` changes the piece to
  /// what is played; the history keeps the piece as it was before.
  func write(
    _ count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void, shape: (UnsafeMutableRawBufferPointer) -> Void
  ) {
    send(count) { memory in
      fill(memory)
      history?.append(memory)
      shape(memory)
    }
  }

  /// Discards the last `count` bytes: they are not played, except for those that are being played now. `lastFrame` is
  /// the frame before them; it is written again to set the write position.
  func discard(last count: Int, after lastFrame: UnsafeRawBufferPointer) {
    history?.removeLast(count)
    stepBack(count)
    send(count) { $0.initializeMemory(as: UInt8.self, repeating: 0) }
    stepBack(count + lastFrame.count)
    send(lastFrame.count) { $0.copyMemory(from: lastFrame) }
  }

  /// Returns whether the last `count` bytes can be written again.
  func canRewrite(_ count: Int) -> Bool { history.map { count <= $0.count } ?? false }

  /// Calls `body` with the last bytes that the history has, at most `count` and in whole frames: with one piece after
  /// the other, and its distance from the end. Returns the number of bytes.
  func readHistory(
    last count: Int, frameSize: Int, _ body: (_ pcm: UnsafeRawBufferPointer, _ distance: Int) -> Void
  ) -> Int {
    guard let history else { return 0 }
    let size = min(count, history.count) / frameSize * frameSize
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 512 * frameSize, alignment: 16)
    defer { piece.deallocate() }
    var rest = size
    while rest > 0 {
      let part = UnsafeMutableRawBufferPointer(rebasing: piece[..<min(rest, piece.count)])
      history.copy(from: rest, into: part)
      body(UnsafeRawBufferPointer(part), rest)
      rest -= part.count
    }
    return size
  }

  /// Writes the last `count` bytes again, each piece as `shape` changes it, and silence after them, which the next
  /// write replaces. Bytes that are being played now do not change. Precondition: `canRewrite(count)`.
  func rewrite(_ count: Int, silence: Int = 0, shape: (UnsafeMutableRawBufferPointer) -> Void) {
    stepBack(count)
    sendHistory(count, shape)
    send(silence) { $0.initializeMemory(as: UInt8.self, repeating: 0) }
    stepBack(silence)
  }

  /// Writes the last `count` bytes again after the server's buffer was flushed, each piece as `shape` changes it: they
  /// are played next. Precondition: `canRewrite(count)`.
  func rewriteAfterFlush(_ count: Int, shape: (UnsafeMutableRawBufferPointer) -> Void) {
    written -= count
    pendingStepBack = 0
    sendHistory(count, shape)
  }

  /// Starts anew after the server's buffer was flushed.
  func reset() {
    history?.removeAll()
    written = 0
    pendingStepBack = 0
  }

  private func sendHistory(_ count: Int, _ shape: (UnsafeMutableRawBufferPointer) -> Void) {
    var rest = count
    send(count) { memory in
      history?.copy(from: rest, into: memory)
      rest -= memory.count
      shape(memory)
    }
  }

  /// Makes the next write begin `count` bytes before the end of what was written, and replace those bytes.
  private func stepBack(_ count: Int) {
    pendingStepBack += count
    written -= count
  }

  /// Writes `count` bytes that `fill` puts into memory of libpulse, so that no other copy is made.
  private func send(_ count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
    var rest = count
    while rest > 0 {
      var memory: UnsafeMutableRawPointer?
      var size = rest
      // A connection that has just failed provides no memory; the notification of its failure is on the way.
      guard pa_stream_begin_write(stream, &memory, &size) == 0, let memory else { return }
      size = min(size, rest)
      fill(UnsafeMutableRawBufferPointer(start: memory, count: size))
      pa_stream_write(stream, memory, size, nil, Int64(-pendingStepBack), PA_SEEK_RELATIVE)
      pendingStepBack = 0
      written += size
      rest -= size
    }
  }
}
