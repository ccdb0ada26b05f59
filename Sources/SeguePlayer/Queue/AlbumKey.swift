internal import SegueLibrary
internal import SegueWire

/// What tracks of one album have in common: the album's title and artist, or, where the tags name no album artist, its
/// title and the folder; without an album, the folder. A stream without an album stands alone.
struct AlbumKey: Hashable, Sendable {
  /// A hash: two albums that collide (once in 2^64) are merely shuffled as one.
  let value: UInt64

  init(uri: String, metadata: Metadata) {
    var hash = WordHash()
    if let album = metadata.album { hash.add(album) }
    if metadata.album != nil, let artist = metadata.albumArtist {
      hash.add(artist)
    } else {
      let isFile = MediaURI.isFile(uri)
      var uri = uri
      uri.withUTF8 { text in
        let standsAlone = metadata.album == nil && !isFile
        // Tracks of a cue sheet differ only in what follows "#", which holds no slash.
        let end = standsAlone ? nil : text.lastIndex(of: UInt8(ascii: "/"))
        hash.add(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[..<(end ?? text.count)]))
      }
    }
    value = hash.value
  }

  /// A multiplicative hash over words of eight bytes: a few nanoseconds for a name, the same in every run.
  private struct WordHash {
    private(set) var value: UInt64 = 0

    mutating func add(_ text: String) {
      var text = text
      text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    /// The length goes in too, so that two texts are not the same as their sum cut elsewhere.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
      mix(UInt64(bytes.count))
      var offset = 0
      while offset + 8 <= bytes.count {
        mix(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      var rest: UInt64 = 0
      for byte in bytes[offset...] { rest = rest << 8 | UInt64(byte) }
      mix(rest)
    }

    private mutating func mix(_ word: UInt64) {
      let product = (value ^ word ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
      value = product.high ^ product.low
    }
  }
}
