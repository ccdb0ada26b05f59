/// A hash table that numbers albums from 0, in the order in which they are first looked up.
///
/// An album's key is a hash already, so a lookup is one multiplication and, mostly, one comparison; a `Dictionary` would
/// hash the key once more, which takes most of the time of shuffling a long queue.
struct AlbumNumbers {
  /// The albums' numbers by hash, with linear probing; -1 where a slot is free. At most half of the slots are taken.
  private var slots: [Int32]
  /// The keys by number.
  private var keys: [AlbumKey] = []
  /// Odd. Random, so that nobody can choose keys that fall into the same slots.
  private let multiplier: UInt64
  private let shift: Int

  /// Creates a table for at most `capacity` lookups.
  init(capacity: Int, using generator: inout SplitMix64) {
    let bits = max(4, Int.bitWidth - (2 * capacity).leadingZeroBitCount)
    slots = [Int32](repeating: -1, count: 1 << bits)
    shift = UInt64.bitWidth - bits
    multiplier = generator.next() | 1
  }

  /// Returns the number of the album with `key`: the next free one if the album is new.
  mutating func number(of key: AlbumKey) -> Int {
    var slot = Int((key.value &* multiplier) >> shift)
    while slots[slot] >= 0 {
      let number = Int(slots[slot])
      if keys[number] == key { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = Int32(keys.count)
    keys.append(key)
    return keys.count - 1
  }
}
