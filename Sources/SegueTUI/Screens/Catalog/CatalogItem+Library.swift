internal import SegueClientKit
internal import SegueWire

/// Tracks, albums and artists of the library as items, for lists and details that also show those of catalogues.
extension CatalogItem {
  init(_ track: ListedTrack) {
    self.init(uri: track.uri, kind: .song, title: track.title, provider: "")
    (creator, year) = (track.metadata.artist, track.metadata.year)
    (duration, playable, favorite) = (track.duration, true, track.favorite)
    facts = track.metadata.album.map { [Fact(.album, $0)] } ?? []
    if let rating = track.rating { self.rating = Rating(value: Double(rating), votes: nil, popularity: nil) }
  }

  init(_ track: QueueEntry) {
    self.init(uri: track.uri, kind: track.metadata.stream == nil ? .song : .station, title: track.title, provider: "")
    (creator, year) = (track.metadata.artist, track.metadata.year)
    (duration, playable, favorite) = (track.duration, true, track.favorite)
    facts = track.metadata.album.map { [Fact(.album, $0)] } ?? []
  }

  /// Adds what the library knows about the track.
  mutating func add(_ report: TrackReport) {
    let (metadata, audio) = (report.track.metadata, report.audio)
    (date, genres) = (metadata.date, metadata.genre)
    rating = report.track.rating.map { Rating(value: Double($0), votes: nil, popularity: nil) }
    func number(_ number: Int?, _ name: Fact.Name) -> Fact? { number.map { Fact(name, String($0)) } }
    facts =
      facts.filter { $0.name == .album }
      + [
        number(metadata.disc, .disc), number(metadata.track, .track), Fact(.codec, audio.codec.uppercased()),
        number(audio.bitRate.map { $0.roundedQuotient(by: 1000) }, .bitrate),
      ].compactMap { $0 }
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
