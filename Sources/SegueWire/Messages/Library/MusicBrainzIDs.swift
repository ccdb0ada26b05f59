/// The MusicBrainz identifiers of a track: UUIDs in lower case, such as `f4a1b2c3-…`.
public struct MusicBrainzIDs: Equatable, JSONEncodable, JSONDecodable {
  /// The id of the recording.
  public var track: String?
  public var release: String?
  public var releaseGroup: String?
  /// The ids of the artists, in the order of the artists.
  public var artists: [String]
  public var albumArtists: [String]

  /// Creates identifiers from texts. A text that is not a UUID is omitted.
  public init(
    track: String? = nil, release: String? = nil, releaseGroup: String? = nil, artists: [String] = [],
    albumArtists: [String] = []
  ) {
    self.track = track.flatMap(Self.identifier)
    self.release = release.flatMap(Self.identifier)
    self.releaseGroup = releaseGroup.flatMap(Self.identifier)
    self.artists = artists.prefix(Metadata.maximumValueCount).compactMap(Self.identifier)
    self.albumArtists = albumArtists.prefix(Metadata.maximumValueCount).compactMap(Self.identifier)
  }

  /// The identifiers without texts that are not UUIDs.
  public var bounded: MusicBrainzIDs {
    isEmpty
      ? self
      : MusicBrainzIDs(
        track: track, release: release, releaseGroup: releaseGroup, artists: artists, albumArtists: albumArtists)
  }

  public var isEmpty: Bool { self == MusicBrainzIDs() }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("track", track)
    json.member("release", release)
    json.member("releaseGroup", releaseGroup)
    json.member("artists", artists)
    json.member("albumArtists", albumArtists)
    json.endObject()
  }

  public init(_ json: JSON?) {
    func texts(_ name: String) -> [String] {
      json?[name]?.elements?.prefix(Metadata.maximumValueCount).compactMap(\.string) ?? []
    }
    self.init(
      track: json?["track"]?.string, release: json?["release"]?.string, releaseGroup: json?["releaseGroup"]?.string,
      artists: texts("artists"), albumArtists: texts("albumArtists"))
  }

  /// Returns the UUID (RFC 9562: 8-4-4-4-12 hexadecimal digits) in lower case; nil if `text` is not a UUID.
  private static func identifier(_ text: String) -> String? {
    let bytes = text.utf8
    guard bytes.count == 36 else { return nil }
    for (index, byte) in bytes.enumerated() {
      switch index {
      case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return nil }
      default:
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
          UInt8(ascii: "A")...UInt8(ascii: "F"):
          break
        default: return nil
        }
      }
    }
    return text.lowercased()
  }
}
