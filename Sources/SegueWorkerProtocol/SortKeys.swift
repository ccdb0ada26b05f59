public import SegueWire

/// The sort keys of a track: bytes whose order (memcmp) is the order of the texts in the user's locale. Digits compare
/// by their numeric value. A leading article is ignored, unless the text is a sort name of the tags.
public struct SortKeys: Equatable, Sendable {
  /// The key of the title, or of the file name without its suffix if there is no title. The other keys are empty if
  /// there is no text.
  public var title: [UInt8]
  /// The key of `Metadata.artist`.
  public var artist: [UInt8]
  public var album: [UInt8]
  public var albumArtist: [UInt8]
  /// The keys of `Metadata.artists`. Sort names do not apply to them, unless there is only one artist.
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

  /// The maximum size of a key, in bytes. Texts that differ only beyond it have no defined order.
  public static let maximumKeySize = 256

  /// The keys without those that are too long.
  var bounded: SortKeys {
    func kept(_ key: [UInt8]) -> [UInt8] { key.count <= Self.maximumKeySize ? key : [] }
    return SortKeys(
      title: kept(title), artist: kept(artist), album: kept(album), albumArtist: kept(albumArtist),
      artists: artists.prefix(Metadata.maximumValueCount).map(kept))
  }
}

extension JSONWriter {
  package mutating func hexadecimal(_ bytes: [UInt8]) {
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
  /// The key that `hexadecimal` has encoded; nil if it is invalid or too long.
  package var hexadecimal: [UInt8]? { hexadecimal(upTo: SortKeys.maximumKeySize) }

  /// Returns the bytes that `hexadecimal` has encoded; nil if the text is invalid or has more than `maximum` bytes.
  func hexadecimal(upTo maximum: Int) -> [UInt8]? {
    withUTF8 { text in
      guard let text, text.count <= 2 * maximum, text.count % 2 == 0 else { return nil }
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

/// A text for which a sort key is requested.
public struct CollationInput: Equatable, Sendable, JSONEncodable, JSONDecodable {
  public var text: String
  /// Whether the text is a sort name, in which a leading article counts.
  public var isSortName: Bool

  /// The maximum size of the text in bytes. A longer text would not change the key.
  private static let maximumSize = 3 * SortKeys.maximumKeySize

  /// Creates an input from `sortName`, or from `text` if there is no sort name.
  public init(_ text: String, sortName: String? = nil) {
    self.text = (sortName ?? text).truncated(to: Self.maximumSize)
    isSortName = sortName != nil
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("text", text)
    if isSortName { json.member("isSortName", true) }
    json.endObject()
  }

  public init(_ json: JSON?) {
    text = json?["text"]?.string ?? ""
    isSortName = json?["isSortName"]?.bool ?? false
  }
}
