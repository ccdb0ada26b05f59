internal import SegueLink
internal import SegueWire

/// The artists of a track, as long as its neighbours say the same.
struct CachedTrackArtists {
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
  func hold(for row: TrackRow, _ keys: SortKeys, _ details: TagDetails) -> Bool {
    !isGiven && !Self.areGiven(details) && artist == row.metadata.artist && artists == row.metadata.artists
      && albumArtist == row.metadata.albumArtist && self.keys.artist == keys.artist
      && self.keys.albumArtist == keys.albumArtist && self.keys.artists == keys.artists
  }

  private static func areGiven(_ details: TagDetails) -> Bool {
    details.artistSort != nil || details.albumArtistSort != nil
  }
}
