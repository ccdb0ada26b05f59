internal import SegueLink
internal import SegueWire

/// The part of an album that a track belongs to, as long as its neighbours say the same: mostly for an album, whose
/// names need not be told apart for every track.
struct KnownPart {
  let number: Int64
  /// By the folder's name or the album's title.
  let disc: Int?
  private let folder: Int64
  private let album: String?
  private let albumArtist: String?
  private let isCompilation: Bool
  private let albumKey: [UInt8]
  private let albumArtistKey: [UInt8]

  init(_ row: TrackRow, _ keys: SortKeys, number: Int64, disc: Int?) {
    (self.number, self.disc) = (number, disc)
    (folder, isCompilation) = (row.folder, row.flags.contains(.isCompilation))
    (album, albumArtist) = (row.metadata.album, row.metadata.albumArtist)
    (albumKey, albumArtistKey) = (keys.album, keys.albumArtist)
  }

  func `is`(of row: TrackRow, _ keys: SortKeys) -> Bool {
    folder == row.folder && album == row.metadata.album && albumArtist == row.metadata.albumArtist
      && isCompilation == row.flags.contains(.isCompilation) && albumKey == keys.album
      && albumArtistKey == keys.albumArtist
  }
}

/// The same of the artists.
struct KnownPeople {
  let numbers: [Int64]
  private let artist: String?
  private let artists: [String]
  private let albumArtist: String?
  private let keys: SortKeys
  /// Whether the file says how to sort them.
  private let isGiven: Bool

  init(_ row: TrackRow, _ keys: SortKeys, _ details: TagDetails, _ numbers: [Int64]) {
    self.numbers = numbers
    (artist, artists, albumArtist) = (row.metadata.artist, row.metadata.artists, row.metadata.albumArtist)
    self.keys = keys
    isGiven = Self.areGiven(details)
  }

  /// What a file says of how to sort them holds for all it is said of: such tracks are looked at one by one.
  func are(of row: TrackRow, _ keys: SortKeys, _ details: TagDetails) -> Bool {
    !isGiven && !Self.areGiven(details) && artist == row.metadata.artist && artists == row.metadata.artists
      && albumArtist == row.metadata.albumArtist && self.keys.artist == keys.artist
      && self.keys.albumArtist == keys.albumArtist && self.keys.artists == keys.artists
  }

  private static func areGiven(_ details: TagDetails) -> Bool {
    details.artistSort != nil || details.albumArtistSort != nil
  }
}
