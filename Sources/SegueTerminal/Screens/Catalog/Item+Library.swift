internal import SegueFrontend
internal import SegueWire

/// Tracks, albums and artists of the library as items, for lists and details that also show those of catalogues.
extension Item {
  init(_ track: ListedTrack) {
    self.init(uri: track.uri, kind: .song, title: track.title, provider: "")
    (creator, year) = (track.metadata.artist, track.metadata.year)
    (duration, playable, favorite) = (track.duration, true, track.favorite)
    facts = track.metadata.album.map { [Fact(.album, $0)] } ?? []
    if let rating = track.rating { self.rating = Rating(value: Double(rating), votes: nil, popularity: nil) }
  }

  init(_ track: Track) {
    self.init(uri: track.uri, kind: track.metadata.stream == nil ? .song : .station, title: track.title, provider: "")
    (creator, year) = (track.metadata.artist, track.metadata.year)
    (duration, playable, favorite) = (track.duration, true, track.favorite)
    facts = track.metadata.album.map { [Fact(.album, $0)] } ?? []
  }

  init(_ album: Album) {
    self.init(uri: album.uri, kind: .album, title: album.title, provider: "")
    (creator, year, duration) = (album.albumArtist, album.year, album.duration)
    (playable, favorite) = (true, album.favorite)
    facts = [Fact(.tracks, String(album.trackCount))]
  }

  init(_ artist: Artist) {
    self.init(uri: artist.uri, kind: .artist, title: artist.name, provider: "")
    (playable, favorite) = (true, artist.favorite)
    facts = [Fact(.tracks, String(artist.trackCount))]
  }
}
