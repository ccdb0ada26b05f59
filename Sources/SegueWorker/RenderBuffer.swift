// Decoding thread only.
internal import SegueRing
internal import SegueSystem

/// What was rendered and is not in the ring yet, in order: PCM, and the marks within it. So much of its end as may still
/// be mixed with something is kept back.
final class RenderBuffer {
  enum Mark {
    case begin(Generation, AudioFormat, at: Frames)
    case end(Generation, AudioFormat, at: Frames)
  }

  private var memory: UnsafeMutableRawBufferPointer = .allocate(byteCount: 256 * 1024, alignment: 64)
  /// Where in `memory` the PCM lies.
  private var place = 0..<0
  /// Each with the bytes of PCM that come before it, counted from `poured` = 0.
  private var marks: [(at: Int, mark: Mark)] = []
  /// Bytes that went into the ring.
  private var poured = 0
  /// So many bytes at the end stay here.
  var kept = 0

  deinit { memory.deallocate() }

  /// In bytes.
  var count: Int { place.count }

  /// What comes behind the last mark, in bytes: all of one format.
  var countBehindMarks: Int { poured + place.count - (marks.last?.at ?? poured) }

  /// `back`: so many bytes before the end. Marks are set in order.
  func mark(_ mark: Mark, back: Int = 0) { marks.append((poured + place.count - back, mark)) }

  /// The last `count` bytes.
  func end(_ count: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: memory[(place.upperBound - count)..<place.upperBound])
  }

  func append(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count > 0 else { return }
    makeRoom(for: bytes.count)
    UnsafeMutableRawBufferPointer(rebasing: memory[place.upperBound...]).copyMemory(from: bytes)
    place = place.lowerBound..<(place.upperBound + bytes.count)
  }

  /// Puts into `output` what it has room for. Whether that was all of it.
  func pour(into output: RingOutput) -> Bool {
    while true {
      if let (at, mark) = marks.first, at == poured {
        guard output.canMark else { return false }
        switch mark {
        case .begin(let generation, let format, let frame): output.begin(generation, format, at: frame)
        case .end(let generation, let format, let frame): output.end(generation, format, at: frame)
        }
        marks.removeFirst()
        continue
      }
      let ready = min(place.count - kept, (marks.first?.at ?? .max) - poured)
      guard ready > 0 else { return true }
      let start = place.lowerBound
      let taken = output.write(UnsafeRawBufferPointer(rebasing: memory[start..<(start + ready)]))
      place = (start + taken)..<place.upperBound
      poured += taken
      guard taken == ready else { return false }
    }
  }

  /// Forgets all of it.
  func clear() {
    place = 0..<0
    marks = []
    kept = 0
  }

  private func makeRoom(for count: Int) {
    guard place.upperBound + count > memory.count else { return }
    let old = memory
    let needed = place.count + count
    // Twice what is needed, so that it is seldom moved.
    let isMoved = needed > memory.count / 2
    if isMoved { memory = .allocate(byteCount: needed * 2, alignment: 64) }
    memory.baseAddress?.copyMemory(from: old.baseAddress.unsafelyUnwrapped + place.lowerBound, byteCount: place.count)
    place = 0..<place.count
    if isMoved { old.deallocate() }
  }
}
