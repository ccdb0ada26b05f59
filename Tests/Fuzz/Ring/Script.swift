import SegueSystem

@testable import SegueRing

/// A script of commands in the input, read from its start.
struct Script {
  private var rest: Slice<UnsafeRawBufferPointer>

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

  mutating func next() -> UInt8? { rest.popFirst() }

  mutating func take(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Returns a number of `bytes` bytes, or fewer at the end of the input.
  mutating func number(_ bytes: Int) -> UInt64 { take(bytes).reduce(0) { $0 << 8 | UInt64($1) } }

  /// Returns a record of a valid marker shortly after `position`.
  mutating func marker(at position: UInt64) -> [UInt8] {
    let format = AudioFormat(
      sample: SampleFormat.allCases[Int(number(1)) % SampleFormat.allCases.count], rate: .cd,
      channels: number(1) % 2 == 0 ? .mono : .stereo)
    let marker = StreamMarker(
      kind: number(1) % 4 == 0 ? .end : .begin, generation: Generation(UInt32(number(1)) + 1), format: format,
      mediaFrame: Frames(Int64(number(4))))
    return withUnsafeBytes(of: MarkerRecord(marker, at: position &+ number(2))) { Array($0) }
  }
}
