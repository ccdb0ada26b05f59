internal import SegueWire

/// What to order tracks by: bytes that compare (memcmp) as people of the user's locale put the texts in order. Numbers
/// go by their value; an article in front counts only where the file gives a sort name.
public struct SortKeys: Equatable, Sendable {
  /// That of the file's name, without its suffix, where there is no title. The other keys are empty where there is no
  /// text.
  public var title: [UInt8]
  /// Of `Metadata.artist`.
  public var artist: [UInt8]
  public var album: [UInt8]
  public var albumArtist: [UInt8]
  /// Of each of `Metadata.artists`, which no sort name is for: one as many, unless it is the only one.
  public var artists: [[UInt8]]

  public init(
    title: [UInt8] = [], artist: [UInt8] = [], album: [UInt8] = [], albumArtist: [UInt8] = [],
    artists: [[UInt8]] = []
  ) {
    self.title = title
    self.artist = artist
    self.album = album
    self.albumArtist = albumArtist
    self.artists = artists
  }

  /// Of one key, in bytes: what differs only beyond it is in no order.
  public static let longest = 256

  /// What is longer than a key may be left out.
  var bounded: SortKeys {
    func kept(_ key: [UInt8]) -> [UInt8] { key.count <= Self.longest ? key : [] }
    return SortKeys(
      title: kept(title), artist: kept(artist), album: kept(album), albumArtist: kept(albumArtist),
      artists: artists.prefix(Metadata.maximumValueCount).map(kept))
  }
}

extension JSONWriter {
  mutating func hexadecimal(_ bytes: [UInt8]) {
    let digits: StaticString = "0123456789abcdef"
    string(
      String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
        for (index, byte) in bytes.enumerated() {
          text[2 * index] = digits.utf8Start[Int(byte >> 4)]
          text[2 * index + 1] = digits.utf8Start[Int(byte & 15)]
        }
        return 2 * bytes.count
      })
  }
}

extension JSON {
  /// A key as `hexadecimal` wrote it, no longer than a key may be.
  var hexadecimal: [UInt8]? {
    withUTF8 { text in
      guard let text, text.count <= 2 * SortKeys.longest, text.count % 2 == 0 else { return nil }
      var bytes = [UInt8](repeating: 0, count: text.count / 2)
      for index in bytes.indices {
        guard let high = Self.digit(text[2 * index]), let low = Self.digit(text[2 * index + 1]) else { return nil }
        bytes[index] = high << 4 | low
      }
      return bytes
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
