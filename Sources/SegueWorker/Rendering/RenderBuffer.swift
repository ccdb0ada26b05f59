internal import SegueRing
internal import SegueSystem
// Decoding thread only.
internal import SegueWorkerProtocol

/// A buffer of rendered PCM, with markers in it, that is not yet in the ring. Audio at its end may be held back for a
/// crossfade.
final class RenderBuffer {
  private enum Marker {
    case stream(StreamMarker)
    /// An event to report when everything before it is written.
    case event(Generation, DecodingEvent)
  }

  private var memory: UnsafeMutableRawBufferPointer = .allocate(byteCount: 256 * 1024, alignment: 64)
  /// The part of `memory` that contains the PCM.
  private var range = 0..<0
  /// The markers in order. `at` is the number of bytes of PCM before the marker, including those that were flushed.
  private var markers: [(at: Int, marker: Marker)] = []
  /// The number of bytes that were written to the ring.
  private var flushed = 0
  /// The number of bytes at the end that are not written to the ring.
  var heldBack = 0

  deinit { memory.deallocate() }

  /// The number of bytes of PCM.
  var count: Int { range.count }

  var isEmpty: Bool { range.isEmpty && markers.isEmpty }

  var hasMarkers: Bool { !markers.isEmpty }

  /// The number of bytes of PCM after the last marker. They have one format.
  var countAfterLastMarker: Int { flushed + range.count - (markers.last?.at ?? flushed) }

  /// Inserts a marker `bytesBeforeEnd` bytes before the end of the PCM, or after it if the number is negative: that
  /// many bytes must be appended before the marker is written. Markers must be inserted in their order.
  func append(_ marker: StreamMarker, bytesBeforeEnd: Int) {
    markers.append((flushed + range.count - bytesBeforeEnd, .stream(marker)))
  }

  /// Inserts an event right after the last marker.
  func append(_ generation: Generation, _ event: DecodingEvent) {
    markers.append((markers.last?.at ?? flushed, .event(generation, event)))
  }

  /// Removes what follows the end of `generation` and its events. Returns false, and removes nothing, if that end is
  /// not in the buffer.
  func removeAll(afterEndOf generation: Generation) -> Bool {
    let end = markers.firstIndex {
      if case .stream(let marker) = $0.marker { (marker.kind, marker.generation) == (.end, generation) } else { false }
    }
    guard let end else { return false }
    let following = markers[(end + 1)...].firstIndex {
      if case .event(let other, _) = $0.marker { other != generation } else { true }
    }
    range = range.lowerBound..<(range.lowerBound + min(range.count, markers[end].at - flushed))
    if let following { markers.removeSubrange(following...) }
    return true
  }

  /// Returns the last `count` bytes.
  func suffix(_ count: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: memory[(range.upperBound - count)..<range.upperBound])
  }

  func append(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count > 0 else { return }
    reserve(bytes.count)
    UnsafeMutableRawBufferPointer(rebasing: memory[range.upperBound...]).copyMemory(from: bytes)
    range = range.lowerBound..<(range.upperBound + bytes.count)
  }

  /// Writes to `output` until that is full, and reports events with `report`. Returns whether everything was written
  /// that is not held back.
  func flush(into output: some PCMReceiver, report: (Generation, DecodingEvent) -> Void) -> Bool {
    while true {
      if let (at, marker) = markers.first, at == flushed {
        guard output.canWriteMarker else { return false }
        switch marker {
        case .stream(let marker): output.write(marker)
        case .event(let generation, let event): report(generation, event)
        }
        markers.removeFirst()
        continue
      }
      let ready = min(range.count - heldBack, (markers.first?.at ?? .max) - flushed)
      guard ready > 0 else { return true }
      let start = range.lowerBound
      let taken = output.write(UnsafeRawBufferPointer(rebasing: memory[start..<(start + ready)]))
      range = (start + taken)..<range.upperBound
      flushed += taken
      guard taken == ready else { return false }
    }
  }

  func removeAll() {
    range = 0..<0
    markers = []
    heldBack = 0
  }

  private func reserve(_ count: Int) {
    guard range.upperBound + count > memory.count else { return }
    let old = memory
    let needed = range.count + count
    // The memory is allocated at twice the needed size, so that it is seldom moved.
    let isMoved = needed > memory.count / 2
    if isMoved { memory = .allocate(byteCount: needed * 2, alignment: 64) }
    memory.baseAddress?.copyMemory(from: old.baseAddress.unsafelyUnwrapped + range.lowerBound, byteCount: range.count)
    range = 0..<range.count
    if isMoved { old.deallocate() }
  }
}
