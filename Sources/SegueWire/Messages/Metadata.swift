extension Metadata {
  /// Returns the metadata with missing values taken from `other`.
  public func filled(from other: Metadata) -> Metadata {
    var filled = self
    filled.title = title ?? other.title
    if artist == nil {
      filled.artist = other.artist
      filled.artists = other.artists
    }
    filled.album = album ?? other.album
    filled.albumArtist = albumArtist ?? other.albumArtist
    filled.composer = composer ?? other.composer
    if genre.isEmpty { filled.genre = other.genre }
    if date == nil {
      filled.date = other.date
      filled.year = other.year
    }
    filled.track = track ?? other.track
    filled.trackTotal = trackTotal ?? other.trackTotal
    filled.disc = disc ?? other.disc
    filled.discTotal = discTotal ?? other.discTotal
    filled.art = art ?? other.art
    filled.stream = stream ?? other.stream
    return filled
  }
}
