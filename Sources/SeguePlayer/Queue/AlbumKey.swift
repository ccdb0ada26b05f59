internal import SegueFiles
internal import SegueWire

/// A key that is equal for tracks of one album: the album's title and artist or, if the tags name no album artist, its
/// title and the folder. Without an album it is the folder; a stream without an album has a key of its own.
struct AlbumKey: Hashable, Sendable {
  /// A hash. If two albums have the same hash, which is improbable (1 in 2^64), the only consequence is that they are
  /// shuffled as one.
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
        let usesWholeURI = metadata.album == nil && !isFile
        // Tracks of a cue sheet differ only in the fragment after "#", which contains no slash.
        let end = usesWholeURI ? nil : text.lastIndex(of: UInt8(ascii: "/"))
        hash.add(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[..<(end ?? text.count)]))
      }
    }
    value = hash.value
  }

  /// A multiplicative hash over words of eight bytes. It takes a few nanoseconds for a name, and is the same in every
  /// run.
  private struct WordHash {
    private(set) var value: UInt64 = 0

    mutating func add(_ text: String) {
      var text = text
      text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    /// Adds the length, too, so that the hash depends on where one text ends and the next begins.
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
