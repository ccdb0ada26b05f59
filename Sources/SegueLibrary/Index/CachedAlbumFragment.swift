internal import SegueLink
internal import SegueWire

/// The part of an album that a track belongs to, as long as its neighbours say the same: mostly for an album, whose
/// names need not be told apart for every track.
struct CachedAlbumFragment {
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

  func holds(for row: TrackRow, _ keys: SortKeys) -> Bool {
    folder == row.folder && album == row.metadata.album && albumArtist == row.metadata.albumArtist
      && isCompilation == row.flags.contains(.isCompilation) && albumKey == keys.album
      && albumArtistKey == keys.albumArtist
  }
}
