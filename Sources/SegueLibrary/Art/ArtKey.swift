internal import SegueLink

/// What a picture in the cache is made of: a file as it is now, and what was wished for. It is found again by this.
struct ArtKey: Sendable {
  /// Sixteen hexadecimal digits.
  let name: String

  init(_ stamp: FileStamp, _ wish: CoverWish) {
    let source = [
      stamp.device, stamp.inode, UInt64(bitPattern: stamp.size), UInt64(bitPattern: stamp.modified),
      UInt64(wish.edge ?? 0), wish.asPNG ? 1 : 0, wish.place == .embedded ? 1 : 0,
    ]
    self.init(words: source)
  }

  /// Of an album, by all that it is told from others by: a library that was made anew counts anew.
  init(_ album: LibraryAlbum) {
    let text = "\(album.title)\0\(album.albumArtist ?? "")\0\(album.year ?? 0)"
    self.init(words: [UInt64(bitPattern: album.id)] + text.utf8.map(UInt64.init))
  }

  private init(words: [UInt64]) {
    // FNV-1a, over bytes.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for word in words {
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        hash = (hash ^ (word >> shift & 0xFF)) &* 0x100_0000_01B3
      }
    }
    let digits = String(hash, radix: 16)
    name = String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// The folder that it lies in: a page of a phone book, so that none gets long.
  var shelf: String { String(name.suffix(2)) }
}
