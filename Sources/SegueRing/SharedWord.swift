internal import Synchronization

/// An atomic 64-bit word at an address that two processes share.
struct SharedWord {
  // Proof: `Atomic<UInt64>` has the size and alignment of `UInt64` and no other state; the address is 64-byte aligned.
  private let pointer: UnsafeMutablePointer<Atomic<UInt64>>

  init(_ address: UnsafeMutableRawPointer) { pointer = address.assumingMemoryBound(to: Atomic<UInt64>.self) }

  /// The last value stored with `publish`, and everything written before it.
  func acquire() -> UInt64 { pointer.pointee.load(ordering: .acquiring) }
  func publish(_ value: UInt64) { pointer.pointee.store(value, ordering: .releasing) }

  func relaxed() -> UInt64 { pointer.pointee.load(ordering: .relaxed) }

  /// Store and load in one total order with the other side's: neither may miss that the other went to sleep.
  func announce(_ value: UInt64) { pointer.pointee.store(value, ordering: .sequentiallyConsistent) }
  func exchange(_ value: UInt64) -> UInt64 { pointer.pointee.exchange(value, ordering: .sequentiallyConsistent) }
  func observe() -> UInt64 { pointer.pointee.load(ordering: .sequentiallyConsistent) }
}
