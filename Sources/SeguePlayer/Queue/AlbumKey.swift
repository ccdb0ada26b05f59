internal import SegueWire

/// What tracks of one album have in common: the album's title and artist, or, where the tags name no album artist, its
/// title and the folder; without an album, the folder. A stream without an album stands alone.
struct AlbumKey: Hashable, Sendable {
  /// A hash: two albums that collide (once in 2^64) are merely shuffled as one.
  let value: UInt64

  init(uri: String, metadata: Metadata) {
    var hash = FNV1a()
    if let album = metadata.album { hash.add(album.utf8) }
    hash.separate()
    if metadata.album != nil, let artist = metadata.albumArtist {
      hash.add(artist.utf8)
    } else if metadata.album == nil, !uri.utf8.starts(with: "file:".utf8) {
      hash.add(uri.utf8)
    } else {
      // Tracks of a cue sheet differ only in what follows "#", which holds no slash.
      let path = uri.utf8
      hash.add(path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? path.endIndex)])
    }
    value = hash.value
  }

  /// Fowler, Noll and Vo's hash (variant 1a, 64 bits): the same in every run, and quick on short text.
  private struct FNV1a {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: some Sequence<UInt8>) {
      for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// A byte that UTF-8 never holds.
    mutating func separate() { add(CollectionOfOne(0xFF)) }
  }
}
