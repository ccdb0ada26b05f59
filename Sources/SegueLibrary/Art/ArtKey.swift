internal import SegueLink

/// What a picture in the cache is made of: a file as it is now, and what was wished for. It is found again by this.
struct ArtKey: Sendable {
  /// Sixteen hexadecimal digits.
  let name: String

  init(_ stamp: FileStamp, _ wish: CoverRequest) {
    let source = [
      stamp.device, stamp.inode, UInt64(bitPattern: stamp.size), UInt64(bitPattern: stamp.modified),
      UInt64(wish.edge ?? 0), wish.asPNG ? 1 : 0, wish.place == .embedded ? 1 : 0,
    ]
    var hash = Hash()
    for word in source { hash.add(word) }
    name = hash.name
  }

  /// Of an album, by all that it is told from others by: a library that was made anew counts anew.
  init(_ album: LibraryAlbum) {
    var hash = Hash()
    hash.add(UInt64(bitPattern: album.id))
    hash.add(album.title)
    hash.add(0)
    hash.add(album.albumArtist ?? "")
    hash.add(0)
    hash.add("\(album.year ?? 0)")
    name = hash.name
  }

  /// FNV-1a, over the bytes of words of eight. A long page of albums asks for a key each.
  private struct Hash {
    private var value: UInt64 = 0xCBF2_9CE4_8422_2325
    private static let prime: UInt64 = 0x100_0000_01B3
    /// What seven bytes of 0 come to.
    private static let sevenZeros = (0..<7).reduce(1 as UInt64) { product, _ in product &* prime }

    mutating func add(_ word: UInt64) {
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        value = (value ^ (word >> shift & 0xFF)) &* Self.prime
      }
    }

    /// A word for each byte.
    mutating func add(_ text: String) {
      for byte in text.utf8 { value = (value ^ UInt64(byte)) &* Self.prime &* Self.sevenZeros }
    }

    var name: String {
      String(unsafeUninitializedCapacity: 16) { digits in
        for place in 0..<16 {
          let digit = UInt8(value >> UInt64(60 - 4 * place) & 0xF)
          digits[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        }
        return 16
      }
    }
  }

  /// The folder that it lies in: a page of a phone book, so that none gets long.
  var shelf: String { String(name.suffix(2)) }
}
